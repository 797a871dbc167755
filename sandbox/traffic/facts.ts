import { COMPETITORS, type Competitor, DAY_MS, SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';

/** A competitor's data in the simulated rank lists and the simulated panel. */
export interface TrafficFacts {
  readonly domain: string;
  /** Newest first, in the order of the response. */
  readonly ranks: readonly { readonly date: string; readonly rank: number }[];
  /** Null: the panel has no data. */
  readonly panel: null | {
    readonly months: readonly { readonly month: string; readonly visits: number }[];
    readonly pagesPerVisit: number;
    readonly seconds: number;
    readonly bounceRate: number;
    readonly globalRank: number;
    readonly sources: {
      readonly Direct: number;
      readonly Search: [organic: number, paid: number];
      readonly Social: number;
      readonly Referrals: number;
      readonly Mail: number;
      readonly 'Display Ads': number;
    };
    readonly countries: readonly (readonly [numeric: number, name: string, share: number])[];
  };
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const PANEL_MONTHS = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'] as const;

/** From day to day a site rises by 2 % of its rank, and its last month is revised by as much; on day 30 it begins again. */
function factsOf({ domain, rank: first }: Competitor, day: number): TrafficFacts {
  const growth = 1.02 ** (day % 30);
  const rank = first === null ? null : Math.max(1, Math.round(first / growth));
  const r = random(`traffic ${domain}`);
  const ranks =
    rank === null
      ? []
      : Array.from({ length: 30 }, (_, i) => ({
          date: isoDay(SANDBOX_NOW + (day - i) * DAY_MS),
          rank: Math.max(1, Math.round(rank * (1 + (i ? (r.next() - 0.5) * 0.1 : 0)))),
        }));
  if (rank === null) return { domain, ranks, panel: null };
  const base = Math.round(9e10 / (first ?? rank));
  return {
    domain,
    ranks,
    panel: {
      months: PANEL_MONTHS.map((month, i) => {
        const visits = base * (0.8 + r.next() * 0.4) * (i === PANEL_MONTHS.length - 1 ? growth : 1);
        return { month, visits: Math.round(visits) };
      }),
      pagesPerVisit: 1.5 + r.next() * 6,
      seconds: 40 + r.next() * 500,
      bounceRate: 0.25 + r.next() * 0.4,
      globalRank: rank + r.int(0, 20),
      sources: {
        Direct: r.int(100, 900) * 1000,
        Search: [r.int(100, 900) * 1000, r.int(0, 90) * 1000],
        Social: r.int(1, 90) * 1000,
        Referrals: r.int(10, 200) * 1000,
        Mail: r.int(1, 50) * 1000,
        'Display Ads': r.int(1, 60) * 1000,
      },
      countries: [
        [840, 'United States', 0.41],
        [826, 'United Kingdom', 0.12],
        [276, 'Germany', 0.08],
      ],
    },
  };
}
export const TRAFFIC: readonly TrafficFacts[] = COMPETITORS.map((competitor) => factsOf(competitor, 0));
export function trafficOf(domain: string, day = 0): TrafficFacts | undefined {
  const competitor = COMPETITORS.find((c) => c.domain === domain);
  return competitor && factsOf(competitor, day);
}
