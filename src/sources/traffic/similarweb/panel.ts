import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import type { TrafficEstimate } from '../../../contract/operations/traffic/operation.ts';
import { readTable } from '../../../runtime/table.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { countryOf } from '../../country-codes.ts';
import type { Evidence } from '../../evidence.ts';
import { absent, changed, found, limited, type NotFound, type Outcome, refused, refusedAccount } from '../../outcome.ts';
import { flagIn, ratioIn, trimmedIn, valueAt, wordsIn } from '../../untyped-json.ts';
import { emptyEstimate, evidence, jsonObjectOf, notKnown } from '../provider-answer.ts';

export const PROVIDER = 'The traffic panel (Similarweb)';

/** `absent` without any value: the panel prints zeros for unknown domains. Unread values are no zeros: then it is `changed`. */
export function panelOutcome(panel: TrafficEstimate, unread: readonly string[] = []): Outcome<TrafficEstimate> {
  const { domain, period, history, method, confidence, scrapedAt, ...facts } = panel;
  const isEmpty = Object.values(facts).every((fact) => fact === null || (Array.isArray(fact) && fact.length === 0));
  if (isEmpty) return unread.length > 0 ? notKnown(PROVIDER, `unread: ${unread.join(', ')}`) : noData(NO_VALUES, domain);
  return found({ ...panel, rankSource: panel.globalRank === null ? null : 'panel' }, undefined, unread);
}
const NOT_FOUND = evidence('panel data not found');
const NO_VALUES = evidence('panel without values');
const noData = (proof: Evidence, domain: string): NotFound => absent(proof, `The panel has no data of ${domain}.`);

/** What the API itself says of a failure: an error in `meta`, `Error` or `Message`, `{code, message}`, or a short plain text. */
function faultOf(answer: Answer, isFailure: (status: string) => boolean): string | null {
  const body = jsonOf(answer);
  if (isObject(body)) {
    const status = wordsIn(valueAt(body, 'meta', 'status'));
    if (status !== null && isFailure(status.trim().toLowerCase())) return wordsIn(valueAt(body, 'meta', 'error_message')) ?? status;
    if (isObject(body.Error)) return wordsIn(body.Error.Message) ?? 'error';
    return typeof body.Message === 'string' ? body.Message : 'code' in body ? wordsIn(body.message) : null;
  }
  const text = Buffer.from(answer.body.subarray(0, 201)).toString().trim();
  const plain = /^"?(invalid api key|data not found|[^<>{}]*\bcredits?\b[^<>{}]*)"?$/i;
  return answer.status >= 400 && text.length <= 200 && plain.test(text) ? text : null;
}

/** `read` adds the body's values to those of other answers (`before`). `isFailure`: of the status in lower case that the body states. */
export function readPanel(
  answer: Answer,
  { domain, panel: before }: { readonly domain: string; readonly panel?: TrafficEstimate },
  isFailure: (status: string) => boolean,
  read: (body: JsonObject, panel: TrafficEstimate) => Outcome<TrafficEstimate>,
): Outcome<TrafficEstimate> {
  const { status } = answer;
  const fault = status === 429 || status >= 500 ? null : faultOf(answer, isFailure);
  if (fault !== null && /data not found/i.test(fault)) return noData(NOT_FOUND, domain);
  if (fault !== null && /rate limit|too many/i.test(fault)) return limited(`${PROVIDER} limits the number of requests.`);
  if (fault !== null && /\bcredits?\b|\bapi key\b|user_key|\bquota\b/i.test(fault))
    return refusedAccount(
      `${PROVIDER} did not accept this service's credentials, or they have no credits left.`,
      `status ${status}: ${fault.slice(0, 200)}`,
    );
  if (fault !== null) return refused(`${PROVIDER} did not accept the request.`, `status ${status}: ${fault.slice(0, 200)}`);
  const json = jsonObjectOf(answer, PROVIDER);
  if (json.tag !== 'json') return json;
  const asked = domainIn(valueAt(json.value, 'meta', 'request', 'domain'));
  if (asked !== null && asked !== domain) return otherDomain(asked);
  const granularity = requestedIn(json.value, 'granularity');
  if (granularity !== null && granularity !== 'monthly') return notKnown(PROVIDER, `granularity ${granularity}`);
  // month to date: the newest month is not over
  if (flagIn(valueAt(json.value, 'meta', 'request', 'mtd'))) return notKnown(PROVIDER, 'a month that is not over');
  return read(json.value, before ?? emptyEstimate(domain, answer.atMs));
}
/** The name of a domain in small letters, without `www.`, which the panel drops. */
export const domainIn = (value: unknown): string | null =>
  trimmedIn(value)
    ?.toLowerCase()
    .replace(/^www\./, '') ?? null;
