import { absent, blocked, changed, finallyBlocked, type NotFound, refused, unreachable } from '../outcome.ts';

/** The code for a removed video and for one not shown to this client address; oEmbed decides which. */
export const AMBIGUOUS = 10204;
export const AMBIGUOUS_WORDS =
  'The platform says that the video does not exist or may not be shown to this service; which of the two it does not say.';
export const REMOVED = 'The video was removed or never existed.';
export const GATED = 'The video is only shown to signed-in users.';

type Verdict = (detail: string) => NotFound;
const gone =
  (what: string): Verdict =>
  (detail) =>
    absent(what, detail);
/** The failure concerns this video only, not the source. */
const closed =
  (what: string): Verdict =>
  (detail) =>
    finallyBlocked(what, detail);

/** Meaning of the status codes of video pages (recordings/social/NOTES.md 1.3). */
const CODES: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [10201, (detail) => refused('The platform did not accept the id of the video.', detail)],
  [10202, gone('The author of the video does not exist.')],
  [10221, gone('The author of the video does not exist.')],
  [10216, gone('The video is private.')],
  [10217, gone('The video was deleted.')],
  [10222, gone("The author's account is private.")],
  [10219, closed('The video is not shown in the region of this service.')],
  [10231, closed('The video is not shown in the region of this service.')],
  [10000, (detail) => blocked('The platform asked for a captcha.', detail)],
  [10102, (detail) => blocked('The platform asked for a sign-in.', detail)],
]);

export function outcomeOfCode(code: number, message: string): NotFound {
  const detail = `status code ${code} ${message.slice(0, 120)}`.trim();
  const verdict = CODES.get(code);
  if (verdict) return verdict(detail);
  return code >= 100_000
    ? unreachable('The platform failed on its side.', detail)
    : changed('The platform gave a status that is not known.', detail);
}
