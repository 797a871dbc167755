import { evidenceIn } from '../evidence.ts';
import { type NotFound, unexplained, unreachable } from '../outcome.ts';
import { reasonsIn } from '../tables.ts';

/** The code for a removed video and for one not shown to this client: `statusMsg` may name which, else oEmbed decides. */
const AMBIGUOUS = 10204;
export const AMBIGUOUS_WORDS =
  'The platform says that the video does not exist or may not be shown to this service, and not which of the two.';
export const REMOVED = 'The video was removed, is not public, or never existed.';
export const GATED = 'The video is only shown to signed-in users.';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));
const outcomeOfWords = reasonsIn(new URL('./status-codes.tsv', import.meta.url), evidence);

/** `ambiguous`: "removed, or not shown to this client", which only another source can decide. */
export type Stated = NotFound | { readonly tag: 'ambiguous'; readonly detail: string };
/** The outcome of a status code other than 0. The reason beside a code is more precise than the code. */
export function outcomeOfCode(code: number, message: string): Stated {
  const detail = `status code ${code} ${message.slice(0, 120)}`.trim();
  const known = outcomeOfWords('message', [message], detail) ?? outcomeOfWords('code', [String(code)], detail);
  if (known) return known;
  if (code === AMBIGUOUS && outcomeOfWords('plain', [message], detail)) return { tag: 'ambiguous', detail };
  if (code >= 100_000) return unreachable('The platform failed on its side.', detail);
  return { ...unexplained('The platform does not show the video, for a reason that is not known.', detail), counts: false };
}
