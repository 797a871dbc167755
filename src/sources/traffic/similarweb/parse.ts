import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import type { TrafficEstimate } from '../../../contract/operations/traffic/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { countryOf } from '../../country-codes.ts';
import { found, type Outcome } from '../../outcome.ts';
import { isShown } from '../../unread-fields.ts';
import { listOf, objectsOf } from '../../untyped-json.ts';
import { notKnown } from '../provider-answer.ts';
import {
  alone,
  channelOf,
  countryAlone,
  devicesAlone,
  domainIn,
  exceedsWhole,
  type Filled,
  isOtherUnit,
  isStated,
  isWorldwide,
  METRIC_KEYS,
  monthOf,
  otherDomain,
  PROVIDER,
  positive,
  readPanel,
  shareIn,
  sharesOf,
  statesShare,
  wholeOrNull,
  withCountries,
  withMonths,
} from './panel.ts';

type Part = (body: JsonObject, panel: TrafficEstimate) => Filled | null;
/** The endpoints of the official API other than its series, by the key that carries their values (developers.similarweb.com). */
const PARTS: Readonly<Record<string, Part>> = {
  global_rank: ({ global_rank }, p) => withRank(p, 'globalRank', global_rank, (rank) => rank),
  country_rank({ country_rank, country }, p) {
    const code = countryOf(isObject(country_rank) && 'country' in country_rank ? country_rank.country : country);
    return withRank(p, 'countryRank', country_rank, (rank) => (code ? { country: code, rank } : null));
  },
  category_rank: ({ category_rank, category }, p) =>
    withRank(p, 'categoryRank', category_rank, (rank) => (typeof category === 'string' && category ? { category, rank } : null)),
  records({ records }, p) {
    const rows = rowsOf(records);
    return rows && withCountries(p, rows, false);
  },
};
/** What a list filled, and of that what may lack one of its elements: one that is no row. */
function filledFrom(list: readonly unknown[], before: TrafficEstimate, filled: Filled): Filled {
  if (!hasOdd(list)) return filled;
  const [panel, unread] = filled;
  const { period, ...fields } = panel;
  const changed = Object.entries(fields).flatMap(([field, value]) => (value === before[field as keyof TrafficEstimate] ? [] : [field]));
  return [panel, [...unread, ...changed]];
}
const hasOdd = (list: readonly unknown[]): boolean => isShown(list.filter((row) => !isObject(row)));
/** The objects of a list; null for anything else, and for a list of other things. */
function rowsOf(value: unknown): readonly JsonObject[] | null {
  const rows = objectsOf(value);
  return Array.isArray(value) && (rows.length > 0 || value.length === 0) ? rows : null;
}

type RankField = 'globalRank' | 'countryRank' | 'categoryRank';
/** The rank in `{rank: n}`, or the newest known of a series; 0 and null mean unknown. `field` is unread where another value is stated. */
function withRank(panel: TrafficEstimate, field: RankField, value: unknown, read: (rank: number) => unknown): Filled | null {
  const entries = isObject(value) ? [value] : rowsOf(value);
  const stated = entries?.map(rankIn);
  if (!entries || !stated || (entries.length > 0 && stated.every((rank) => rank === undefined))) return null;
  const byMonth = stated.map((rank, i) => ({ rank, date: monthOf(entries[i]?.date) ?? '' })).sort((a, b) => (a.date < b.date ? -1 : 1));
  const rank = byMonth.map((entry) => wholeOrNull(entry.rank)).findLast((known) => known !== null) ?? null;
  const filled = rank === null ? null : read(rank);
  const isLost = rank === null ? stated.some(isStated) : filled === null;
  return [{ ...panel, [field]: filled }, isLost ? [field] : []];
}
const rankIn = (entry: JsonObject): unknown =>
  ['rank', 'global_rank', 'country_rank', 'category_rank'].map((key) => entry[key]).find((rank) => rank !== undefined);

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

const amountIn = (row: JsonObject): number => (positive(row.organic) ?? 0) + (positive(row.paid) ?? 0);
const isAmount = (value: unknown): boolean => !isStated(value) || positive(value) !== null;

/** `{"<domain>": [{source_type, visits: [{date, organic, paid}]}]}`: shares of the newest month that has any. */
function withSources(panel: TrafficEstimate, lists: readonly unknown[]): Filled | null {
  const channels = lists.flatMap(objectsOf);
  const rows = channels.flatMap(({ source_type, visits: months }) => objectsOf(months).map((row): JsonObject => ({ ...row, source_type })));
  const stated = rows.filter((row) => 'organic' in row || 'paid' in row);
  if (stated.length === 0 && lists.some((list) => !Array.isArray(list) || list.length > 0)) return null;
  const isKnownForm = (row: JsonObject): boolean => isAmount(row.organic) && isAmount(row.paid);
  const states = (row: JsonObject): boolean => amountIn(row) > 0 || !isKnownForm(row);
  const isDated = (row: JsonObject): boolean => monthOf(row.date) !== null;
  // shares are those of the sum: an amount that is not read makes all of its month wrong, and one whose month is not known all months
  const isOdd =
    hasOdd(lists.flat()) ||
    channels.some(({ visits }) => (Array.isArray(visits) ? hasOdd(visits) : isStated(visits))) ||
    (stated.some(isDated) && stated.some((row) => !isDated(row) && states(row)));
  const read = (ofMonth: readonly JsonObject[]) => {
    if (!ofMonth.every(isKnownForm)) return null;
    const amounts = ofMonth.map((row): [unknown, number] => [row.source_type, amountIn(row)]);
    return sharesOf(
      amounts,
      amounts.reduce((sum, [, amount]) => sum + amount, 0),
    );
  };
  const trafficSources = isOdd ? null : newestOf(stated, ({ date }) => monthOf(date) ?? '', read);
  const isLost = trafficSources === null && (isOdd || stated.some(states));
  return [{ ...panel, trafficSources }, isLost ? ['trafficSources'] : []];
}

