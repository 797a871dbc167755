import type { ShortVideo } from '../../../contract/operations/shortvideo.ts';
import { videoIdOf } from '../../../contract/parameters/video-url.ts';
import { type Answer, textOf } from '../../../upstream/answer.ts';
import { blocked, changed, finallyBlocked, found, limited, type Outcome, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { parseJson } from '../../untyped-json.ts';
import { DATA_SCRIPTS, type DataScript, dataScripts, jsonOfScript } from '../data-scripts.ts';
import { anywhere, type Detail, inDocument, PLACES } from '../locations.ts';
import { AMBIGUOUS, AMBIGUOUS_WORDS, GATED, outcomeOfCode } from '../status-codes.ts';

/** The outcome of a page; `ambiguous` means "removed, or blocked for this client", which only another source can decide. */
export type Verdict = Outcome<ShortVideo> | { tag: 'ambiguous'; detail: string };

const CHALLENGE =
  /_wafchallengeid|waforiginalreid|\/waf-aiso\/|"bid"\s*:\s*"slardar_\w*waf|secsdk-captcha|captcha_container|\/verify\/(?:captcha|page)/;
/** An application shell of the platform without data. */
const SHELL = /<div[^<>]+id=["']?(?:app|main|root)\b|<script\b/i;

/** A challenge, a sign-in page or an empty shell: neither data nor `absent`, whatever the HTTP status. */
function blockPageOf(answer: Answer, html: string, hasData: boolean): Outcome<never> | null {
  if (answer.headers['x-vc-bdturing-parameters'] !== undefined) return blocked('The platform asked for a captcha.', 'verify header');
  if (/^\/login\b/.test(URL.canParse(answer.url) ? new URL(answer.url).pathname : ''))
    return blocked('The platform asked for a sign-in.', 'led to /login');
  if (hasData) return null;
  if (CHALLENGE.test(html)) return blocked('The platform put a challenge in front of the video.', 'challenge page');
  const isOwn = answer.status < 400 || answer.status === 429;
  if (isOwn && SHELL.test(html))
    return blocked('The platform gave an empty page instead of the video.', `shell without data, status ${answer.status}`);
  return null;
}

function outcomeOfStatus(answer: Answer): Verdict | null {
  const { status } = answer;
  const detail = `HTTP ${status}`;
  if (status === 200) return null;
  if (status === 429) return limited('The platform limits the number of requests.', retryAfterMs(answer.headers, answer.at), detail);
  if (status === 404 || status === 410 || status === 451)
    return changed('The answer does not come from the platform, so it does not say whether the video is there.', detail);
  if (status === 401 || status === 403) return blocked('The platform refused the request.', detail);
  if (status >= 500) return unreachable('The platform failed on its side.', detail);
  if (status >= 400) return refused('The platform did not accept the request.', detail);
  return changed('The platform answered in a way that is not known.', detail);
}

function details(scripts: ReadonlyMap<DataScript, string>, id: string, fast: boolean): Detail[] {
  const roots: unknown[] = [];
  const seen: Detail[] = [];
  for (const name of DATA_SCRIPTS) {
    const text = scripts.get(name);
    if (text === undefined) continue;
    const root = jsonOfScript(text, fast);
    roots.push(root);
    for (const detail of PLACES[name](root)) seen.push(detail);
    if (seen.some((d) => d.found?.id === id)) return seen;
  }
  const failed = seen.some((d) => d.code !== null && d.code !== 0);
  return failed ? seen : [...seen, ...roots.flatMap((root) => anywhere(root, id))];
}

/** The outcome by priority: the requested video, its status code, else not found in the document. */
function judge(seen: readonly Detail[], id: string, hasData: boolean): Verdict {
  const own = seen.find((d) => d.found?.id === id);
  const failed = (own ? [own] : seen).find((d) => d.code !== null && d.code !== 0);
  if (failed?.code === AMBIGUOUS) return { tag: 'ambiguous', detail: `status code ${AMBIGUOUS} ${failed.message.slice(0, 120)}`.trim() };
  if (failed && failed.code !== null) return outcomeOfCode(failed.code, failed.message);
  if (own?.found?.gated) return finallyBlocked(GATED, 'classified content without its video');
  if (own?.found?.video) return found(own.found.video, undefined, own.found.unread);
  if (own) return changed('The page shows the video without its facts.', 'item without author or counts');
  const other = seen.find((d) => d.found)?.found?.id;
  if (other) return changed('The page shows another video.', `asked ${id}, given ${other}`);
  return hasData
    ? changed('The page carries no video in any form that is known.', 'data scripts without the item')
    : changed('The answer is not a page of the platform.', 'no data script');
}

/** The outcome of a video page (or of its bare JSON) for the requested video. */
export function judgeVideoPage(answer: Answer, input: { readonly id: string | null }): Verdict {
  const text = textOf(answer);
  const isJson = /^\s*[{[]/.test(text.slice(0, 200));
  const scripts = isJson ? new Map<DataScript, string>() : dataScripts(text);
  const hasData = isJson || scripts.size > 0;
  const isMissing = answer.status === 404 || answer.status === 410;
  const failure = blockPageOf(answer, text, hasData) ?? (isMissing && hasData ? null : outcomeOfStatus(answer));
  if (failure) return failure;
  const id = input.id ?? videoIdOf(answer.url);
  if (id === null) return refused('The address names no video.');
  if (text.trim() === '') return blocked('The platform gave an empty page instead of the video.', 'empty body');
  if (isJson) {
    const root = parseJson(text);
    return judge(inDocument(root), id, root !== undefined);
  }
  const seen = details(scripts, id, true);
  // ids are strings on every known page; if the requested id occurs as a number, large numbers must keep all digits
  const asNumber = !seen.some((d) => d.found?.id === id) && [...scripts.values()].some((s) => s.includes(`:${id}`));
  return judge(asNumber ? details(scripts, id, false) : seen, id, hasData);
}

/**
 * Parses a public video page of any year since 2020, desktop, mobile, picture post or embed, or its JSON as returned by data providers.
 * The item's id must be the requested one. Facts: recordings/social/NOTES.md 1.2 to 1.5.
 */
export const readVideoPage: Reader<'short-video'> = (answer, input) => {
  const verdict = judgeVideoPage(answer, { id: videoIdOf(input.url) });
  return verdict.tag === 'ambiguous' ? blocked(AMBIGUOUS_WORDS, verdict.detail) : verdict;
};
