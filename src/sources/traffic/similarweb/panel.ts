import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import { absent, changed, found, type Outcome } from '../../outcome.ts';
import { isObject } from '../../untyped-json.ts';
import { countryOf } from './country-codes.ts';

export const PROVIDER = 'The traffic panel (Similarweb)';

/** Values of the panel from one answer or several. */
export type Panel = Omit<TrafficEstimate, 'domain' | 'scrapedAt' | 'method' | 'visitsLow' | 'visitsHigh' | 'confidence' | 'rankSource'>;
export const EMPTY_PANEL: Panel = {
  period: null,
  visits: null,
  uniqueVisitors: null,
  pagesPerVisit: null,
  avgVisitDurationSeconds: null,
  bounceRate: null,
  history: [],
  trafficSources: null,
  topCountries: [],
  globalRank: null,
  countryRank: null,
  categoryRank: null,
};

/**
 * A panel as a resource; `absent` without any value, because the panel prints zeros for domains that it does not know. Unread values are no
 * zeros: then it is `changed`.
 */
export function panelResource(panel: Panel, domain: string, at: number, unread: readonly string[] = []): Outcome<TrafficEstimate> {
  const {
    period,
    visits,
    trafficSources,
    topCountries,
    globalRank,
    pagesPerVisit,
    avgVisitDurationSeconds,
    bounceRate,
    categoryRank,
    countryRank,
    uniqueVisitors,
  } = panel;
  const facts = [
    visits,
    globalRank,
    pagesPerVisit,
    avgVisitDurationSeconds,
    bounceRate,
    trafficSources,
    categoryRank,
    countryRank,
    uniqueVisitors,
  ];
  if (facts.every((f) => f === null) && !topCountries.length) {
    if (unread.length > 0) return changed(`${PROVIDER} answered in a shape that is not known.`, `unread: ${unread.join(', ')}`);
    return absent(`The panel has no data of ${domain}.`);
  }
  const estimate: TrafficEstimate = {
    domain,
    period,
    visits,
    visitsLow: null,
    visitsHigh: null,
    uniqueVisitors,
    pagesPerVisit,
    avgVisitDurationSeconds,
    bounceRate,
    history: panel.history,
    trafficSources,
    topCountries,
    globalRank,
    countryRank,
    categoryRank,
    method: 'panel',
    rankSource: globalRank === null ? null : 'panel',
    confidence: 'high',
    scrapedAt: new Date(at).toISOString(),
  };
  return found(estimate, undefined, unread);
}

/** A positive number, also as text (`"9.75E7"`); the panel's 0 means unknown. */
export function positive(value: unknown): number | null {
  const n = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(n) && n > 0 ? n : null;
}
export const whole = (value: unknown): number | null => {
  const n = positive(value);
  return n === null ? null : Math.round(n) || null;
};
export const fraction = (value: unknown): number | null => {
  const n = typeof value === 'number' ? value : Number.NaN;
  return n >= 0 && n <= 1 ? n : null;
};
/** The month of `2026-05`, `2026-05-01` or a timestamp. */
export const monthOf = (date: unknown): string | null =>
  typeof date === 'string' ? (/^\d{4}-(0[1-9]|1[0-2])(?=(?:-\d\d(?:T.*)?)?$)/.exec(date)?.[0] ?? null) : null;

/** The countries with a share, the largest first. */
export function countriesOf(records: readonly unknown[]): Panel['topCountries'] {
  const shares = records.flatMap((r) => {
    const country = isObject(r) ? countryOf(r.country) : null;
    const share = isObject(r) ? fraction(r.share) : null;
    return country && share ? [{ country, share }] : [];
  });
  return shares.sort((a, b) => b.share - a.share);
}

export type Channel = keyof NonNullable<Panel['trafficSources']>;
/** The panel's names of the channels, without case, `_` and `-` → the contract's. Paid search counts as search; display ads as paid. */
const CHANNELS: ReadonlyMap<string, Channel> = new Map(
  Object.entries<Channel>({
    direct: 'direct',
    search: 'search',
    'organic search': 'search',
    'paid search': 'search',
    social: 'social',
    'organic social': 'social',
    'paid social': 'social',
    referrals: 'referral',
    mail: 'mail',
    email: 'mail',
    'display ads': 'paid',
    'paid referrals': 'paid',
  }),
);
export const channelOf = (name: unknown): Channel | null =>
  typeof name === 'string' ? (CHANNELS.get(name.toLowerCase().replaceAll(/[_-]/g, ' ')) ?? null) : null;

/** Amounts of the channels as shares of `total`, by default of their sum; null where they sum to 0. */
export function sharesOf(sums: ReadonlyMap<Channel, number>, total = sumOf(sums)): Panel['trafficSources'] {
  if (sumOf(sums) <= 0) return null;
  const share = (name: Channel) => (sums.has(name) ? Number(((sums.get(name) ?? 0) / total).toFixed(6)) : null);
  return {
    direct: share('direct'),
    search: share('search'),
    social: share('social'),
    referral: share('referral'),
    mail: share('mail'),
    paid: share('paid'),
  };
}
const sumOf = (sums: ReadonlyMap<Channel, number>): number => [...sums.values()].reduce((a, b) => a + b, 0);
