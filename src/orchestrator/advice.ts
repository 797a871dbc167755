import type { Tag } from '../sources/outcome.ts';

/** Whether asking again may help, and when: the end of every 502's message. */
const ADVICE: Readonly<Record<Exclude<Tag, 'found' | 'absent' | 'limited'>, string>> = {
  blocked: 'Asking again soon will not help; another source, if the operator configures one, may.',
  unreachable: 'Asking again in a minute may help.',
  timeout: 'Asking again may help.',
  changed: 'Asking again will not help before the service is updated.',
  refused: 'Asking again will not help before the operator has looked at the log.',
};

/** What clients read of a failed source: what it said, which source it was in neutral words, and whether asking again may help. */
export function adviceOn(failed: { tag: string; what: string; source: string; final?: true }, waitSeconds: number | null): string {
  const source = failed.source === '' ? '' : ` (Source: ${failed.source}.)`;
  const advice =
    waitSeconds !== null
      ? `Ask again in ${waitSeconds} s.`
      : failed.final
        ? 'Asking again will not help.'
        : (ADVICE[failed.tag as keyof typeof ADVICE] ?? '');
  return `${failed.what}${source} ${advice}`.trimEnd();
}
