import type { Sightline } from '../../client/index.ts';
import { type OperationId, operationOf } from '../../contract/operations/index.ts';
import type { SettingName, Settings } from '../../settings.ts';
import type { Plan } from './plan.ts';
import { durationText, grouped, plural } from './progress.ts';

/** What a run may cost. */
export interface Quote {
  /** Credits of the price in the contract's unit by operation, as the operator set it; without a server all are free. */
  readonly units: ReadonlyMap<OperationId, number>;
  /** Credits that may be spent now, held ones excluded; null without a server. */
  readonly available: number | null;
  /** Limits that lookups may meet, by the number of lookups of each operation. */
  limitsFor(lookups: ReadonlyMap<OperationId, number>): string[];
}

/** Asks the service for the prices and for the account. */
export async function quoteOf(client: Sightline, plan: Plan): Promise<Quote> {
  const { credits, key, limits } = await client.account.get();
  const units = new Map<OperationId, number>();
  for (let index = 0; index < plan.size; index++) {
    const { operation, input } = plan.read(index);
    if (!units.has(operation.id)) units.set(operation.id, (await client.account.price(operation.id, input)).price / plan.unitsOf(index));
    if (plan.isUniform) break;
  }
  return {
    units,
    available: credits.balance - credits.held,
    limitsFor(lookups) {
      const all = [...lookups.values()].reduce((sum, count) => sum + count, 0);
      const seconds = (all - limits.burst) / limits.ratePerSecond;
      const closed = [...lookups.keys()].filter((id) => key.operations && !key.operations.includes(id));
      return [
        ...closed.map((id) => `this key may not use ${id}`),
        ...(key.expiresAt ? [`this key ends at ${key.expiresAt}`] : []),
        ...(seconds > 60
          ? [`the account may ask ${grouped(limits.ratePerSecond)} a second, so that it takes ${durationText(seconds * 1000)}`]
          : []),
      ];
    },
  };
}

/** Daily caps of the sources that cost money, and the setting without which a source is off. */
const DAILY_CAPS: Partial<Record<OperationId, readonly (readonly [needs: SettingName, cap: SettingName, requests: number])[]>> = {
  serp: [
    ['DATAFORSEO_LOGIN', 'SIGHTLINE_DATAFORSEO_DAILY_REQUESTS', 1],
    ['SERPAPI_KEY', 'SIGHTLINE_SERPAPI_DAILY_REQUESTS', 1],
  ],
  traffic: [['SIMILARWEB_API_KEY', 'SIGHTLINE_SIMILARWEB_DAILY_REQUESTS', 7]],
  'microblog-post': [['X_BEARER_TOKEN', 'SIGHTLINE_X_DAILY_READS', 1]],
};

/** Without a service nothing is charged; the caps are those of this machine's settings. */
export const localQuote = (settings: Settings): Quote => ({
  units: new Map(),
  available: null,
  limitsFor: (lookups) =>
    [...lookups].flatMap(([id, count]) =>
      (DAILY_CAPS[id] ?? []).flatMap(([needs, cap, requests]) => {
        const most = Math.floor(Number(settings[cap]) / requests);
        return settings[needs] !== null && count > most ? [`${cap} allows ${plural(most, 'lookup')} of ${operationOf(id)?.id} a day`] : [];
      }),
    ),
});

export interface Offer {
  readonly lookups: number;
  readonly duplicates: number;
  /** Lines that an earlier run answered. */
  readonly answered: number;
  readonly credits: number;
  readonly available: number | null;
  /** Limits that the run would meet. */
  readonly limits: readonly string[];
}

/** The price in words, before anything is asked. */
export function offerText({ lookups, duplicates, answered, credits, available, limits }: Offer): string {
  const parts = [plural(lookups, 'lookup')];
  if (available !== null) {
    parts.push(`at most ${plural(credits, 'credit')}`, `you have ${grouped(available)}`);
  }
  const notes = [
    duplicates > 0 && `${duplicates === 1 ? '1 is a duplicate and costs' : `${grouped(duplicates)} are duplicates and cost`} once`,
    answered > 0 && `${plural(answered, 'line is', 'lines are')} answered already`,
    available !== null && credits > available && 'the run stops when your credits are spent',
    ...limits,
  ].filter((note) => note !== false);
  return `${[parts.join(', '), ...notes].join('; ')}.`;
}
