/** Collects the fields of one answer that are unread: their place is there, but its content was not understood. */
export class UnreadFields {
  readonly #paths = new Set<string>();

  /** Returns `value`; notes its dotted `path`, without list indexes, if it is null or empty although the source shows something at `place`. */
  of<T>(path: string, value: T, place: unknown): T {
    const isMissing = value === null || (Array.isArray(value) && value.length === 0);
    if (isMissing && isShown(typeof place === 'function' ? place() : place)) this.#paths.add(path);
    return value;
  }

  note(path: string): void {
    this.#paths.add(path);
  }
  add(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path);
  }

  get paths(): readonly string[] {
    return [...this.#paths];
  }
}

/** Whether a source states something: no blank text, no empty list or object, nothing that means "none". */
export function isShown(place: unknown): boolean {
  if (place === null || place === undefined || place === false) return false;
  if (typeof place === 'string') return place.trim() !== '';
  if (Array.isArray(place)) return place.some(isShown);
  return typeof place !== 'object' || Object.keys(place).length > 0;
}
