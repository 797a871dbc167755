import type { JsonObject } from '../../contract/json-object.ts';
import type { UnreadFields } from '../unread-fields.ts';
import { countIn, objectOf, objectsOf, trimmedIn } from '../untyped-json.ts';
import { adAddressOf, addressOf } from './address.ts';
import type { Engine } from './links.ts';
import { type ListedAd, type ListedEntry, placesOf, references } from './result.ts';
import { isNoticeLine, isPendingLine, withoutSources } from './words.ts';

/** JSONata gives a list of one as the entry itself; what is no list is left to the check of the resource. */
function rowsIn(value: unknown): readonly JsonObject[] | null {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [value];
  const objects = objectsOf(rows);
  return objects.length === rows.length ? objects : null;
}

/**
 * The ranking that an expression of a relay or a recipe gives, under the rules of all sources: addresses, places, entries that are listed twice,
 * lines of the engine. `roots`: addresses of which the site alone is known.
 */
export function mappedRanking(mapped: JsonObject, engine: Engine, roots: ReadonlySet<string>, unread: UnreadFields): JsonObject {
  const { organic, paid, aiOverview, totalResults, ...rest } = mapped;
  const ads = rowsIn(paid ?? [])?.flatMap((row, i) => adOf(row, i, engine, unread) ?? []);
  const rows = rowsIn(organic ?? []);
  const listed = rows?.map((row) => entryOf(row, engine, roots));
  const placed = listed && placesOf({ listed, ads: ads ?? [] }, unread);
  const overview = objectOf(aiOverview) ? overviewOf(objectOf(aiOverview) ?? {}, engine, unread) : aiOverview;
  const isWithout = (feature: unknown): boolean => feature !== 'ai_overview' || (overview !== null && overview !== undefined);
  const features = Array.isArray(rest.features) ? { features: rest.features.filter(isWithout) } : {};
  const isShown = (placed?.places ?? 0) > 0 || (ads?.length ?? 0) > 0 || Boolean(overview);
  return {
    ...rest,
    ...features,
    organic: placed?.organic ?? organic,
    paid: ads?.map(({ address: { domain, url }, ...ad }) => ({ ...ad, domain, url })) ?? paid,
    aiOverview: overview,
    // 0 is no statement, because what stands beside it contradicts it
    totalResults: totalResults === 0 && isShown ? null : totalResults,
  };
}

function entryOf(
  { rank, absoluteRank, url, domain: _, title, isFeaturedSnippet, ...texts }: JsonObject,
  engine: Engine,
  roots: ReadonlySet<string>,
): ListedEntry {
  const link = trimmedIn(url);
  const address = addressOf({ engine, links: [link] });
  const isRoot = address.kind === 'destination' && roots.has(address.url);
  return {
    // the texts are checked with the resource, as the expression gives them
    ...(texts as Pick<ListedEntry, 'description' | 'breadcrumb' | 'websiteName' | 'rating'>),
    ...{ link, title: trimmedIn(title), statedRank: countIn(rank), absoluteRank: countIn(absoluteRank) },
    address: isRoot ? { ...address, kind: 'root' } : address,
    isFeaturedSnippet: isFeaturedSnippet === true,
  };
}

/** An ad without an address or a title is left out, and keeps its place. */
function adOf(
  { rank, url, domain: _, title: stated, ...texts }: JsonObject,
  index: number,
  engine: Engine,
  unread: UnreadFields,
): ListedAd | null {
  const address = adAddressOf({ engine, links: [trimmedIn(url)] });
  const title = trimmedIn(stated);
  if (!address) unread.note('paid.url');
  if (!title) unread.note('paid.title');
  // the texts are checked with the resource, as the expression gives them
  const described = texts as Pick<ListedAd, 'description' | 'advertiserId'>;
  return address && title ? { ...described, rank: countIn(rank) ?? index + 1, address, title } : null;
}

/** Null where the text is what the engine shows in place of an answer. */
function overviewOf({ text, references: cited, ...rest }: JsonObject, engine: Engine, unread: UnreadFields): JsonObject | null {
  if (typeof text !== 'string') return { text, references: cited, ...rest };
  const lines = text.split('\n').filter((line) => !isNoticeLine(line.trim()));
  if (lines.every((line) => line.trim() === '' || isPendingLine(line.trim()))) {
    unread.note('aiOverview');
    return null;
  }
  const pages = (Array.isArray(cited) ? cited : [cited ?? []].flat()).map((one) => {
    const { url, title } = objectOf(one) ?? {};
    return { address: addressOf({ engine, links: [trimmedIn(url)] }), title: trimmedIn(title) };
  });
  const names = pages.flatMap(({ address, title }) =>
    address.kind === 'hidden' ? (title ?? []) : [title ?? [], address.domain, address.domain.replace(/^www\./, '')].flat(),
  );
  const read = lines.map((line) => {
    const text = withoutSources(line, names);
    if (text === null) unread.note('aiOverview.text');
    return text ?? line;
  });
  return { ...rest, text: read.join('\n'), references: references(pages, unread) };
}
