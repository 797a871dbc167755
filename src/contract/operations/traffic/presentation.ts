import { facts, number, type Presentation } from '../presentation.ts';
import type { TrafficEstimate } from './operation.ts';

export const presentation: Presentation<TrafficEstimate> = {
  name: 'Traffic',
  icon: 'pulse',
  guidance: {
    title: 'Website traffic',
    use: 'Use to size or compare sites: monthly visits, engagement, countries, sources. Not for single pages. These are estimates: say so.',
    fresh: 'Renewed daily (model) or monthly (panel).',
    limits: 'method `model` knows visits by rank alone. Unranked: NOT_FOUND. null: unknown to the method, not zero.',
  },
  lines: ({ visits, visitsLow, visitsHigh, globalRank }) => [
    facts(number(visits, 'visits a month')),
    `between ${visitsLow?.toLocaleString('en') ?? '-'} and ${visitsHigh?.toLocaleString('en') ?? '-'}`,
    ...(globalRank === null ? [] : [`global rank ${globalRank.toLocaleString('en')}`]),
  ],
};