export const readSimilarweb = (answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> =>
  alone(
    readPanel(
      answer,
      { domain },
      (status) => status === 'error',
      (body, empty) => {
        const isOfKnownForm = (key: string) => notKnown(PROVIDER, `${key} is not of the known form`);
        const byDomain = isObject(body.visits) ? Object.entries(body.visits).filter(([, list]) => Array.isArray(list)) : [];
        const ofDomain = byDomain.filter(([name]) => domainIn(name) === domain);
        if (byDomain.length > 0 && ofDomain.length === 0) return otherDomain(byDomain.map(([name]) => name).join(', '));
        const ofSources = isObject(body.visits)
          ? ofDomain.length > 0 &&
            withSources(
              empty,
              ofDomain.map(([, list]) => list),
            )
          : ([empty, []] as const);
        if (!ofSources) return isOfKnownForm('visits');
        const country = countryAlone(body);
        if (country !== null && (isObject(body.visits) || METRIC_KEYS.some((key) => Object.hasOwn(body, key))))
          return notKnown(PROVIDER, `country ${country}`);
        let [panel] = ofSources;
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
        const [withRows, ofRows] = filledFrom(
          series.flatMap((key) => forms[key]),
          panel,
          withMonths(panel, rows) ?? [panel, []],
        );
        const unread = [...ofSources[1], ...ofRows];
        panel = withRows;
        for (const key of parts) {
          const filled = PARTS[key]?.(body, panel);
          if (!filled) return isOfKnownForm(key);
          const [withPart, ofPart] = filledFrom(listOf(body[key]), panel, filled);
          panel = withPart;
          unread.push(...ofPart);
        }
        return found(panel, undefined, unread);
      },
    ),
  );

const nameIn = (row: JsonObject): unknown => row.channel ?? row.source_type;

/** Worldwide rows state figures by month. */
const isOfCountry = (row: JsonObject): boolean => 'country' in row && !isWorldwide(row.country);
const isOfMonth = (row: JsonObject): boolean => METRIC_KEYS.some((key) => key in row) && nameIn(row) === undefined && !isOfCountry(row);

function withRows(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled | null {
  if (rows.some(isOfCountry)) return withCountries(panel, rows, true);
  if (rows.some((row) => nameIn(row) !== undefined)) return withChannels(panel, rows);
  return withMonths(panel, rows);
}

function withChannels(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled {
  const isLost = (row: JsonObject): boolean => statesShare(row) && shareIn(row.share) === null;
  const read = newestOf(
    rows,
    ({ date }) => monthOf(date) ?? '',
    (ofMonth) => {
      const amounts = ofMonth.map((row): [unknown, number] => [nameIn(row), shareIn(row.share) ?? 0]);
      const parts = amounts.map(([, share]) => share);
      const stated = parts.reduce((sum, share) => sum + share, 0);
      // percentages are no shares; channels without a field in the contract keep their part of the whole
      const shares = ofMonth.some(isOtherUnit) || exceedsWhole(parts) ? null : sharesOf(amounts, Math.max(1, stated));
      return shares && { shares, ofMonth };
    },
  );
  if (read === null) return [{ ...panel, trafficSources: null }, rows.some(statesShare) ? ['trafficSources'] : []];
  const named = new Set(read.ofMonth.map(nameIn));
  // a row without a month that is known may be the missing one of this month
  const isMissing = (row: JsonObject): boolean => monthOf(row.date) === null && isStated(row.share) && !named.has(nameIn(row));
  const lost = rows
    .filter((row) => isMissing(row) || (read.ofMonth.includes(row) && isLost(row)))
    .flatMap((row) => channelOf(nameIn(row)) ?? []);
  // of a channel with a part that is not read, the rest is not its share
  const trafficSources = { ...read.shares, ...Object.fromEntries(lost.map((channel) => [channel, null])) };
  return [{ ...panel, trafficSources }, lost.map((channel) => `trafficSources.${channel}`)];
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
      if (data.length === 0) return found(panel);
      const country = countryAlone({ meta });
      const rows = objectsOf(data);
      if (country !== null && !rows.some(isOfCountry)) return notKnown(PROVIDER, `country ${country}`);
      const other = rows.map((row) => domainIn(row.domain)).find((name) => name !== null && name !== given.domain);
      if (other) return otherDomain(other);
      const devices = devicesAlone({ meta });
      if (devices !== null && rows.some(isOfMonth)) return notKnown(PROVIDER, `web_source ${devices}`);
      const read = withRows(panel, rows);
      const filled = read && filledFrom(data, panel, read);
      return filled ? found(filled[0], undefined, filled[1]) : notKnown(PROVIDER, `a row with the ${keysOf(rows[0])}`);
    },
  );

/** Parses one answer of the API's version 5 into a resource with the values of its one endpoint. Source: docs.similarweb.com/api-v5. */
export const readSimilarwebV5 = (answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> =>
  alone(readPanelPart(answer, { domain }));
