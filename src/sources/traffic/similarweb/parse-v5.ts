import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, changed, found, limited, type NotFound, type Outcome, refused } from '../../outcome.ts';
import { isObject, type JsonObject, trimmedIn } from '../../untyped-json.ts';
import { jsonObjectOf } from '../json-answer.ts';
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

interface Part {
  /** Null for rows of another form. */
  readonly add: (rows: readonly JsonObject[], panel: Panel) => Panel | null;
  /** The fields that stay empty although the rows state something of them. */
  readonly unread: (panel: Panel, rows: readonly JsonObject[]) => readonly string[];
}

const unreadEngagement = unreadByPlaces({
  visits: 'data[].visits:number',
  uniqueVisitors: 'data[].unique_visitors:number',
  pagesPerVisit: 'data[].pages_per_visit:number',
  avgVisitDurationSeconds: 'data[].average_visit_duration:number',
  bounceRate: 'data[].bounce_rate:number',
});
/** Rows of `traffic-and-engagement`: a row a month, with each metric that was asked for. */
const ENGAGEMENT: Part = {
  add(rows, panel) {
    const months = rows
      .flatMap((row) => {
        const month = monthOf(row.date);
        return month ? [{ month, row }] : [];
      })
      .sort((a, b) => (a.month < b.month ? -1 : 1));
    const last = months.at(-1);
    if (!last) return null;
    const { month: period, row } = last;
    return {
      ...panel,
      period,
      visits: whole(row.visits),
      history: months.flatMap((m) => ('visits' in m.row ? [{ month: m.month, visits: whole(m.row.visits) }] : [])),
      uniqueVisitors: whole(row.unique_visitors),
      pagesPerVisit: positive(row.pages_per_visit),
      avgVisitDurationSeconds: positive(row.average_visit_duration),
      bounceRate: positive(row.bounce_rate) === null ? null : fraction(row.bounce_rate),
    };
  },
  unread: (panel, data) => unreadEngagement(panel, { data }),
};

/** A share of 0 means unknown; a missing one has another name. */
const statesShare = (row: JsonObject): boolean => row.share !== 0;
const nameIn = (row: JsonObject): unknown => row.channel ?? row.source_type;
/** Rows of `traffic-channels/share`: a row a channel; those of the newest month count. */
const CHANNELS: Part = {
  add(rows, panel) {
    const newest = rows.reduce((month, row) => ((monthOf(row.date) ?? '') > month ? (monthOf(row.date) ?? '') : month), '');
    const sums = new Map<Channel, number>();
    let stated = 0;
    for (const row of rows.filter((one) => (monthOf(one.date) ?? '') === newest)) {
      const [name, share] = [channelOf(nameIn(row)), fraction(row.share)];
      // a percentage or a missing share makes the sum of the others wrong
      if (share === null) return panel;
      stated += share;
      if (name) sums.set(name, (sums.get(name) ?? 0) + share);
    }
    // channels without a field in the contract keep their part of the whole
    return { ...panel, trafficSources: stated > 1.01 ? null : sharesOf(sums, Math.max(1, stated)) };
  },
  unread: (panel, rows) => (panel.trafficSources === null && rows.some(statesShare) ? ['trafficSources'] : []),
};

/** Rows of `geography/aggregated`: a row a country, the largest first. */
const GEOGRAPHY: Part = {
  add(rows, panel) {
    const shares = rows.map((row) => fraction(row.share));
    // ten rows in another order are not the ten largest countries
    if (shares.some((share, i) => share === null || share > (shares[i - 1] ?? 1))) return panel;
    const topCountries = countriesOf(rows);
    const [top] = topCountries;
    const rank = whole(rows[0]?.rank ?? rows[0]?.country_rank);
    return { ...panel, topCountries, countryRank: top && rank !== null ? { country: top.country, rank } : null };
  },
  unread: (panel, rows) => (panel.topCountries.length === 0 && rows.some(statesShare) ? ['topCountries'] : []),
};

function partOf(row: JsonObject): Part | null {
  if ('country' in row) return GEOGRAPHY;
  if (nameIn(row) !== undefined) return CHANNELS;
  return 'date' in row ? ENGAGEMENT : null;
}

