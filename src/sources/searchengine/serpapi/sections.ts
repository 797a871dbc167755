import type { AiOverview, Feature } from '../../../contract/operations/searchengine.ts';
import { type JsonObject, objectOf, objectsOf, trimmedIn } from '../../untyped-json.ts';
import { references } from '../result.ts';

/** The provider's sections mapped to features; any other section is `other`. */
const SECTION: ReadonlyMap<string, Feature> = new Map(
  Object.entries<Feature>({
    ads: 'paid',
    top_ads: 'paid',
    bottom_ads: 'paid',
    organic_results: 'organic',
    related_questions: 'people_also_ask',
    knowledge_graph: 'knowledge_panel',
    local_results: 'local_pack',
    local_map: 'local_pack',
    local_ads: 'local_pack',
    local_services_ads: 'local_pack',
    discover_more_places: 'local_pack',
    hotels_results: 'local_pack',
    shopping_results: 'shopping',
    inline_shopping: 'shopping',
    inline_products: 'shopping',
    immersive_products: 'shopping',
    popular_products: 'shopping',
    product_result: 'shopping',
    inline_videos: 'video',
    video_results: 'video',
    short_videos: 'video',
    inline_images: 'image',
    images_results: 'image',
    top_stories: 'news',
    news_results: 'news',
  }),
);
/** Keys that describe the answer, not the page. */
const ABOUT =
  /^(search_metadata|search_parameters|search_information|pagination|serpapi_pagination|error|refine_\w+|filters|available_\w+|dmca_messages|menu_items)$/;

const holds = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Sections in the provider's order. */
export function featuresOf(body: JsonObject): Feature[] {
  return Object.entries(body).flatMap(([key, value]): Feature[] => {
    if (ABOUT.test(key) || !holds(value)) return [];
    if (key === 'ai_overview') return overviewOf(objectOf(value)) ? ['ai_overview'] : [];
    if (key === 'answer_box') return objectOf(value)?.type === 'organic_result' ? ['featured_snippet', 'organic'] : ['other'];
    return [SECTION.get(key) ?? 'other'];
  });
}

/** The token of the separate call for the overview, if one is required. */
export const overviewToken = (body: JsonObject): string | null => {
  const overview = objectOf(body.ai_overview);
  return overview && !Array.isArray(overview.text_blocks) ? trimmedIn(overview.page_token) : null;
};

export function overviewOf(overview: JsonObject | null): AiOverview | null {
  if (!overview) return null;
  const text = objectsOf(overview.text_blocks).flatMap(linesOf).join('\n');
  if (text === '') return null;
  return {
    text,
    references: references(
      objectsOf(overview.references).map((r) => ({ url: trimmedIn(r.link), title: trimmedIn(r.title) ?? trimmedIn(r.source) })),
    ),
  };
}
function linesOf(block: JsonObject): string[] {
  const rows = Array.isArray(block.table)
    ? block.table.flatMap((row) => (Array.isArray(row) ? [row.map((cell) => trimmedIn(cell) ?? '').join(' | ')] : []))
    : [];
  const own = [trimmedIn(block.title), trimmedIn(block.snippet), trimmedIn(block.code)].filter((line) => line !== null);
  return [...own, ...rows, ...objectsOf(block.list).flatMap(linesOf), ...objectsOf(block.text_blocks).flatMap(linesOf)];
}
