import type { AiOverview, Feature, OrganicEntry, PaidEntry } from '../../../contract/operations/searchengine.ts';
import { unreadByPlaces } from '../../json-places.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { type JsonObject, objectOf, objectsOf, strictCountIn, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { addressOf } from '../address.ts';
import { type Rating, scaleOf } from '../numbers.ts';
import { references } from '../result.ts';

/** Item types mapped to the contract's features; other types are `other`. */
const FEATURE: ReadonlyMap<string, Feature> = new Map(
  Object.entries<Feature>({
    organic: 'organic',
    paid: 'paid',
    featured_snippet: 'featured_snippet',
    people_also_ask: 'people_also_ask',
    ai_overview: 'ai_overview',
    local_pack: 'local_pack',
    map: 'local_pack',
    local_services: 'local_pack',
    hotels_pack: 'local_pack',
    google_hotels: 'local_pack',
    shopping: 'shopping',
    popular_products: 'shopping',
    commercial_units: 'shopping',
    refine_products: 'shopping',
    video: 'video',
    short_videos: 'video',
    images: 'image',
    top_stories: 'news',
    knowledge_graph: 'knowledge_panel',
  }),
);

/** Features of the page, except an overview that is announced but loaded later. */
export function featuresOf(items: readonly JsonObject[]): Feature[] {
  return items.flatMap((item): Feature[] => {
    const type = trimmedIn(item.type);
    if (type === null || (type === 'ai_overview' && overviewOf(item) === null)) return [];
    return [FEATURE.get(type) ?? 'other'];
  });
}

const unreadInItem = unreadByPlaces({
  description: 'description',
  breadcrumb: 'breadcrumb',
  websiteName: 'website_name',
  rating: 'rating.value',
  'rating.votesCount': 'rating.votes_count',
});

/** Organic entries, the answer box included. Ranks are the provider's; a missing one follows its predecessor. */
export function organicOf(items: readonly JsonObject[], unread: UnreadFields): OrganicEntry[] {
  let boxes = 0;
  let rank = 0;
  let absoluteRank = 0;
  const listed = items.filter((item) => item.type === 'organic' || item.type === 'featured_snippet');
  const inOrder = listed.every((item) => strictCountIn(item.rank_absolute) !== null)
    ? listed.toSorted((a, b) => Number(a.rank_absolute) - Number(b.rank_absolute))
    : listed;
  return inOrder.flatMap((item): OrganicEntry[] => {
    const featured = item.type === 'featured_snippet';
    const group = strictCountIn(item.rank_group);
    rank = Math.max(rank + 1, group === null ? 0 : group + boxes);
    absoluteRank = Math.max(absoluteRank + 1, strictCountIn(item.rank_absolute) ?? rank);
    if (featured) boxes++;
    const address = addressOf(trimmedIn(item.url));
    const title = trimmedIn(item.title);
    unread.of('organic.title', title, item.title);
    unread.of('organic.url', address, item.url);
    if (!address || !title) return [];
    const entry: OrganicEntry = {
      rank,
      absoluteRank,
      domain: address.domain,
      url: address.url,
      title,
      description: trimmedIn(item.description),
      breadcrumb: trimmedIn(item.breadcrumb),
      websiteName: trimmedIn(item.website_name),
      isFeaturedSnippet: featured || item.is_featured_snippet === true,
      rating: ratingOf(objectOf(item.rating)),
    };
    unread.add(unreadInItem(entry, item, 'organic.'));
    return [entry];
  });
}

export function paidOf(items: readonly JsonObject[], unread: UnreadFields): PaidEntry[] {
  const ads: PaidEntry[] = [];
  for (const item of items) {
    const address = item.type === 'paid' ? addressOf(trimmedIn(item.url)) : null;
    const title = trimmedIn(item.title);
    if (item.type === 'paid') unread.of('paid.title', title, item.title);
    if (!address || !title) continue;
    const rank = strictCountIn(item.rank_group) ?? ads.length + 1;
    ads.push({ rank, ...address, title, description: unread.from('paid.description', item.description, trimmedIn), advertiserId: null });
  }
  return ads;
}

function ratingOf(rating: JsonObject | null): Rating | null {
  const value = strictNumberIn(rating?.value);
  if (!rating || value === null) return null;
  const max =
    strictNumberIn(rating.rating_max) ?? (rating.rating_type === 'Percents' ? 100 : rating.rating_type === 'Max5' ? 5 : scaleOf(value));
  return max === null ? null : { value, votesCount: strictCountIn(rating.votes_count), max };
}

/** The overview as text, one line per element; null if the provider returns only its empty frame. */
export function overviewOf(item: JsonObject): AiOverview | null {
  const elements = objectsOf(item.items);
  const lines = elements.flatMap((element) => [...linesOf(element), ...objectsOf(element.components).flatMap(linesOf)]);
  const text = lines.length ? lines.join('\n') : withoutMarkup(trimmedIn(item.markdown));
  if (!text) return null;
  const cited = [
    ...objectsOf(item.references),
    ...elements.flatMap((element) => [
      ...objectsOf(element.references),
      ...objectsOf(element.components).flatMap((part) => objectsOf(part.references)),
    ]),
  ];
  return { text, references: references(cited.map((r) => ({ url: trimmedIn(r.url), title: trimmedIn(r.title) ?? trimmedIn(r.source) }))) };
}
const linesOf = (element: JsonObject): string[] => {
  const table = objectOf(element.table);
  const rows = table ? [table.table_header, ...(Array.isArray(table.table_content) ? table.table_content : [])] : [];
  const cells = rows.flatMap((row) =>
    Array.isArray(row) ? [row.map((cell) => trimmedIn(cell) ?? trimmedIn(objectOf(cell)?.text) ?? '').join(' | ')] : [],
  );
  return [trimmedIn(element.title), trimmedIn(element.text), ...cells].filter(
    (line): line is string => line !== null && line.replace(/[ |]/g, '') !== '',
  );
};
const withoutMarkup = (markdown: string | null): string | null =>
  trimmedIn(
    markdown
      ?.replace(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replace(/\[\[\d+\]\]\([^)]*\)/g, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*_`#>]+/g, ''),
  );
