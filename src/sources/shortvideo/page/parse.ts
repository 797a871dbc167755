import type { JsonObject } from '../../../contract/json-object.ts';
import type { ShortVideo } from '../../../contract/operations/short-video/operation.ts';
import { videoIdOf } from '../../../contract/parameters/video-url.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { unlessCutPage } from '../../cut-answers.ts';
import { attributeIn, endOfTag, pageText } from '../../html/markup.ts';
import {
  blocked,
  changed,
  failureOfStatus,
  finallyBlocked,
  foreign,
  found,
  type NotFound,
  type Outcome,
  refusedInput,
} from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { listOf, numberIn, objectOf, objectsOf, parseJson, valueAt } from '../../untyped-json.ts';
import { type FoundItem, readAweme, readItem, readVideoData } from '../item.ts';
import { outcomeOfRegionPage } from '../links.ts';
import { AMBIGUOUS_WORDS, GATED, outcomeOfCode, type Stated } from '../status-codes.ts';

export type Verdict = Outcome<ShortVideo> | Stated;

const CHALLENGE =
  /_wafchallengeid|waforiginalreid|\/waf-aiso\/|"bid"\s*:\s*"slardar_\w*waf|secsdk-captcha|captcha_container|\/verify\/(?:captcha|page)/;
