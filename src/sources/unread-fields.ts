/**
 * Field truth of one answer: a field is present, absent at the source, or unread, that is, its place is there but its content was not
 * understood. A parser calls `of` where it reads a field; `found` takes the paths that were noted.
 */
export class UnreadFields {
  readonly #paths = new Set<string>();

  /**
   * Returns `value`. If it is missing (null, or an empty list) although the source shows something at `place`, notes `path`: the dotted path
   * of the field in the resource, without list indexes. A function gives the place of a missing value only.
   */
  of<T>(path: string, value: T, place: unknown): T {
    if (isMissing(value) && isShown(typeof place === 'function' ? place() : place)) this.#paths.add(path);
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

const isMissing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Whether a source states something: no blank text, no empty list or object, nothing that means "none". */
function isShown(place: unknown): boolean {
  if (place === null || place === undefined || place === false) return false;
  if (typeof place === 'string') return place.trim() !== '';
  if (Array.isArray(place)) return place.some(isShown);
  return typeof place !== 'object' || Object.keys(place).length > 0;
}
