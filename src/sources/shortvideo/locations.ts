import { at, type JsonObject, listOf, numberIn, objectOf, objectsOf } from '../untyped-json.ts';
import type { DataScript } from './data-scripts.ts';
import { type Found, readAweme, readItem, readVideoData } from './item.ts';

/** One location of a document that describes the video: its status code, and its data if present. */
export interface Detail {
  /** 0: no error; other codes: status-codes.ts. Null if the format contains none. */
  readonly code: number | null;
  readonly message: string;
  readonly found: Found | null;
}

const DETAIL_SCOPE = /video[-.]detail$/;

/** `{statusCode, statusMsg | statusMessage, itemInfo: {itemStruct}}`, the platform's own envelope. */
function envelope(value: unknown): Detail[] {
  const fields = objectOf(value);
  if (!fields) return [];
  const item = objectOf(at(fields, 'itemInfo', 'itemStruct')) ?? objectOf(fields.itemStruct);
  const code = numberIn(fields.statusCode);
  const message = fields.statusMsg ?? fields.statusMessage;
  return item || code !== null ? [{ code, message: typeof message === 'string' ? message : '', found: item ? readItem(item) : null }] : [];
}
const stated = (found: Found | null): Detail[] => (found ? [{ code: null, message: '', found }] : []);

/** Since 2024: an object of scopes. The scope's name differs between desktop, mobile and reflow pages; its envelope does not. */
const inScopes = (root: unknown): Detail[] =>
  Object.entries(objectOf(at(root, '__DEFAULT_SCOPE__')) ?? {}).flatMap(([name, scope]) => {
    const direct = DETAIL_SCOPE.test(name) || objectOf(at(scope, 'itemInfo')) || objectOf(at(scope, 'itemStruct'));
    return [...(direct ? envelope(scope) : []), ...envelope(at(scope, 'videoDetail'))];
  });

const inItemModule = (root: unknown): Detail[] => [
  ...Object.values(objectOf(at(root, 'ItemModule')) ?? {}).flatMap((item) => stated(readItem(objectOf(item) ?? {}))),
  ...envelope(at(root, 'VideoPage')),
];
const inEmbedState = (root: unknown): Detail[] =>
  Object.values(objectOf(at(root, 'source', 'data')) ?? {}).flatMap((page) => stated(readVideoData(objectOf(at(page, 'videoData')) ?? {})));
function inPageProps(root: unknown): Detail[] {
  const props = at(root, 'props', 'pageProps');
  return [...stated(readVideoData(objectOf(at(props, 'videoData')) ?? {})), ...envelope(props)];
}
const inApiData = (root: unknown): Detail[] => envelope(at(root, 'videoDetail'));

export const PLACES: { readonly [Script in DataScript]: (root: unknown) => Detail[] } = {
  __UNIVERSAL_DATA_FOR_REHYDRATION__: inScopes,
  'api-data': inApiData,
  __FRONTITY_CONNECT_STATE__: inEmbedState,
  SIGI_STATE: inItemModule,
  'sigi-persisted-data': (root) => inItemModule(at(root, 'SIGI_STATE') ?? root),
  __NEXT_DATA__: inPageProps,
};

/** A JSON document: any of the above without its page, or the JSON of a data provider. */
export const inDocument = (root: unknown): Detail[] => [
  ...inScopes(root),
  ...inApiData(root),
  ...inItemModule(root),
  ...inEmbedState(root),
  ...inPageProps(root),
  ...envelope(root),
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