const SHELL = /<div[^<>]+id=["']?(?:app|main|root)\b|<script\b/i;

/** A challenge, a sign-in page, the page for regions that are not served, or an empty shell: neither data nor `absent`, whatever the HTTP status. */
function blockPageOf(answer: Answer, html: string, hasData: boolean): NotFound | null {
  if (answer.headers['x-vc-bdturing-parameters'] !== undefined) return blocked('The platform asked for a captcha.', 'verify header');
  const address = URL.parse(answer.url);
  if (/^\/login\b/.test(address?.pathname ?? '')) return blocked('The platform asked for a sign-in.', 'led to /login');
  const region = address && outcomeOfRegionPage(address, `led to ${address.pathname.slice(0, 80)}`);
  if (region) return region;
  if (hasData) return null;
  if (CHALLENGE.test(html)) return blocked('The platform put a challenge in front of the video.', 'challenge page');
  const isOwn = answer.status < 400 || answer.status === 429;
  if (isOwn && SHELL.test(html))
    return blocked('The platform gave an empty page instead of the video.', `shell without data, status ${answer.status}`);
  return null;
}

function outcomeOfStatus(answer: Answer): NotFound | null {
  if (answer.status === 200) return null;
  if (answer.status < 400) return changed('The platform answered in a way that is not known.', `HTTP ${answer.status}`);
  return failureOfStatus(answer, { gone: 'The answer does not come from the platform, so it does not say whether the video is there.' });
}

function details(scripts: ReadonlyMap<string, string>, id: string): Detail[] {
  const roots: unknown[] = [];
  const seen: Detail[] = [];
  for (const [name, detailsIn] of DATA_SCRIPTS) {
    const text = scripts.get(name);
    if (text === undefined) continue;
    const root = jsonOfScript(text);
    roots.push(root);
    for (const detail of detailsIn(root)) seen.push(detail);
    if (seen.some((d) => d.found?.id === id)) return seen;
  }
  const failed = seen.some((d) => d.code !== null && d.code !== 0);
  return failed ? seen : [...seen, ...roots.flatMap((root) => anywhere(root, id))];
}

function judge(seen: readonly Detail[], id: string, hasData: boolean): Verdict {
  const own = seen.find((d) => d.found?.id === id);
  const failed = (own ? [own] : seen).find((d) => d.code !== null && d.code !== 0);
  if (failed && failed.code !== null) return outcomeOfCode(failed.code, failed.message);
  if (own?.found?.gated) return finallyBlocked(GATED, 'classified content without its video');
  if (own?.found?.video) return found(own.found.video, undefined, own.found.unread);
  if (own) return changed('The page shows the video without its facts.', 'item without author or counts');
  const other = seen.find((d) => d.found)?.found?.id;
  if (other) return changed('The page shows another video.', `asked ${id}, given ${other}`);
  return hasData
    ? changed('The page carries no video in any form that is known.', 'data scripts without the item')
    : foreign('The answer is not a page of the platform.', 'no data script');
}

export function judgeVideoPage(answer: Answer, input: { readonly id: string | null }): Verdict {
  const text = pageText(answer);
  const isJson = /^\s*[{[]/.test(text.slice(0, 200));
  const scripts = isJson ? new Map<string, string>() : dataScripts(text);
  const hasData = isJson || scripts.size > 0;
  const isMissing = answer.status === 404 || answer.status === 410;
  const failure = blockPageOf(answer, text, hasData) ?? (isMissing && hasData ? null : outcomeOfStatus(answer));
  if (failure) return failure;
  const id = input.id ?? videoIdOf(answer.url);
  if (id === null) return refusedInput('The address names no video.');
  if (text.trim() === '') return blocked('The platform gave an empty page instead of the video.', 'empty body');
  if (isJson) {
    const root = parseJson(text);
    return judge(inDocument(root), id, root !== undefined);
  }
  return unlessCutPage(judge(details(scripts, id), id, hasData), answer);
}

/** Parses a video page of any year since 2020, or its JSON from a data provider. Facts: recordings/social/NOTES.md 1.2 to 1.5. */
export const readVideoPage: Reader<'short-video'> = (answer, input) => {
  const verdict = judgeVideoPage(answer, { id: videoIdOf(input.url) });
  return verdict.tag === 'ambiguous' ? blocked(AMBIGUOUS_WORDS, verdict.detail) : verdict;
};

/** One location of a document that describes the video: its status code, and its data if present. */
export interface Detail {
  /** 0: no error; other codes: status-codes.ts. Null if the format contains none. */
  readonly code: number | null;
  readonly message: string;
  readonly found: FoundItem | null;
}

/** `{statusCode, statusMsg | statusMessage, itemInfo: {itemStruct}}`, the platform's own envelope; `status_code`, `status_msg` in its app. */
function envelope(value: unknown): Detail[] {
  const fields = objectOf(value);
  const item = objectOf(valueAt(fields, 'itemInfo', 'itemStruct')) ?? objectOf(fields?.itemStruct);
  const code = numberIn(fields?.statusCode ?? fields?.status_code);
  const message = [fields?.statusMsg, fields?.statusMessage, fields?.status_msg]
    .filter((text) => typeof text === 'string')
    .join(' ')
    .trim();
  return item || code !== null ? [{ code, message, found: item ? readItem(item) : null }] : [];
}
const stated = (found: FoundItem | null): Detail[] => (found ? [{ code: null, message: '', found }] : []);
const valuesAt = (root: unknown, ...path: readonly string[]): unknown[] => Object.values(objectOf(valueAt(root, ...path)) ?? {});
const videoDataIn = (page: unknown): Detail[] => stated(readVideoData(objectOf(valueAt(page, 'videoData')) ?? {}));

/** Since 2024: an object of scopes. The scope's name differs between desktop, mobile and reflow pages; its envelope does not. */
const inScopes = (root: unknown): Detail[] =>
  Object.entries(objectOf(valueAt(root, '__DEFAULT_SCOPE__')) ?? {}).flatMap(([name, scope]) => {
    const direct = /video[-.]detail$/.test(name) || objectOf(valueAt(scope, 'itemInfo')) || objectOf(valueAt(scope, 'itemStruct'));
    return [...(direct ? envelope(scope) : []), ...envelope(valueAt(scope, 'videoDetail'))];
  });
const inItemModule = (root: unknown): Detail[] => [
  ...valuesAt(root, 'ItemModule').flatMap((item) => stated(readItem(objectOf(item) ?? {}))),
  ...envelope(valueAt(root, 'VideoPage')),
];
const inEmbedState = (root: unknown): Detail[] => valuesAt(root, 'source', 'data').flatMap(videoDataIn);
const inPageProps = (root: unknown): Detail[] => [videoDataIn, envelope].flatMap((place) => place(valueAt(root, 'props', 'pageProps')));
const inApiData = (root: unknown): Detail[] => envelope(valueAt(root, 'videoDetail'));

/** The scripts that contain the data of a page by their ids, newest first (recordings/social/NOTES.md 1.2, 1.5), and where it is in each. */
export const DATA_SCRIPTS: ReadonlyMap<string, (root: unknown) => Detail[]> = new Map([
  ['__UNIVERSAL_DATA_FOR_REHYDRATION__', inScopes],
  ['api-data', inApiData],
  ['__FRONTITY_CONNECT_STATE__', inEmbedState],
  ['SIGI_STATE', inItemModule],
  ['sigi-persisted-data', (root) => inItemModule(valueAt(root, 'SIGI_STATE') ?? root)],
  ['__NEXT_DATA__', inPageProps],
]);

/** A JSON document: any of the above without its page, or the JSON of a data provider. */
export const inDocument = (root: unknown): Detail[] => [
  ...[inScopes, inApiData, inItemModule, inEmbedState, inPageProps, envelope].flatMap((place) => place(root)),
  ...[root, valueAt(root, 'aweme_detail'), ...listOf(valueAt(root, 'aweme_details'))].flatMap((one) => {
    const fields = objectOf(one) ?? {};
    return [...stated(readAweme(fields)), ...stated(objectOf(fields.stats) ? readItem(fields) : null), ...stated(readVideoData(fields))];
  }),
];

const MAX_DEPTH = 9;
/** The video at an unknown path, in case the platform moves it: an item with the requested id that has an author and counts. */
export function anywhere(root: unknown, id: string): Detail[] {
  const search = (value: unknown, depth: number): FoundItem | null => {
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
  const [opening, closing] = [/<script(?=[\s/>])/gi, /<\/script/gi];
  const codeAt = (place: number): number => html.charCodeAt(place);
  for (let open = opening.exec(html); open; open = opening.exec(html)) {
    const begin = endOfTag(codeAt, opening.lastIndex);
    if (begin === 0) break;
    closing.lastIndex = begin;
    const end = closing.exec(html)?.index;
    const id = attributeIn(html.slice(opening.lastIndex, begin), 'id') ?? '';
    // a page truncated within its data has no end tag, and its data is not valid JSON
    if (DATA_SCRIPTS.has(id) && !scripts.has(id)) scripts.set(id, html.slice(begin, end));
    if (end === undefined) break;
    opening.lastIndex = end;
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
