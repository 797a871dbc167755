import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import { readTable } from '../../../runtime/table.ts';
import { type Answer, boundedJson } from '../../../upstream/answer.ts';
import { evidenceIn } from '../../evidence.ts';
import { failsForNow } from '../../failure-words.ts';
import { pageText } from '../../html/markup.ts';
import {
  absent,
  blocked,
  changed,
  failureOfStatus,
  limited,
  type NotFound,
  refused,
  refusedInput,
  retryAfterMs,
  unexplained,
  unreachable,
} from '../../outcome.ts';

export type Reading = { readonly tag: 'json'; readonly json: unknown } | NotFound;

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));
const [NOT_FOUND, IS_CLOSED, WITHHELD] = [evidence('not found'), evidence('closed'), evidence('withheld by law')];
const UNKNOWN_COMMUNITY = evidence('redirect to the search of communities');

const LIMITED = 'The platform limits the number of requests.';
const FOREIGN = 'The answer does not come from the platform, so it does not state whether the resource exists.';

/** Of the platform's sites and of its links. */
export const OWN_HOST = /(^|\.)(reddit\.com|redd\.it)$/;
/** The platform's own block pages, under any status (network policy, script challenge, age check). */
const BLOCK_PAGE =
  /blocked (due to a|by) network (policy|security)|please wait for verification|prove your humanity|verify (that )?you('re|’re| are) (a )?human|<title>\s*(blocked|just a moment|attention required|access denied|(reddit\.com: )?over 18\?)/i;
const CLOSED = new Map(readTable(new URL('./closed.tsv', import.meta.url)).map(([reason = '', words = '']) => [reason, words]));

/** The JSON, or the outcome of an answer without data. `thing` names the requested resource, as the subject of the message. */
export function readAnswer(answer: Answer, thing: string): Reading {
  const text = pageText(answer);
  const start = /\S/.exec(text)?.[0] ?? '';
  const { status } = answer;
  if (start === '<' && BLOCK_PAGE.test(text))
    return blocked('The platform answered with a block page instead of data.', `${status}, block page`);
  return status >= 200 && status < 300 ? readOk(answer, text, start, thing) : readFailure(answer, jsonObject(text, start), thing);
}

function readOk(answer: Answer, text: string, start: string, thing: string): Reading {
  const empty = 'The platform sent an empty answer, which is how it limits requests.';
  if (start === '') return limited(empty, retryAfterMs(answer.headers, answer.atMs));
  if (start === '<') {
    const shell = /^\s*(<!doctype html|<html|<body|<head)/i.test(text);
    return shell ? blocked('The platform answered with an HTML page instead of data.') : changed('The answer is markup instead of data.');
  }
  const json = boundedJson(text);
  if (json === undefined) return changed('The answer is not the requested data.');
  if (!isObject(json) || json.kind !== undefined || json.error === undefined) return { tag: 'json', json };
  const status = Number(json.error);
  if (status >= 300 && status < 600) return readFailure({ ...answer, status }, json, thing);
  return refused('The platform did not accept the request.', `error ${String(json.error).slice(0, 80)}`);
}

function readFailure(answer: Answer, json: JsonObject | null, thing: string): NotFound {
  const { status, headers, atMs } = answer;
  const wait = retryAfterMs(headers, atMs);
  const reason = typeof json?.reason === 'string' ? json.reason.toLowerCase() : null;
  if (typeof json?.message === 'string' && BLOCK_PAGE.test(json.message))
    return blocked('The platform blocks this service.', `${status}, in the message`);
  if (status < 400) return readRedirect(answer, thing);
  // `{"message": "Not Found", "error": 404}`: the platform repeats the status in its error object; anybody may send a 404, 403 or 451
  const isOwn = json !== null && Number(json.error) === status;
  if (isOwn && typeof json.message === 'string' && failsForNow(json.message, 'message'))
    return unreachable('The platform failed on its side.', `${status}, ${json.message.slice(0, 80)}`);
  const closed = isOwn && (status === 403 || status === 404) ? CLOSED.get(reason ?? '') : undefined;
  if (closed) return absent(IS_CLOSED, `${thing} ${closed}.`);
  // error pages of caches carry `retry-after: 0`, which is not a rate limit
  if (status === 403 && wait) return limited(LIMITED, wait, '403 with retry-after');
  if (status === 403)
    return blocked('The platform refused the request.', `403${reason ? `, reason ${reason.slice(0, 40)}` : ' without a reason'}`);
  if (isOwn && status === 451) return absent(WITHHELD, `${thing} is withheld by law.`);
  if (isOwn && (status === 404 || status === 410)) {
    if (reason === null) return absent(NOT_FOUND, `${thing} does not exist.`);
    return unexplained(`${thing} is not shown, for a reason that is not known.`, `${status}, reason ${reason.slice(0, 40)}`);
  }
  return failureOfStatus(answer, { gone: FOREIGN, credentials: [401], waitMs: wait ?? windowMs(answer) });
}

function readRedirect(answer: Answer, thing: string): NotFound {
  const to = answer.headers.location ?? '';
  const { hostname = '', pathname: path = '' } = URL.parse(to, answer.url || undefined) ?? {};
  if (/^\/subreddits\/search/.test(path) && OWN_HOST.test(hostname)) return absent(UNKNOWN_COMMUNITY, `${thing} does not exist.`);
  if (/^\/(over18|login|account\/login|verification)/.test(path))
    return blocked('The platform shows this to signed-in users only.', to.slice(0, 200));
  if (/^\/submit/.test(path)) return refusedInput('The platform treats this query as a URL: search for words.');
  return changed('The platform redirects to an unknown page.', `${answer.status} to ${to.slice(0, 200)}`);
}

function windowMs(answer: Answer): number | null {
  const left = Number(answer.headers['x-ratelimit-remaining'] ?? Number.NaN);
  const reset = Number(answer.headers['x-ratelimit-reset'] ?? Number.NaN);
  return left < 1 && reset >= 0 ? reset * 1000 : null;
}

function jsonObject(text: string, start: string): JsonObject | null {
  if (start !== '{') return null;
  const json = boundedJson(text);
  return isObject(json) ? json : null; // another kind of error page: the status decides
}
