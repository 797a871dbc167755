import { changed, type NotFound, unreachable } from '../outcome.ts';
import { reasonsIn } from '../tables.ts';

/** The code for a removed video and for one not shown to this client address; oEmbed decides which. */
export const AMBIGUOUS = 10204;
export const AMBIGUOUS_WORDS =
  'The platform says that the video does not exist or may not be shown to this service; which of the two it does not say.';
export const REMOVED = 'The video was removed or never existed.';
export const GATED = 'The video is only shown to signed-in users.';

const outcomeOfWords = reasonsIn(new URL('./status-codes.tsv', import.meta.url));
export function outcomeOfCode(code: number, message: string): NotFound {
  const detail = `status code ${code} ${message.slice(0, 120)}`.trim();
  const known = outcomeOfWords('code', [String(code)], detail);
  if (known) return known;
  return code >= 100_000
    ? unreachable('The platform failed on its side.', detail)
    : changed('The platform gave a status that is not known.', detail);
}
