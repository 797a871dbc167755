import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { countryOf } from '../../country-codes.ts';
import { found, type Outcome } from '../../outcome.ts';
import { unreadByTable } from '../../tables.ts';
import { isObject, type JsonObject, objectsOf } from '../../untyped-json.ts';
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

/** The rank in `{rank: n}`, or the newest of a series. */
function rankOf(value: unknown, set: (rank: number | null) => TrafficEstimate): TrafficEstimate | null {
  if (isObject(value)) return 'rank' in value ? set(whole(value.rank)) : null;
  if (!Array.isArray(value)) return null;
  const dated = objectsOf(value).filter((e) => typeof e.date === 'string');
  const last = dated.sort((a, b) => (String(a.date) < String(b.date) ? -1 : 1)).at(-1);
  return set(whole(last?.rank ?? last?.global_rank ?? last?.country_rank ?? last?.category_rank));
}

/** `{"<domain>": [{source_type, visits: [{date, organic, paid}]}]}`: shares of the newest month in the answer. */
function sourcesOf(visits: JsonObject): TrafficEstimate['trafficSources'] | undefined {
  const [channels] = Object.values(visits);
  if (!Array.isArray(channels)) return undefined;
  const rows = objectsOf(channels).flatMap(({ source_type, visits: months }) => objectsOf(months).map((row) => ({ ...row, source_type })));
  const newest = rows.reduce((latest, { date }: JsonObject) => (typeof date === 'string' && date > latest ? date : latest), '');
  const ofNewest = rows.filter(({ date }: JsonObject) => date === newest);
  return sharesOf(ofNewest.map((row: JsonObject) => [row.source_type, (positive(row.organic) ?? 0) + (positive(row.paid) ?? 0)]));
}

const unreadInPart = unreadByTable(new URL('./places.tsv', import.meta.url), 'earlier');

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
        panel = withMonths(panel, rows) ?? panel;
        for (const key of parts) {
          const filled = PARTS[key]?.(body, panel);
          if (!filled) return isOfKnownForm(key);
          panel = filled;
        }
        return found(panel, undefined, unreadInPart(panel, { ...forms, rank: isObject(body.global_rank) ? body.global_rank : undefined }));
      },
    ),
  );
