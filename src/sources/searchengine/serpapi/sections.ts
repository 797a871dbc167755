import type { AiOverview, Feature } from '../../../contract/operations/searchengine.ts';
import { type Fields, fieldsOf, listOf, wordsOf } from '../json.ts';
import { references } from '../result.ts';

/** The provider's sections as features; a section that is not here is `other`. */
const SECTION: Readonly<Record<string, Feature | null>> = {
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
};
/** Keys that are about the answer, not about the page. */
const ABOUT =
  /^(search_metadata|search_parameters|search_information|pagination|serpapi_pagination|error|refine_\w+|filters|available_\w+|dmca_messages|menu_items)$/;

const holds = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Sections in the order in which the provider states them. */
export function featuresOf(body: Fields): Feature[] {
  return Object.entries(body).flatMap(([key, value]): Feature[] => {
    if (ABOUT.test(key) || !holds(value)) return [];
    if (key === 'ai_overview') return overviewOf(fieldsOf(value)) ? ['ai_overview'] : [];
    if (key === 'answer_box') return fieldsOf(value)?.type === 'organic_result' ? ['featured_snippet', 'organic'] : ['other'];
    return [SECTION[key] ?? 'other'];
  });
}

/** Where the overview has to be asked for separately: the token of that call. */
export const overviewToken = (body: Fields): string | null => {
  const overview = fieldsOf(body.ai_overview);
  return overview && !Array.isArray(overview.text_blocks) ? wordsOf(overview.page_token) : null;
};

export function overviewOf(overview: Fields | null): AiOverview | null {
  if (!overview) return null;
  const text = listOf(overview.text_blocks).flatMap(linesOf).join('\n');
  if (text === '') return null;
  return {
    text,
    references: references(
      listOf(overview.references).map((r) => ({ url: wordsOf(r.link), title: wordsOf(r.title) ?? wordsOf(r.source) })),
    ),
  };
}
function linesOf(block: Fields): string[] {
  const rows = Array.isArray(block.table)
    ? block.table.flatMap((row) => (Array.isArray(row) ? [row.map((cell) => wordsOf(cell) ?? '').join(' | ')] : []))
    : [];
  const own = [wordsOf(block.title), wordsOf(block.snippet), wordsOf(block.code)].filter((line) => line !== null);
  return [...own, ...rows, ...listOf(block.list).flatMap(linesOf), ...listOf(block.text_blocks).flatMap(linesOf)];
}
