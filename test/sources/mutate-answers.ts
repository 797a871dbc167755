import type { Recorded } from './recorded-answers.ts';

/** A changed copy of a recorded answer. */
export interface Mutation {
  readonly what: string;
  /** Makes it: a page may have 60, of which a test draws one. */
  readonly body: () => Buffer;
}

/** Evenly spaced elements of a list, at most `most`; `tenths` of the space between two are left out before the first. */
export const sample = <T>(list: readonly T[], most: number, tenths = 0): T[] =>
  list.length <= most ? [...list] : Array.from({ length: most }, (_, i) => list[Math.floor(((i + tenths / 10) * list.length) / most)] as T);

const CLASS = /(<[a-zA-Z][^<>]*?\sclass=)("[^"]*"|'[^']*')/g;

/** One class name is renamed on the whole page. */
function renamedClasses(html: string, most: number): Mutation[] {
  const names = new Set([...html.matchAll(CLASS)].flatMap((match) => (match[2] ?? '').slice(1, -1).split(/\s+/).filter(Boolean)));
  return sample([...names], most).map((name) => ({
    what: `class ${name} renamed`,
    body: () =>
      Buffer.from(
        html.replace(CLASS, (_, before: string, value: string) => {
          const quote = value.charAt(0);
          const renamed = value
            .slice(1, -1)
            .split(/\s+/)
            .map((one) => (one === name ? `x${Buffer.from(one).toString('hex')}` : one));
          return `${before}${quote}${renamed.join(' ')}${quote}`;
        }),
      ),
  }));
}

/** The text of one element without child elements is removed: of the elements with the same text, each, as small screens repeat them. */
function emptiedElements(html: string, most: number): Mutation[] {
  const visible = html.replace(/<(script|style|noscript|template)\b[\s\S]*?<\/\1\s*>/gi, '');
  const texts = new Map<string, string>();
  for (const [, tag = '', text = ''] of visible.matchAll(
    /<(h[1-6]|p|dt|dd|li|span|div|a|cite|b|strong)\b[^<>]*>([^<>]*\S[^<>]*)<\/\1\s*>/g,
  ))
    texts.set(`${tag} ${text}`, text);
  return sample([...texts], most).map(([key, text]) => {
    const tag = key.slice(0, key.indexOf(' '));
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(`(<${tag}\\b[^<>]*>)${escaped}(</${tag}\\s*>)`, 'g');
    return { what: `<${tag}> ${text.trim().slice(0, 40)} emptied`, body: () => Buffer.from(html.replace(pattern, '$1$2')) };
  });
}

/** A value of another type in the same place. */
const otherType = (value: unknown): unknown => {
  if (Array.isArray(value)) return { list: value };
  if (typeof value === 'object' && value !== null) return [value];
  return { value };
};

/** Paths of all values, without list indexes. */
function pathsIn(json: unknown, path = '', into = new Set<string>()): Set<string> {
  if (Array.isArray(json)) for (const entry of json) pathsIn(entry, `${path}[]`, into);
  else if (typeof json === 'object' && json !== null)
    for (const [key, value] of Object.entries(json)) {
      if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
      into.add(`${path}.${key}`);
      pathsIn(value, `${path}.${key}`, into);
    }
  return into;
}
function withOtherType(json: unknown, target: string, path = ''): unknown {
  if (Array.isArray(json)) return json.map((entry) => withOtherType(entry, target, `${path}[]`));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const here = `${path}.${key}`;
      if (here === target && value !== null) return [key, otherType(value)];
      return [key, target.startsWith(here) ? withOtherType(value, target, here) : value];
    }),
  );
}
function changedTypes(json: unknown, wrap: (json: unknown) => string, most: number): Mutation[] {
  return sample([...pathsIn(json)], most).map((path) => ({
    what: `type of ${path} changed`,
    body: () => Buffer.from(wrap(withOtherType(json, path))),
  }));
}

const SCRIPT =
  /(<script[^>]*\bid="?(?:__UNIVERSAL_DATA_FOR_REHYDRATION__|__NEXT_DATA__|SIGI_STATE|__FRONTITY_CONNECT_STATE__)"?[^>]*>)([\s\S]*?)(<\/script>)/;

/** The values of one label of a WHOIS answer become text of an unknown form. */
function changedValues(text: string, most: number): Mutation[] {
  const labels = new Set([...text.matchAll(/^[ \t]*([A-Za-z][A-Za-z /()-]{1,40}):[ \t]*\S/gm)].map((match) => match[1] ?? ''));
  return sample([...labels], most).map((label) => ({
    what: `values of ${label} changed`,
    body: () =>
      Buffer.from(
        text.replace(
          new RegExp(`^([ \\t]*${label.replace(/[()/]/g, '\\$&')}:[ \\t]*)(\\S.*)$`, 'gm'),
          // a list stays one: any text is a status
          (_, before: string, value: string, at: number) =>
            before +
            value
              .split(',')
              .map((_part, i) => `{"value":${at + i}}`)
              .join(', '),
        ),
        'latin1',
      ),
  }));
}

/** Changes of a page or a document that a platform may make: a class renamed, a text removed, a value of another type. */
export function mutationsOf({ reader, body }: Pick<Recorded, 'reader' | 'body'>, most = 60): Mutation[] {
  if (reader === 'registration/whois') return changedValues(body.toString('latin1'), most);
  const text = body.toString('utf8');
  const script = SCRIPT.exec(text);
  if (script) {
    const [whole, before = '', inner = '', after = ''] = script;
    const wrap = (json: unknown) => text.replace(whole, () => `${before}${JSON.stringify(json).replace(/</g, '\\u003c')}${after}`);
    return changedTypes(JSON.parse(inner), wrap, most);
  }
  if (/^\s*[{[]/.test(text.slice(0, 100))) return changedTypes(JSON.parse(text), JSON.stringify, most);
  return [...renamedClasses(text, most), ...emptiedElements(text, most)];
}

/** How often each field of a resource has a value, by its path without list indexes; lists count their entries. */
export function valuesIn(resource: unknown, path = '', into = new Map<string, number>()): Map<string, number> {
  const count = (at: string, n: number) => into.set(at, (into.get(at) ?? 0) + n);
  if (Array.isArray(resource)) {
    if (resource.length > 0) count(path, resource.length);
    for (const entry of resource) if (typeof entry === 'object') valuesIn(entry, path, into);
  } else if (typeof resource === 'object' && resource !== null)
    for (const [key, value] of Object.entries(resource)) valuesIn(value, path === '' ? key : `${path}.${key}`, into);
  else if (resource !== null && resource !== undefined) count(path, 1);
  return into;
}
/** Whether a field, or one around or within it, is among those that an answer names as unread. */
export const isNamed = (path: string, unread: readonly string[]): boolean =>
  unread.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
