import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, changed, limited, type NotFound, type Outcome, refused } from '../../outcome.ts';
import { isObject, type JsonObject, trimmedIn } from '../../untyped-json.ts';
import { jsonObjectOf } from '../json-answer.ts';
import { countryOf } from './country-codes.ts';
import {
  type Channel,
  channelOf,
  countriesOf,
  EMPTY_PANEL,
  fraction,
  monthOf,
  type Panel,
  PROVIDER,
  panelResource,
  positive,
  sharesOf,
  whole,
} from './panel.ts';

const notKnown = (detail: string): NotFound => changed(`${PROVIDER} answered in a shape that is not known.`, detail);

/** `[{date: "2026-05-01", <name>: n}, …]`, oldest first; null for any other value. */
function seriesOf(value: unknown, name: string): { month: string; value: unknown }[] | null {
  if (!Array.isArray(value)) return null;
  const series = value.flatMap((e) => {
    const date = isObject(e) ? monthOf(e.date) : null;
    return date && isObject(e) && name in e ? [{ month: date, value: e[name] }] : [];
  });
  if (value.length && !series.length) return null;
  return series.sort((a, b) => (a.month < b.month ? -1 : 1));
}

type Part = (body: JsonObject, panel: Panel) => Panel | null;
const metric =
  (key: string, set: (panel: Panel, value: unknown, month: string) => Panel): Part =>
  (body, panel) => {
    const series = seriesOf(body[key], key);
    const last = series?.at(-1);
    if (!series) return null;
    return last ? set({ ...panel, period: panel.period ?? last.month }, last.value, last.month) : panel;
  };

/** The endpoints of the official API by the key that carries their values (developers.similarweb.com). */
const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries<Part>({
    visits: (body, panel) => {
      if (isObject(body.visits)) return sourcesOf(body.visits, panel);
      const series = seriesOf(body.visits, 'visits');
      if (!series) return null;
      const last = series.at(-1);
      return {
        ...panel,
        period: last?.month ?? panel.period,
        visits: whole(last?.value),
        history: series.map((m) => ({ month: m.month, visits: whole(m.value) })),
      };
    },
    pages_per_visit: metric('pages_per_visit', (p, v) => ({ ...p, pagesPerVisit: positive(v) })),
    average_visit_duration: metric('average_visit_duration', (p, v) => ({ ...p, avgVisitDurationSeconds: positive(v) })),
    bounce_rate: metric('bounce_rate', (p, v) => ({ ...p, bounceRate: positive(v) === null ? null : fraction(v) })),
    unique_visitors: metric('unique_visitors', (p, v) => ({ ...p, uniqueVisitors: whole(v) })),
    global_rank: (body, p) => rankOf(body.global_rank, (rank) => ({ ...p, globalRank: rank })),
    country_rank: (body, p) => {
      const country = countryOf(isObject(body.country_rank) && 'country' in body.country_rank ? body.country_rank.country : body.country);
      return rankOf(body.country_rank, (rank) => ({ ...p, countryRank: rank !== null && country ? { country, rank } : null }));
    },
    category_rank: (body, p) => {
      const category = typeof body.category === 'string' && body.category ? body.category : null;
      return rankOf(body.category_rank, (rank) => ({ ...p, categoryRank: rank !== null && category ? { category, rank } : null }));
    },
    records: (body, p) => (Array.isArray(body.records) ? { ...p, topCountries: countriesOf(body.records) } : null),
  }),
);

/** The rank in `{rank: n}`, or the newest of a series. */
function rankOf(value: unknown, set: (rank: number | null) => Panel): Panel | null {
  if (isObject(value)) return 'rank' in value ? set(whole(value.rank)) : null;
  if (!Array.isArray(value)) return null;
  const last = value
    .filter((e) => isObject(e) && typeof e.date === 'string')
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .at(-1);
  return last ? set(whole(last.rank ?? last.global_rank ?? last.country_rank ?? last.category_rank)) : set(null);
}

