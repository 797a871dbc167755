/** One line of the JSON view. */
export interface JsonRow {
  /** Path of the value, JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly depth: number;
  /** Name of the member; null for elements of arrays and the root. */
  readonly name: string | null;
  readonly value: unknown;
  /** Null where there is nothing to expand. */
  readonly expanded: boolean | null;
  readonly size: number;
  /** The line closes an object or array. */
  readonly closes: string | null;
}

/** Containers larger than this, and what they hold, are closed at first. */
const OPEN_UP_TO = 60;
const OPEN_DEPTH = 3;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const sizeOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** The lines of a JSON value. `turned`: pointers whose state is the other one than at first. */
export function jsonRows(root: unknown, turned: ReadonlySet<string>): readonly JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (value: unknown, name: string | null, pointer: string, depth: number, crowded = false): void => {
    if (!isContainer(value) || sizeOf(value) === 0) {
      rows.push({ pointer, depth, name, value, expanded: null, size: 0, closes: null });
      return;
    }
    const size = sizeOf(value);
    const openAtFirst = depth === 0 || (depth < OPEN_DEPTH && size <= OPEN_UP_TO && !crowded);
    const expanded = openAtFirst !== turned.has(pointer);
    rows.push({ pointer, depth, name, value, expanded, size, closes: null });
    if (!expanded) return;
    if (Array.isArray(value)) for (const [at, item] of value.entries()) add(item, null, `${pointer}/${at}`, depth + 1, size > OPEN_UP_TO);
    else
      for (const [key, item] of Object.entries(value))
        add(item, key, `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, depth + 1);
    rows.push({
      pointer: `${pointer}/`,
      depth,
      name: null,
      value: null,
      expanded: null,
      size: 0,
      closes: Array.isArray(value) ? ']' : '}',
    });
  };
  add(root, null, '', 0);
  return rows;
}
