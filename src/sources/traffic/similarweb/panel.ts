import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import { absent, changed, found, type Outcome } from '../../outcome.ts';

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
    if (unread.length > 0)
      return changed('The traffic panel (Similarweb) answered in a shape that is not known.', `unread: ${unread.join(', ')}`);
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
