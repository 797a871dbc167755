import { json, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { bingPage } from './bing.ts';
import { type Block, type SerpFact, serpOf } from './facts.ts';
import { googleNothing, googlePage } from './google.ts';
import { SERP_WALLS } from './walls.ts';

/** Credentials that the simulated data providers know. */
export const DEMO_DATAFORSEO = { login: 'demo', password: 'demo-secret' } as const;
export const DEMO_SERPAPI_KEY = 'demo-serpapi';
/** Keywords at which the simulated providers misbehave in their own words. */
export const PROVIDER_FAULTS = { broke: 'provider out of money', queued: 'provider still busy' } as const;

const COUNTRY_OF: Readonly<Record<number, string>> = { 2840: 'US', 2826: 'GB', 2276: 'DE', 2250: 'FR', 2392: 'JP', 2076: 'BR' };
const stamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

interface Task {
  keyword?: string;
  location_code?: number;
  language_code?: string;
  device?: string;
  depth?: number;
}

/** DataForSEO's live endpoints: status 200 for nearly everything, the truth in two places of the body. */
export function dataforseoAnswer(request: SandboxRequest): SandboxResponse {
  const expected = `Basic ${Buffer.from(`${DEMO_DATAFORSEO.login}:${DEMO_DATAFORSEO.password}`).toString('base64')}`;
  const top = (code: number, message: string, tasks: unknown[] | null, cost = 0) => ({
    version: '0.1.20261001',
    status_code: code,
    status_message: message,
    time: '2.1406 sec.',
    cost,
    tasks_count: tasks?.length ?? 0,
    tasks_error: 0,
    tasks,
  });
  if (request.headers.authorization !== expected) return json(top(40100, 'You are not Authorized to Access this Resource.', null), 401);
  const [, engine, form] = /^\/v3\/serp\/(google|bing)\/organic\/live\/(advanced|html)$/.exec(request.url.pathname) ?? [];
  if (!engine || !form || request.method !== 'POST') return json(top(40400, 'Not Found.', null), 404);
  const [task] = JSON.parse(request.body || '[]') as Task[];
  const data = { api: 'serp', function: 'live', se: engine, se_type: 'organic', ...task };
  const failed = (code: number, message: string) =>
    json(
      top(20000, 'Ok.', [
        {
          id: '10020914-1535',
          status_code: code,
          status_message: message,
          time: '1.0 sec.',
          cost: 0,
          result_count: 0,
          path: ['v3', 'serp', engine, 'organic', 'live', form],
          data,
          result: null,
        },
      ]),
    );
  if (!task?.keyword) return failed(40501, "Invalid Field: 'keyword'.");
  const keyword = decodeURIComponent(task.keyword.replace(/\+/g, ' '));
  if (keyword === PROVIDER_FAULTS.broke) return json(top(40200, 'Payment Required.', null), 402);
  if (keyword === PROVIDER_FAULTS.queued) return failed(40602, 'Task In Queue.');
  if (Object.values<string>(SERP_WALLS).includes(keyword)) return failed(40101, 'Internal SE Server Error.');
  const fact = serpOf(keyword, engine === 'google' ? 'a' : 'b', COUNTRY_OF[task.location_code ?? 2840], task.language_code);
  if (fact.total === 0 && form === 'advanced') return failed(40102, 'No Search Results.');
  const depth = task.depth ?? 10;
  const pages = fact.pages.slice(0, Math.ceil(depth / 10));
  const items = form === 'html' ? htmlItems(fact, pages.length) : advancedItems(fact, pages);
  const cost = 0.002 + 0.0015 * (Math.max(1, pages.length) - 1) + (form === 'advanced' && fact.overview ? 0.002 : 0);
  const result = {
    keyword,
    type: 'organic',
    se_domain: `${engine}.com`,
    location_code: task.location_code,
    language_code: task.language_code,
    check_url: `https://www.${engine}.com/search?q=${encodeURIComponent(keyword)}`,
    datetime: `${stamp(fact.at)} +00:00`,
    spell: null,
    refinement_chips: null,
    item_types: [...new Set(items.map((i) => (i as { type?: string }).type))],
    se_results_count: fact.total,
    pages_count: pages.length,
    items_count: items.length,
    items,
  };
  const ok = {
    id: '10020914-1535-0139',
    status_code: 20000,
    status_message: 'Ok.',
    time: '2.0 sec.',
    cost,
    result_count: 1,
    path: ['v3', 'serp', engine, 'organic', 'live', form],
    data,
    result: [result],
  };
  return json(top(20000, 'Ok.', [ok], cost));
}

const htmlItems = (fact: SerpFact, pages: number) =>
  Array.from({ length: Math.max(1, pages) }, (_, i) => ({
    page: i + 1,
    date: `${stamp(fact.at)} +00:00`,
    html: fact.engine === 'b' ? bingPage(fact, i) : fact.total === 0 ? googleNothing(fact) : googlePage(fact, i, 'desktop'),
  }));

function advancedItems(fact: SerpFact, pages: readonly (readonly Block[])[]): Record<string, unknown>[] {
  const groups = new Map<string, number>();
  let absolute = 0;
  return pages.flatMap((blocks, page) =>
    blocks.map((b) => {
      const item = itemOf(b, fact);
      const group = (groups.get(String(item.type)) ?? 0) + 1;
      groups.set(String(item.type), group);
      return {
        ...item,
        rank_group: group,
        rank_absolute: ++absolute,
        page: page + 1,
        position: 'left',
        xpath: '/html[1]/body[1]',
        rectangle: null,
      };
    }),
  );
}
function itemOf(b: Block, fact: SerpFact): Record<string, unknown> {
  switch (b.kind) {
    case 'result': {
      const { title, url, domain, description, breadcrumb, siteName, rating, featured } = b.result;
      if (featured)
        return {
          type: 'featured_snippet',
          domain,
          title,
          featured_title: null,
          description,
          timestamp: null,
          url,
          images: null,
          table: null,
        };
      return {
        type: 'organic',
        domain,
        title,
        url,
        cache_url: null,
        related_search_url: null,
        breadcrumb,
        website_name: siteName,
        is_image: false,
        is_video: false,
        is_featured_snippet: false,
        is_malicious: false,
        is_web_story: false,
        description,
        pre_snippet: null,
        extended_snippet: rating ? `Rating: ${rating.value} · \u200e${rating.votes} reviews · \u200e$49.00 to $129.00` : null,
        images: null,
        amp_version: false,
        rating: rating && {
          rating_type: rating.max === 5 ? 'Max5' : 'CustomMax',
          value: rating.value,
          votes_count: rating.votes,
          rating_max: rating.max,
        },
        price: rating && {
          current: 49,
          regular: null,
          max_value: 129,
          currency: 'USD',
          is_price_range: true,
          displayed_price: '$49.00 to $129.00',
        },
        highlighted: [fact.keyword],
        links: null,
        faq: null,
        extended_people_also_search: null,
        about_this_result: {
          type: 'about_this_result_element',
          url,
          source: null,
          source_info: `${siteName} was first indexed more than ten years ago.`,
          source_url: null,
          language: 'English',
          location: 'the United States',
          search_terms: fact.keyword.split(' '),
          related_terms: null,
        },
        related_result: null,
        timestamp: null,
      };
    }
    case 'ad':
      return {
        type: 'paid',
        title: b.ad.title,
        domain: b.ad.domain,
        website_name: null,
        breadcrumb: `https://${b.ad.domain}`,
        url: b.ad.url,
        extra: { ad_aclk: 'DChcSE' },
        description: b.ad.description,
        description_rows: null,
        links: null,
        price: null,
        rating: null,
      };
    case 'questions':
      return {
        type: 'people_also_ask',
        items: b.questions.map((title) => ({ type: 'people_also_ask_element', title, seed_question: null, expanded_element: null })),
      };
    case 'images':
      return { type: 'images', title: 'Images', url: 'https://www.google.com/search?udm=2', items: [] };
    case 'related':
      return { type: 'related_searches', items: fact.related };
    case 'overview': {
      const [first, heading, ...items] = fact.overview?.lines ?? [];
      const cited = fact.overview?.references.map((r) => ({
        type: 'ai_overview_reference',
        source: r.source,
        domain: r.domain,
        url: `${r.url}#:~:text=Good`,
        title: r.title,
        text: null,
      }));
      return {
        type: 'ai_overview',
        asynchronous_ai_overview: true,
        markdown: fact.overview?.lines.join('\n'),
        references: cited,
        items: [
          {
            type: 'ai_overview_element',
            title: null,
            text: first,
            markdown: first,
            links: null,
            images: null,
            references: cited?.slice(0, 1),
          },
          {
            type: 'ai_overview_element',
            title: heading,
            text: items.join('\n'),
            markdown: '',
            links: null,
            images: null,
            references: null,
          },
        ],
      };
    }
  }
}