/** What the API itself says of a failure: `{meta: {status, error_message}}`, `{code, message}` or a short plain text. */
function faultOf(answer: Answer): string | null {
  const body = jsonOf(answer);
  if (isObject(body)) {
    const status = isObject(body.meta) ? trimmedIn(body.meta.status) : undefined;
    if (status && status.toLowerCase() !== 'success') return (isObject(body.meta) && trimmedIn(body.meta.error_message)) || status;
    return 'code' in body ? (trimmedIn(body.message) ?? null) : null;
  }
  const text = Buffer.from(answer.body.subarray(0, 201)).toString().trim();
  const plain = /^"?(invalid api key|data not found|[^<>{}]*\bcredits?\b[^<>{}]*)"?$/i;
  return answer.status >= 400 && text.length <= 200 && plain.test(text) ? text : null;
}
function failureOf(answer: Answer, domain: string): NotFound | null {
  if (answer.status === 429 || answer.status >= 500) return null;
  const fault = faultOf(answer);
  if (fault === null) return null;
  if (/data not found/i.test(fault)) return absent(`The panel has no data of ${domain}.`);
  if (/rate limit|too many/i.test(fault)) return limited(`${PROVIDER} limits the number of requests.`);
  return refused(`${PROVIDER} did not accept the request.`, `status ${answer.status}: ${fault.slice(0, 200)}`);
}

type Read = { ok: true; panel: Panel; unread: readonly string[] } | { ok: false; outcome: NotFound };
/** Adds the values of one answer, `{meta: {request, status, last_updated}, data: [row, …]}`, to a panel. */
function readPart(answer: Answer, domain: string, panel: Panel = EMPTY_PANEL): Read {
  const no = (outcome: NotFound) => ({ ok: false as const, outcome });
  const failure = failureOf(answer, domain);
  if (failure) return no(failure);
  const read = jsonObjectOf(answer, PROVIDER);
  if (!read.ok) return read;
  if (read.status === 404) return no(notKnown('status 404 without an error of the panel'));
  if (read.status !== 200) return no(refused(`${PROVIDER} did not accept the request.`, `status ${read.status}`));
  const { meta, data } = read.value;
  if (!isObject(meta) || trimmedIn(meta.status) === undefined || !Array.isArray(data))
    return no(notKnown(`keys ${Object.keys(read.value).slice(0, 10).join(', ') || 'none'}`));
  const request = isObject(meta.request) ? meta.request : {};
  const asked = trimmedIn(request.domain)?.toLowerCase() ?? domain;
  if (asked !== domain) return no(changed(`${PROVIDER} answered for another domain.`, asked.slice(0, 100)));
  const granularity = trimmedIn(request.granularity)?.toLowerCase() ?? 'monthly';
  if (granularity !== 'monthly') return no(notKnown(`granularity ${granularity.slice(0, 20)}`));
  if (data.length === 0) return { ok: true, panel, unread: [] };
  const rows = data.filter(isObject);
  const part = rows[0] ? partOf(rows[0]) : null;
  const filled = part?.add(rows, panel);
  if (!part || !filled)
    return no(
      notKnown(
        `a row with the keys ${
          Object.keys(rows[0] ?? {})
            .slice(0, 10)
            .join(', ') || 'none'
        }`,
      ),
    );
  return { ok: true, panel: filled, unread: part.unread(filled, rows) };
}

/** Parses one answer of the API's version 5 and adds its values to `panel`, those of the endpoints parsed before. */
export function readPanelPart(answer: Answer, input: { readonly domain: string; readonly panel?: Panel }): Outcome<Panel> {
  const part = readPart(answer, input.domain, input.panel);
  return part.ok ? found(part.panel, undefined, part.unread) : part.outcome;
}

/** Parses one answer of the API's version 5 into a resource with the values of its one endpoint. Source: docs.similarweb.com/api-v5. */
export function readSimilarwebV5(answer: Answer, input: { domain: string }): Outcome<TrafficEstimate> {
  const part = readPart(answer, input.domain);
  return part.ok ? panelResource(part.panel, input.domain, answer.at, part.unread) : part.outcome;
}
