import type { ShortVideo } from '../../contract/operations/shortvideo.ts';
import { videoIdOf } from '../../contract/parameters/video-url.ts';
import { type Answer, textOf } from '../../upstream/answer.ts';
import { blocked, changed, failureOfStatus, finallyBlocked, found, type NotFound, type Outcome, refused } from '../outcome.ts';
import type { Reader } from '../source.ts';
import { parseJson } from '../untyped-json.ts';
import { anywhere, DATA_SCRIPTS, type Detail, dataScripts, inDocument, jsonOfScript } from './data-scripts.ts';
import { AMBIGUOUS, AMBIGUOUS_WORDS, GATED, outcomeOfCode } from './status-codes.ts';

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
  const scripts = isJson ? new Map<string, string>() : dataScripts(text);
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
  return judge(details(scripts, id), id, hasData);
}

/**
 * Parses a public video page of any year since 2020, desktop, mobile, picture post or embed, or its JSON as returned by data providers.
 * The item's id must be the requested one. Facts: recordings/social/NOTES.md 1.2 to 1.5.
 */
export const readVideoPage: Reader<'short-video'> = (answer, input) => {
  const verdict = judgeVideoPage(answer, { id: videoIdOf(input.url) });
  return verdict.tag === 'ambiguous' ? blocked(AMBIGUOUS_WORDS, verdict.detail) : verdict;
};
