/** The reference tokens of a JSON pointer (RFC 6901), or null if the text is not one. "" is the whole document. */
export function readPointer(text: string): readonly string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The value at the pointer; undefined if there is none. */
export function follow(document: unknown, steps: readonly string[]): unknown {
  let here = document;
  for (const step of steps) {
    if (Array.isArray(here)) here = /^(?:0|[1-9]\d{0,8})$/.test(step) ? here[Number(step)] : undefined;
    else if (typeof here === 'object' && here !== null && Object.hasOwn(here, step)) here = (here as Record<string, unknown>)[step];
    else return undefined;
  }
  return here;
}