/** A value of the request as the answer repeats it. */
const requestedIn = (body: JsonObject, name: string): string | null =>
  trimmedIn(valueAt(body, 'meta', 'request', name))
    ?.toLowerCase()
    .slice(0, 20) ?? null;
/** The country that visits are restricted to, which are then not those of the domain; null where there is none. */
export function countryAlone(body: JsonObject): string | null {
  const country = requestedIn(body, 'country');
  return country === null || isWorldwide(country) ? null : country;
}
export const isWorldwide = (country: unknown): boolean =>
  typeof country === 'string' && /^(?:ww|world|worldwide|global|999)$/i.test(country.trim());
/** The kind of devices whose visits alone are counted; null where all are. */
export function devicesAlone(body: JsonObject): string | null {
  const source = requestedIn(body, 'web_source');
  return source === null || source === 'total' ? null : source;
}
export const otherDomain = (name: string) => changed(`${PROVIDER} answered for another domain.`, name.slice(0, 100));
export const alone = (read: Outcome<TrafficEstimate>): Outcome<TrafficEstimate> =>
  read.tag === 'found' ? panelOutcome(read.resource, read.unread) : read;

const DECIMAL = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** A number, also as text (`"9.75E7"`); NaN for anything else. */
const numeric = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : Number.NaN;
/** A positive number, also as text; the panel's 0 means unknown. */
export function positive(value: unknown): number | null {
  const n = numeric(value);
  return Number.isFinite(n) && n > 0 ? n : null;
}
/** A part of a whole, from 0 to 1, also as text. */
export const shareIn = (value: unknown): number | null => ratioIn(numeric(value));
/** Whether anything is stated: nothing, 0 and NaN (a quotient by 0 visits) mean unknown, as number or as text. */
export const isStated = (value: unknown): boolean =>
  value !== null && value !== undefined && numeric(value) !== 0 && !(typeof value === 'string' && /^\s*(?:nan)?\s*$/i.test(value));
/** A whole number from 1 on that JSON can carry exactly. */
export function wholeOrNull(value: unknown): number | null {
  const whole = Math.round(positive(value) ?? 0);
  return whole > 0 && Number.isSafeInteger(whole) ? whole : null;
}

/** The metrics of a month by their key: the field, and how its value is read. */
const METRICS: Readonly<Record<string, readonly [keyof TrafficEstimate, (value: unknown) => number | null]>> = {
  visits: ['visits', wholeOrNull],
  unique_visitors: ['uniqueVisitors', wholeOrNull],
  pages_per_visit: ['pagesPerVisit', positive],
  average_visit_duration: ['avgVisitDurationSeconds', positive],
  bounce_rate: ['bounceRate', (value) => shareIn(value) || null],
};
export const METRIC_KEYS = Object.keys(METRICS);
export const monthOf = (date: unknown): string | null =>
  typeof date === 'string' ? (/^\d{4}-(0[1-9]|1[0-2])(?=(?:-\d\d(?:T.*)?)?$)/.exec(date)?.[0] ?? null) : null;

/** A row of a month, and whether its value of the metric is known. */
const isKnown = (row: JsonObject, key: string): boolean => METRICS[key]?.[1](row[key]) != null;

/**
 * Adds rows of a month each, `{date, visits, bounce_rate, …}` in any order: the newest month whose visits are known counts, else the newest of
 * which anything is known; one unknown month says nothing of the others. null if no row has a month and a metric, or where they
 * are of days.
 */
export function withMonths(panel: TrafficEstimate, rows: readonly JsonObject[]): Filled | null {
  const stated = rows.filter((row) => METRIC_KEYS.some((key) => key in row));
  const byMonth = new Map<string, JsonObject>();
  if (hasDays(stated)) return null;
  for (const row of stated) {
    const month = monthOf(row.date);
    if (month !== null) byMonth.set(month, withKnown(byMonth.get(month) ?? {}, row));
  }
  const months = [...byMonth].map(([month, row]) => ({ month, row })).sort((a, b) => (a.month < b.month ? -1 : 1));
  const visits = months.filter(({ row }) => 'visits' in row);
  const withVisits = visits.findLast(({ row }) => isKnown(row, 'visits'));
  const known = withVisits ?? months.findLast(({ row }) => METRIC_KEYS.some((key) => isKnown(row, key)));
  const { month: period, row: own } = known ?? visits.at(-1) ?? months.at(-1) ?? {};
  if (period === undefined || own === undefined) return null;
  const filled = {
    ...panel,
    period,
    ...Object.fromEntries(Object.entries(METRICS).map(([key, [field, read]]) => [field, read(own[key])])),
    history: visits.map(({ month, row }) => ({ month, visits: wholeOrNull(row.visits) })),
  };
  const isLost = (row: JsonObject, key: string): boolean => isStated(row[key]) && !isKnown(row, key);
  const judged = known ? [own] : months.map(({ row }) => row);
  const unread: string[] = Object.entries(METRICS).flatMap(([key, [field]]) => (judged.some((row) => isLost(row, key)) ? [field] : []));
  if (visits.some(({ month, row }) => month !== period && isLost(row, 'visits'))) unread.push('history.visits');
  // figures of a month that is not named in a form that is known
  if (stated.some((row) => monthOf(row.date) === null && METRIC_KEYS.some((key) => isKnown(row, key)))) unread.push('history');
  return [filled, unread];
}
/** Several days of one month: figures of a day or a week each, whatever the answer says of them. */
function hasDays(rows: readonly JsonObject[]): boolean {
  const dates = rows.flatMap(({ date }) => (monthOf(date) === null ? [] : String(date).slice(0, 10)));
  const days = new Set(dates.filter((date) => date.length === 10));
  return new Set([...days].map((day) => day.slice(0, 7))).size < days.size;
}
/** The metrics of rows of one month as one: an unknown value never takes the place of a known one. */
const withKnown = (before: JsonObject, row: JsonObject): JsonObject => ({
  ...before,
  ...Object.fromEntries(METRIC_KEYS.flatMap((key) => (key in row && (!(key in before) || isKnown(row, key)) ? [[key, row[key]]] : []))),
});

