import type { OpenAccounts } from '../accounts/accounts.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import type { SourceCheck } from '../contract/admin/schemas.ts';
import { missing } from '../contract/errors.ts';
import { didYouMean } from '../contract/parameters/misspelt.ts';
import { createRequestIds } from '../gateway/http/request-context.ts';
import type { Settings } from '../settings.ts';
import type { Canary } from '../watches/canary-file.ts';
import { checkSource, knownFacts, notAsked, planChecks } from '../watches/source-checks.ts';
import type { Lookups } from './service.ts';

/** The admin action `checkSources` on the sources of this process. `facts`: default: the table of the repository. */
export function createSourceChecks(
  settings: Settings,
  audit: OpenAccounts['audit'],
  { sources, engine, clock }: Pick<Lookups, 'sources' | 'engine' | 'clock'>,
  facts?: readonly Canary[],
): AdminActions['checkSources'] {
  const newId = createRequestIds(Math.random, clock.now);
  const parts = { settings, engine, clock, newRequestId: () => `doctor-${newId()}` };
  return async ({ source, paid = false, plan = false } = {}) => {
    const planned = planChecks(sources, settings, facts ?? knownFacts()).filter((one) => source === undefined || one.source.id === source);
    if (planned.length === 0 && source !== undefined)
      throw missing(
        `There is no configured source ${source.slice(0, 100)}${didYouMean(
          source,
          sources.map(({ id }) => id),
        )}: sightline sources (GET /sources) lists all.`,
      );
    if (!plan) await audit('source.check', source ?? 'all', { paid });
    const rows: SourceCheck[] = [];
    // one after the other: a check is no load
    for (const one of planned)
      if (plan) rows.push(notAsked(one, one.fact ? 'not asked yet' : 'no fact is known that it could answer'));
      else if (one.isPaid && !paid) rows.push(notAsked(one, 'it costs: allow paid sources'));
      else rows.push(await checkSource(parts, one));
    return rows;
  };
}
