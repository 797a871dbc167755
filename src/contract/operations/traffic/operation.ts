import type { Static } from 'typebox';
import { DOMAIN_DESCRIPTION, domainType } from '../../parameters/domain-name.ts';
import { inPath } from '../../parameters/parameter.ts';
import { amount, count, instant, list, matching, nullable, oneOf, orNull, record, text } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation } from '../define.ts';

const month = (description: string) => matching('^\\d{4}-\\d\\d$', description);
const share = (description: string) => nullable(amount(description, { minimum: 0, maximum: 1 }));

export const TrafficEstimate = record({
  domain: text('Registrable domain, A-label form.'),
  period: nullable(month('Month of the estimate.')),
  visits: orNull.count('Visits in the month.'),
  visitsLow: orNull.count('Lower end of the 80 % interval; null for a panel.'),
  visitsHigh: orNull.count('Upper end of the 80 % interval; null for a panel.'),
  uniqueVisitors: orNull.count('Unique visitors in the month.'),
  pagesPerVisit: orNull.amount('Pages per visit.'),
  avgVisitDurationSeconds: orNull.amount('Mean length of a visit in seconds.'),
  bounceRate: share('Share of visits of one page.'),
  history: list(record({ month: month('Month.'), visits: orNull.count('Visits.') }), 'Visits by month, oldest first.'),
  trafficSources: nullable(
    record(
      {
        direct: share('Typed or bookmarked.'),
        search: share('Search engines.'),
        social: share('Social networks.'),
        referral: share('Links on other sites.'),
        mail: share('E-mail.'),
        paid: share('Display ads and paid referrals.'),
      },
      'Shares of visits by source.',
    ),
  ),
  topCountries: list(record({ country: text('ISO 3166-1 alpha-2.'), share: share('Share of visits.') }), 'Countries by share.'),
  globalRank: orNull.count('Global rank; for a model the rank it was made from.'),
  countryRank: nullable(record({ country: text('ISO 3166-1 alpha-2.'), rank: count('Rank.') }, 'Rank in the main country.')),
  categoryRank: nullable(record({ category: text('Category.'), rank: count('Rank.') }, 'Rank in the category.')),
  method: oneOf(['panel', 'model'], 'Measured by a panel, or modelled from a rank.'),
  rankSource: nullable(oneOf(['tranco', 'crux', 'panel'], 'Whose rank it is.')),
  confidence: nullable(oneOf(['high', 'medium', 'low'], 'How far to trust it.')),
  scrapedAt: instant('When the source was asked.'),
});
export type TrafficEstimate = Static<typeof TrafficEstimate>;

/** Rank lists are published daily, panel data monthly: fresh until the next UTC midnight, or the next month. */
function untilNextList({ method }: TrafficEstimate, nowMs: number): number {
  const now = new Date(nowMs);
  const next =
    method === 'panel'
      ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return next - nowMs;
}

export const traffic = defineOperation({
  id: 'traffic',
  method: 'domain',
  area: AREAS.traffic,
  path: '/v1/traffic/domains/{domain}',
  summary: 'Visit and engagement estimates of a domain',
  parameters: [inPath('domain', domainType({ privateRegistries: false }), DOMAIN_DESCRIPTION, 'acme-widgets.com')],
  resource: { TrafficEstimate },
  rows: { entries: 'history' },
  watch: {
    lists: { history: { key: ['month'] }, topCountries: { key: ['country'] } },
    fields: ['period', 'method', 'visits'],
    never: ['scrapedAt'],
    series: ['visits', 'uniqueVisitors', 'pagesPerVisit', 'avgVisitDurationSeconds', 'bounceRate', 'globalRank'],
  },
  freshForMs: untilNextList,
});
