import { absent, blocked, changed, finallyBlocked, type NotFound, refused, unreachable } from '../outcome.ts';
import { readTable } from '../tables.ts';

/** The code for a removed video and for one not shown to this client address; oEmbed decides which. */
export const AMBIGUOUS = 10204;
export const AMBIGUOUS_WORDS =
  'The platform says that the video does not exist or may not be shown to this service; which of the two it does not say.';
export const REMOVED = 'The video was removed or never existed.';
export const GATED = 'The video is only shown to signed-in users.';

const OUTCOMES = { absent, refused, blocked, closed: finallyBlocked };
const CODES = new Map(
  readTable(new URL('./status-codes.tsv', import.meta.url)).map(([code, outcome = '', words = '']) => [Number(code), { outcome, words }]),
);

export function outcomeOfCode(code: number, message: string): NotFound {
  const detail = `status code ${code} ${message.slice(0, 120)}`.trim();
  const known = CODES.get(code);
  if (known) return OUTCOMES[known.outcome as keyof typeof OUTCOMES](known.words, detail);
  return code >= 100_000
    ? unreachable('The platform failed on its side.', detail)
    : changed('The platform gave a status that is not known.', detail);
}
