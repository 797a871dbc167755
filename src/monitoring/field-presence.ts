/** Which fields of a resource have a value, by their dotted paths without list indexes. */
export interface FieldPresence {
  readonly present: readonly string[];
  readonly missing: readonly string[];
}

/** Entries of a list that are looked at: a field that is broken on a page is broken in its first entries. */
const MAX_ENTRIES = 50;

/**
 * Whether each field of a resource has a value. A field of list entries has one if any entry has. Fields below a null or an empty list are
 * neither present nor missing. Of a free name only that fact counts: it has no registration data.
 */
export function presenceIn(resource: object): FieldPresence {
  if ('available' in resource && resource.available === true) return { present: ['available'], missing: [] };
  const fields = new Map<string, boolean>();
  visitFields(resource, '', fields);
  const present: string[] = [];
  const missing: string[] = [];
  for (const [path, isPresent] of fields) (isPresent ? present : missing).push(path);
  return { present, missing };
}

function visit(value: unknown, path: string, into: Map<string, boolean>): void {
  const isList = Array.isArray(value);
  const isThere = value !== null && (!isList || value.length > 0);
  into.set(path, isThere || into.get(path) === true);
  if (!isList) {
    visitFields(value, path, into);
    return;
  }
  const count = Math.min(value.length, MAX_ENTRIES);
  for (let i = 0; i < count; i++) visitFields(value[i], path, into);
}
function visitFields(value: unknown, path: string, into: Map<string, boolean>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, field] of Object.entries(value)) visit(field, path === '' ? key : `${path}.${key}`, into);
}
