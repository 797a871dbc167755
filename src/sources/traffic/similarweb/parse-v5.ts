import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { found, type Outcome } from '../../outcome.ts';
import { unreadByTable } from '../../tables.ts';
import { at, isObject, type JsonObject, objectsOf, ratioIn, trimmedIn } from '../../untyped-json.ts';
import { notKnown } from '../provider-answer.ts';
import { alone, countriesOf, monthOf, PROVIDER, readPanel, sharesOf, whole, withMonths } from './panel.ts';

const unreadEngagement = unreadByTable(new URL('./places.tsv', import.meta.url), 'engagement');
/** A share of 0 means unknown; a missing one has another name. */
const statesShare = (row: JsonObject): boolean => row.share !== 0;
const nameIn = (row: JsonObject): unknown => row.channel ?? row.source_type;

type Filled = readonly [panel: TrafficEstimate, unread: readonly string[]];
/** The panel with the values of an endpoint's rows, and the fields that stay empty although the rows state something of them. */
function withRows(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled | null {
  const [first = {}] = rows;
  if ('country' in first) return withCountries(panel, rows);
  if (nameIn(first) !== undefined) return withChannels(panel, rows);
  const filled = withMonths(panel, rows);
  return filled && [filled, unreadEngagement(filled, { data: rows })];
}

function withChannels(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled {
  const newest = rows.reduce((latest, { date }) => ((monthOf(date) ?? '') > latest ? (monthOf(date) ?? '') : latest), '');
  const shares = rows
    .filter(({ date }) => (monthOf(date) ?? '') === newest)
    .map((row): [unknown, number] => [nameIn(row), ratioIn(row.share) ?? Number.NaN]);
  const stated = shares.reduce((sum, [, share]) => sum + share, 0);
  // a percentage or a missing share makes the sum wrong; channels without a field in the contract keep their part of the whole
  const trafficSources = stated <= 1.01 ? sharesOf(shares, Math.max(1, stated)) : null;
  return [{ ...panel, trafficSources }, trafficSources === null && rows.some(statesShare) ? ['trafficSources'] : []];
}

/** Rows of `geography/aggregated`: a row a country, the largest first. */
function withCountries(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled {
  const shares = rows.map((row) => ratioIn(row.share));
  // ten rows in another order are not the ten largest countries
  const isInOrder = shares.every((share, i) => share !== null && share <= (shares[i - 1] ?? 1));
  const topCountries = isInOrder ? countriesOf(rows) : [];
  const [top] = topCountries;
  if (!top) return [panel, rows.some(statesShare) ? ['topCountries'] : []];
  const rank = whole(rows[0]?.rank ?? rows[0]?.country_rank);
  return [{ ...panel, topCountries, countryRank: rank === null ? null : { country: top.country, rank } }, []];
}

/** Parses one answer of the API's version 5 and adds its values to `panel`, those of the endpoints parsed before. */
export const readPanelPart = (answer: Answer, given: { domain: string; panel?: TrafficEstimate }): Outcome<TrafficEstimate> =>
  readPanel(
    answer,
    given,
    (status) => status !== 'success',
    ({ meta, data, ...others }, panel) => {
      const keysOf = (object: JsonObject = {}): string => `keys ${Object.keys(object).slice(0, 10).join(', ') || 'none'}`;
      if (!isObject(meta) || !Array.isArray(data)) return notKnown(PROVIDER, keysOf({ meta, data, ...others }));
      const granularity = trimmedIn(at(meta, 'request', 'granularity'))?.toLowerCase() ?? 'monthly';
      if (granularity !== 'monthly') return notKnown(PROVIDER, `granularity ${granularity.slice(0, 20)}`);
      if (data.length === 0) return found(panel);
      const rows = objectsOf(data);
      const filled = withRows(panel, rows);
      return filled ? found(filled[0], undefined, filled[1]) : notKnown(PROVIDER, `a row with the ${keysOf(rows[0])}`);
    },
  );

/** Parses one answer of the API's version 5 into a resource with the values of its one endpoint. Source: docs.similarweb.com/api-v5. */
export const readSimilarwebV5 = (answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> =>
  alone(readPanelPart(answer, { domain }));
