import { retryAfter } from '../contract/errors.ts';
import type { Tag } from '../sources/outcome.ts';

type Failure = Exclude<Tag, 'found' | 'absent' | 'limited'>;

/** Whether a retry may help, and when: the end of the message of every 502. */
const ADVICE: Readonly<Record<Failure, string>> = {
  blocked: 'Asking again soon will not help; another source, if the operator configures one, may.',
  unreachable: 'Asking again in a minute may help.',
  timeout: 'Asking again may help.',
  changed: 'Asking again will not help before the service is updated.',
  refused: 'Asking again will not help before the operator has looked at the log.',
};

interface Failed {
  readonly what: string;
  /** Id of the source, a neutral word; empty if no source was called. */
  readonly source: string;
}
const withSource = ({ what, source }: Failed): string => (source === '' ? what : `${what} (Source: ${source}.)`);

/** Message for clients about a failed source: the cause, the source, and whether a retry may help. */
export function adviceOn(failed: Failed & { readonly tag: Failure; readonly final?: true }): string {
  return `${withSource(failed)} ${failed.final ? 'Asking again will not help.' : ADVICE[failed.tag]}`;
}

/** The same for a source that limits requests: a retry helps after `waitMs`. */
export const adviceAfter = (failed: Failed, waitMs: number): string => `${withSource(failed)} Ask again in ${retryAfter(waitMs)} s.`;
