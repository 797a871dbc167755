import type { ValueOf } from './admin/define.ts';
import { amount, count, day, list, oneOf, record, text } from './schema.ts';

/** `no_data`: there was no check, which says neither up nor down. */
export const DAY_STATES = ['up', 'partly', 'down', 'no_data'] as const;
const COUNTS = {
  checks: count('Checks that asked it.'),
  failed: count('Of these, those without the right answer.'),
};
/** `GET /status`: the sources by the checks of the canaries. */
export const SourceStatus = record({
  from: day('First day, UTC.'),
  to: day('Last day: today.'),
  sources: list(
    record({
      source: text('Its neutral name.'),
      state: oneOf(DAY_STATES, 'Of the last day with a check.'),
      upShare: amount('Share of the checks that it answered as it must.', { minimum: 0, maximum: 1 }),
      days: list(
        record({
          day: day('The day, UTC.'),
          state: oneOf(DAY_STATES, '`up`: every check was answered as it must be; `partly`: some were; `down`: none was.'),
          ...COUNTS,
        }),
        'Each day from the first to the last.',
      ),
    }),
    'Sources that a check has asked in these days, by name.',
  ),
});
export type SourceStatus = ValueOf<typeof SourceStatus>;