/** The panel with the values of an endpoint, and the fields that stay empty, or lack entries, although the answer states something of them. */
export type Filled = readonly [panel: TrafficEstimate, unread: readonly string[]];

/** A share that is missing has another name. */
export const statesShare = (row: JsonObject): boolean => row.share === undefined || isStated(row.share);
/** Whether a share is no part of a whole, such as a percentage: the others of its list are none either. */
export const isOtherUnit = ({ share }: JsonObject): boolean => !Number.isNaN(numeric(share)) && shareIn(share) === null;
/** Shares that are rounded may sum to a little more than the whole. */
export const exceedsWhole = (shares: readonly number[]): boolean => shares.reduce((a, b) => a + b, 0) > 1.01;

/**
 * Rows of a country each. Those whose share is unknown are left out and say nothing of the others. `inOrder`: the rows are the largest
 * countries, so that rows in another order are not.
 */
export function withCountries(panel: TrafficEstimate, rows: readonly JsonObject[], inOrder: boolean): Filled {
  const stated = rows.filter(statesShare);
  const known = stated.flatMap((row) => {
    const [country, share] = [countryOf(row.country), shareIn(row.share)];
    return country && share ? [{ country, share, row }] : [];
  });
  const isWrong =
    stated.some(isOtherUnit) ||
    exceedsWhole(known.map(({ share }) => share)) ||
    (inOrder && known.some(({ share }, i) => share > (known[i - 1]?.share ?? 1)));
  const sorted = isWrong ? [] : known.toSorted((a, b) => b.share - a.share);
  const topCountries = sorted.map(({ country, share }) => ({ country, share }));
  const unread = sorted.length < stated.length ? ['topCountries'] : [];
  if (!inOrder) return [{ ...panel, topCountries }, unread];
  // that of the largest country alone, which is in the first row
  const [first] = stated;
  const top = sorted.find(({ row }) => row === first);
  const stands = first && (first.rank ?? first.country_rank);
  const rank = top ? wholeOrNull(stands) : null;
  const countryRank = top && rank !== null ? { country: top.country, rank } : panel.countryRank;
  return [{ ...panel, topCountries, countryRank }, countryRank === null && isStated(stands) ? [...unread, 'countryRank'] : unread];
}

type TrafficSources = NonNullable<TrafficEstimate['trafficSources']>;
export type Channel = keyof TrafficSources;
const CHANNELS = new Map(readTable(new URL('./channels.tsv', import.meta.url)).map(([name = '', channel]) => [name, channel as Channel]));
const CHANNEL_NAMES = [...new Set(CHANNELS.values())];

export const channelOf = (name: unknown): Channel | undefined =>
  typeof name === 'string' ? CHANNELS.get(name.toLowerCase().replaceAll(/[_-]/g, ' ')) : undefined;

/** Amounts by the panel's names as shares of `total`, by default of the channels' sum; null where they sum to 0. */
export function sharesOf(amounts: readonly (readonly [name: unknown, amount: number])[], total?: number): TrafficSources | null {
  const sums = new Map<Channel, number>();
  for (const [name, amount] of amounts) {
    const channel = channelOf(name);
    if (channel) sums.set(channel, (sums.get(channel) ?? 0) + amount);
  }
  const sum = [...sums.values()].reduce((a, b) => a + b, 0);
  if (sum <= 0) return null;
  // 0 means unknown
  const share = (name: Channel) => Number(((sums.get(name) ?? 0) / (total ?? sum)).toFixed(6)) || null;
  return Object.fromEntries(CHANNEL_NAMES.map((name) => [name, share(name)])) as TrafficSources;
}