/** `{"<domain>": [{source_type, visits: [{date, organic, paid}]}]}`: shares of the newest month in the answer. */
function sourcesOf(visits: JsonObject, panel: Panel): Panel | null {
  const channels = Object.values(visits)[0];
  if (!Array.isArray(channels)) return null;
  const sums = new Map<Channel, number>();
  const newest = channels
    .flatMap((c) => (isObject(c) && Array.isArray(c.visits) ? c.visits : []))
    .reduce((m: string, v) => (isObject(v) && typeof v.date === 'string' && v.date > m ? v.date : m), '');
  for (const c of channels) {
    const name = isObject(c) ? channelOf(c.source_type) : null;
    if (!name || !Array.isArray(c.visits)) continue;
    for (const v of c.visits)
      if (isObject(v) && v.date === newest) sums.set(name, (sums.get(name) ?? 0) + (positive(v.organic) ?? 0) + (positive(v.paid) ?? 0));
  }
  const trafficSources = sharesOf(sums);
  return trafficSources ? { ...panel, trafficSources } : panel;
}

const unreadInPart = unreadByPlaces({
  visits: 'visits[].visits:number',
  pagesPerVisit: 'pages_per_visit[].pages_per_visit:number',
  avgVisitDurationSeconds: 'average_visit_duration[].average_visit_duration:number',
  bounceRate: 'bounce_rate[].bounce_rate:number',
  uniqueVisitors: 'unique_visitors[].unique_visitors:number',
  globalRank: 'rank.rank:number',
  topCountries: ['records[].share', 'records[].country'],
});
/** The body with the forms apart that one key may have. */
const formsOf = (body: JsonObject): JsonObject => ({
  ...body,
  visits: isObject(body.visits) ? undefined : body.visits,
  rank: isObject(body.global_rank) ? body.global_rank : undefined,
});

/** Adds the values of one endpoint's answer to a panel; the outcome instead if the answer has none. */
export function readPart(
  answer: Answer,
  domain: string,
  panel: Panel = EMPTY_PANEL,
): { ok: true; panel: Panel; unread: readonly string[] } | { ok: false; outcome: NotFound } {
  const no = (outcome: NotFound) => ({ ok: false as const, outcome });
  const read = jsonObjectOf(answer, PROVIDER);
  if (!read.ok) return read;
  const body = read.value;
  const meta = isObject(body.meta) ? body.meta : {};
  const fault =
    meta.status === 'Error'
      ? (trimmedIn(meta.error_message) ?? '')
      : isObject(body.Error)
        ? (trimmedIn(body.Error.Message) ?? '')
        : typeof body.Message === 'string'
          ? body.Message
          : null;
  if (fault !== null && /data not found/i.test(fault)) return no(absent(`The panel has no data of ${domain}.`));
  if (fault !== null && /rate limit|too many/i.test(fault)) return no(limited(`${PROVIDER} limits the number of requests.`));
  if (fault !== null) return no(refused(`${PROVIDER} did not accept the request.`, `status ${read.status}: ${fault.slice(0, 200)}`));
  if (read.status === 404) return no(notKnown('status 404 without an error of the panel'));
  if (read.status !== 200) return no(refused(`${PROVIDER} did not accept the request.`, `status ${read.status}`));
  const asked = isObject(meta.request) && typeof meta.request.domain === 'string' ? meta.request.domain.toLowerCase() : null;
  if (asked !== null && asked !== domain) return no(changed(`${PROVIDER} answered for another domain.`, asked.slice(0, 100)));
  const keys = [...PARTS.keys()].filter((key) => Object.hasOwn(body, key));
  if (!keys.length) return no(notKnown(`keys ${Object.keys(body).slice(0, 10).join(', ') || 'none'}`));
  let filled = panel;
  for (const key of keys) {
    const next = PARTS.get(key)?.(body, filled) ?? null;
    if (!next) return no(notKnown(`${key} is not of the known form`));
    filled = next;
  }
  return { ok: true, panel: filled, unread: unreadInPart(filled, formsOf(body)) };
}

/** Parses one answer of the official API into a resource with the values of its one endpoint. */
export function readSimilarweb(answer: Answer, input: { domain: string }): Outcome<TrafficEstimate> {
  const part = readPart(answer, input.domain);
  return part.ok ? panelResource(part.panel, input.domain, answer.at, part.unread) : part.outcome;
}
