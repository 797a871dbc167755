import type { TrafficEstimate } from '../../../contract/operations/traffic/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { countryOf } from '../../country-codes.ts';
import { found, type Outcome } from '../../outcome.ts';
import { unreadByTable } from '../../tables.ts';
import { at, isObject, type JsonObject, objectsOf, ratioIn, trimmedIn } from '../../untyped-json.ts';
import { notKnown } from '../provider-answer.ts';
import { alone, countriesOf, METRIC_KEYS, monthOf, PROVIDER, positive, readPanel, sharesOf, whole, withMonths } from './panel.ts';

type Part = (body: JsonObject, panel: TrafficEstimate) => TrafficEstimate | null;
/** The endpoints of the official API other than its series, by the key that carries their values (developers.similarweb.com). */
const PARTS: Readonly<Record<string, Part>> = {
  global_rank: ({ global_rank }, p) => rankOf(global_rank, (rank) => ({ ...p, globalRank: rank })),
  country_rank({ country_rank, country }, p) {
    const code = countryOf(isObject(country_rank) && 'country' in country_rank ? country_rank.country : country);
    return rankOf(country_rank, (rank) => ({ ...p, countryRank: rank !== null && code ? { country: code, rank } : null }));
  },
  category_rank: ({ category_rank, category }, p) =>
    rankOf(category_rank, (rank) => ({
      ...p,
      categoryRank: rank !== null && typeof category === 'string' && category ? { category, rank } : null,
    })),
  records: ({ records }, p) => (Array.isArray(records) ? { ...p, topCountries: countriesOf(records) } : null),
};

/** The rank in `{rank: n}`, or the newest known of a series. */
function rankOf(value: unknown, set: (rank: number | null) => TrafficEstimate): TrafficEstimate | null {
  if (isObject(value)) return 'rank' in value ? set(whole(value.rank)) : null;
  if (!Array.isArray(value)) return null;
  const dated = objectsOf(value).filter((e) => typeof e.date === 'string');
  const ranks = dated
    .sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1))
    .map((e) => whole(e.rank ?? e.global_rank ?? e.country_rank ?? e.category_rank));
  return set(ranks.findLast((rank) => rank !== null) ?? null);
}

/** The newest month, of those in the rows, of which `read` gives something. */
function newestOf<T>(
  rows: readonly JsonObject[],
  monthIn: (row: JsonObject) => string,
  read: (ofMonth: readonly JsonObject[]) => T | null,
) {
  const byMonth = [...Map.groupBy(rows, monthIn)].sort(([a], [b]) => (a < b ? 1 : -1));
  for (const [, ofMonth] of byMonth) {
    const value = read(ofMonth);
    if (value !== null) return value;
  }
  return null;
}

/** `{"<domain>": [{source_type, visits: [{date, organic, paid}]}]}`: shares of the newest month that has any. */
function sourcesOf(visits: JsonObject): TrafficEstimate['trafficSources'] | undefined {
  const lists = Object.values(visits).filter(Array.isArray);
  if (lists.length === 0) return undefined;
  const channels = lists.find((list) => list.length > 0);
  const rows = objectsOf(channels).flatMap(({ source_type, visits: months }) => objectsOf(months).map((row) => ({ ...row, source_type })));
  const dateOf = ({ date }: JsonObject) => (typeof date === 'string' ? date : '');
  const amount = (row: JsonObject) => (positive(row.organic) ?? 0) + (positive(row.paid) ?? 0);
  return newestOf(rows, dateOf, (ofMonth) => sharesOf(ofMonth.map((row) => [row.source_type, amount(row)])));
}

const PLACES = new URL('./places.tsv', import.meta.url);
const unreadInPart = unreadByTable(PLACES, 'earlier');

export const readSimilarweb = (answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> =>
  alone(
    readPanel(
      answer,
      { domain },
      (status) => status === 'error',
      (body, empty) => {
        const isOfKnownForm = (key: string) => notKnown(PROVIDER, `${key} is not of the known form`);
        const sources = isObject(body.visits) ? sourcesOf(body.visits) : null;
        if (sources === undefined) return isOfKnownForm('visits');
        let panel: TrafficEstimate = { ...empty, trafficSources: sources };
        // the body with the forms apart that one key may have
        const { visits, ...others } = body;
        const forms: JsonObject = isObject(visits) ? others : body;
        const series = METRIC_KEYS.filter((key) => Object.hasOwn(forms, key));
        const parts = Object.keys(PARTS).filter((key) => Object.hasOwn(body, key));
        if (series.length + parts.length === 0 && !isObject(visits))
          return notKnown(PROVIDER, `keys ${Object.keys(body).slice(0, 10).join(', ') || 'none'}`);
        for (const key of series) {
          const rows = forms[key];
          if (!Array.isArray(rows) || (rows.length > 0 && !objectsOf(rows).some((row) => monthOf(row.date) && key in row)))
            return isOfKnownForm(key);
        }
        const rows = series.flatMap((key) =>
          objectsOf(forms[key]).flatMap((row) => (key in row ? [{ date: row.date, [key]: row[key] }] : [])),
        );
        const [withRows, unread] = withMonths(panel, rows) ?? [panel, []];
        panel = withRows;
        for (const key of parts) {
          const filled = PARTS[key]?.(body, panel);
          if (!filled) return isOfKnownForm(key);
          panel = filled;
        }
        const rank = isObject(body.global_rank) ? body.global_rank : undefined;
        return found(panel, undefined, [...unread, ...unreadInPart(panel, { ...body, visits: undefined, rank })]);
      },
    ),
  );

/** A share of 0 or null means unknown; a missing one has another name. */
const statesShare = (row: JsonObject): boolean => row.share !== 0 && row.share !== null;
const nameIn = (row: JsonObject): unknown => row.channel ?? row.source_type;

type Filled = readonly [panel: TrafficEstimate, unread: readonly string[]];
/** The panel with the values of an endpoint's rows, and the fields that stay empty although the rows state something of them. */
function withRows(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled | null {
  if (rows.some((row) => 'country' in row)) return withCountries(panel, rows);
  if (rows.some((row) => nameIn(row) !== undefined)) return withChannels(panel, rows);
  return withMonths(panel, rows);
}

function withChannels(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled {
  const trafficSources = newestOf(
    rows,
    ({ date }) => monthOf(date) ?? '',
    (ofMonth) => {
      const shares = ofMonth.map((row): [unknown, number] => [nameIn(row), row.share === null ? 0 : (ratioIn(row.share) ?? Number.NaN)]);
      const stated = shares.reduce((sum, [, share]) => sum + share, 0);
      // a percentage or a missing share makes the sum wrong; channels without a field in the contract keep their part of the whole
      return stated <= 1.01 ? sharesOf(shares, Math.max(1, stated)) : null;
    },
  );
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
