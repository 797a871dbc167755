import { lazily, type Source } from '../source.ts';

/** A source of search results; `as`: its name in `SIGHTLINE_SERP_SOURCES`. No results are `found` with an empty list, never `absent`. */
export const serpSource = (
  as: string,
  source: Omit<Parameters<typeof lazily<'serp'>>[0], 'operations' | 'listed' | 'knowsAbsence'>,
): Source =>
  lazily<'serp'>({
    operations: ['serp'],
    listed: { setting: 'SIGHTLINE_SERP_SOURCES', as },
    knowsAbsence: false,
    partOf: (_, input) => input.engine,
    ...source,
  });
