export interface ReadField {
  /** Dotted path with list positions: `reviews.0.author`. */
  readonly path: string;
  readonly value: string | null;
  /** Line of the page on which the value stands, where it stands in it exactly once; else null. */
  readonly line: number | null;
}
export interface TextPart {
  readonly text: string;
  readonly path: string | null;
}

/** Shorter values stand in a page by chance. */
const MIN_LENGTH = 3;
const MAX_FIELDS = 300;

function placeOf(body: string, value: string | null): number | null {
  if (value === null || value.length < MIN_LENGTH) return null;
  const first = body.indexOf(value);
  return first === -1 || body.indexOf(value, first + 1) !== -1 ? null : first;
}

/** The leaves of an answer, with the line of each value that stands in the page exactly once. */
export function fieldsOf(resource: unknown, body: string, path = ''): readonly ReadField[] {
  if (typeof resource === 'object' && resource !== null) {
    const leaves = Object.entries(resource).flatMap(([name, value]) => fieldsOf(value, body, path === '' ? name : `${path}.${name}`));
    return leaves.slice(0, MAX_FIELDS);
  }
  if (path === '') return [];
  const value = resource === null || resource === undefined ? null : String(resource);
  const place = placeOf(body, value);
  return [{ path, value, line: place === null ? null : body.slice(0, place).split('\n').length }];
}

export function textParts(body: string, fields: readonly ReadField[]): readonly TextPart[] {
  const places = fields.flatMap(({ path, value, line }) => {
    const start = line === null ? null : placeOf(body, value);
    return start === null || value === null ? [] : [{ path, start, value }];
  });
  const parts: TextPart[] = [];
  let end = 0;
  for (const { path, start, value } of places.sort((a, b) => a.start - b.start)) {
    if (start < end) continue;
    parts.push({ text: body.slice(end, start), path: null }, { text: value, path });
    end = start + value.length;
  }
  return [...parts, { text: body.slice(end), path: null }];
}
