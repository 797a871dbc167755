import { at, type JsonObject, listOf, numberIn, objectOf, objectsOf, parseJson } from '../untyped-json.ts';
import { type Found, readAweme, readItem, readVideoData } from './item.ts';

/** One location of a document that describes the video: its status code, and its data if present. */
export interface Detail {
  /** 0: no error; other codes: status-codes.ts. Null if the format contains none. */
  readonly code: number | null;
  readonly message: string;
  readonly found: Found | null;
}

/** `{statusCode, statusMsg | statusMessage, itemInfo: {itemStruct}}`, the platform's own envelope. */
function envelope(value: unknown): Detail[] {
  const fields = objectOf(value);
  const item = objectOf(at(fields, 'itemInfo', 'itemStruct')) ?? objectOf(fields?.itemStruct);
  const code = numberIn(fields?.statusCode);
  const message = fields?.statusMsg ?? fields?.statusMessage;
  return item || code !== null ? [{ code, message: typeof message === 'string' ? message : '', found: item ? readItem(item) : null }] : [];
}
const stated = (found: Found | null): Detail[] => (found ? [{ code: null, message: '', found }] : []);
const valuesAt = (root: unknown, ...path: readonly string[]): unknown[] => Object.values(objectOf(at(root, ...path)) ?? {});
const videoDataIn = (page: unknown): Detail[] => stated(readVideoData(objectOf(at(page, 'videoData')) ?? {}));

/** Since 2024: an object of scopes. The scope's name differs between desktop, mobile and reflow pages; its envelope does not. */
const inScopes = (root: unknown): Detail[] =>
  Object.entries(objectOf(at(root, '__DEFAULT_SCOPE__')) ?? {}).flatMap(([name, scope]) => {
    const direct = /video[-.]detail$/.test(name) || objectOf(at(scope, 'itemInfo')) || objectOf(at(scope, 'itemStruct'));
    return [...(direct ? envelope(scope) : []), ...envelope(at(scope, 'videoDetail'))];
  });
const inItemModule = (root: unknown): Detail[] => [
  ...valuesAt(root, 'ItemModule').flatMap((item) => stated(readItem(objectOf(item) ?? {}))),
  ...envelope(at(root, 'VideoPage')),
];
const inEmbedState = (root: unknown): Detail[] => valuesAt(root, 'source', 'data').flatMap(videoDataIn);
const inPageProps = (root: unknown): Detail[] => {
  const props = at(root, 'props', 'pageProps');
  return [...videoDataIn(props), ...envelope(props)];
};
const inApiData = (root: unknown): Detail[] => envelope(at(root, 'videoDetail'));

/** The scripts that contain the data of a page by their ids, newest first (recordings/social/NOTES.md 1.2, 1.5), and where it is in each. */
export const DATA_SCRIPTS: ReadonlyMap<string, (root: unknown) => Detail[]> = new Map([
  ['__UNIVERSAL_DATA_FOR_REHYDRATION__', inScopes],
  ['api-data', inApiData],
  ['__FRONTITY_CONNECT_STATE__', inEmbedState],
  ['SIGI_STATE', inItemModule],
  ['sigi-persisted-data', (root) => inItemModule(at(root, 'SIGI_STATE') ?? root)],
  ['__NEXT_DATA__', inPageProps],
]);

/** A JSON document: any of the above without its page, or the JSON of a data provider. */
export const inDocument = (root: unknown): Detail[] => [
  ...[inScopes, inApiData, inItemModule, inEmbedState, inPageProps, envelope].flatMap((place) => place(root)),
  ...[root, at(root, 'aweme_detail'), ...listOf(at(root, 'aweme_details'))].flatMap((one) => {
    const fields = objectOf(one) ?? {};
    return [...stated(readAweme(fields)), ...stated(objectOf(fields.stats) ? readItem(fields) : null), ...stated(readVideoData(fields))];
  }),
];

const MAX_DEPTH = 9;
/** The video at an unknown path, in case the platform moves it: an item with the requested id that has an author and counts. */
export function anywhere(root: unknown, id: string): Detail[] {
  const search = (value: unknown, depth: number): Found | null => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
    const fields = objectOf(value) as (JsonObject & { id?: unknown }) | null;
    if (fields?.id === id && fields.author && (fields.stats || fields.statsV2)) {
      const found = readItem(fields);
      if (found?.video) return found;
    }
    for (const inner of fields ? Object.values(fields) : objectsOf(value)) {
      const found = search(inner, depth + 1);
      if (found) return found;
    }
    return null;
  };
  return stated(search(root, 0));
}

/** The data scripts of a page as text, by id. Only their tags are searched for: a tree of a 400 kB page takes twenty times as long. */
export function dataScripts(html: string): ReadonlyMap<string, string> {
  const scripts = new Map<string, string>();
  for (let open = html.indexOf('<script'); open >= 0; ) {
    const begin = html.indexOf('>', open) + 1;
    if (begin === 0) break;
    const end = html.indexOf('</script', begin);
    const id = /\bid\s*=\s*["']?([\w-]+)/.exec(html.slice(open, begin))?.[1] ?? '';
    // a page truncated within its data has no end tag, and its data is not valid JSON
    if (DATA_SCRIPTS.has(id) && !scripts.has(id)) scripts.set(id, html.slice(begin, end < 0 ? undefined : end));
    if (end < 0) break;
    open = html.indexOf('<script', end);
  }
  return scripts;
}

/** The JSON of a data script, also from an assignment (`window['SIGI_STATE']={…};…`). */
export function jsonOfScript(text: string): unknown {
  const plain = text.trim();
  if (plain.startsWith('{')) return parseJson(plain);
  const begin = plain.indexOf('{', plain.indexOf('='));
  return begin < 0 ? undefined : parseJson(plain.slice(begin, endOfObject(plain, begin)));
}

/** The end of the object that begins here: braces are counted, except in strings. */
function endOfObject(text: string, begin: number): number {
  const token = /\\.|["{}]/gs;
  token.lastIndex = begin;
  let depth = 0;
  let quoted = false;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') quoted = !quoted;
    else if (!quoted && found[0] === '{') depth++;
    else if (!quoted && found[0] === '}' && --depth === 0) return token.lastIndex;
  }
  return text.length;
}
