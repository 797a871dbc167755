import { json, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { SERP_BLOCK_PAGES, tooMany } from './block-pages.ts';
import { type SerpFact, serpOf } from './facts.ts';
import { DEMO_SERPAPI_KEY, PROVIDER_FAULTS } from './providers.ts';

const stamp = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').slice(0, 19)} UTC`;

function overviewBody(fact: SerpFact): Record<string, unknown> {
  const [first, heading, ...items] = fact.overview?.lines ?? [];
  return {
    text_blocks: [
      { type: 'paragraph', snippet: first, reference_indexes: [0] },
      { type: 'heading', snippet: heading },
      { type: 'list', list: items.map((snippet) => ({ snippet, reference_indexes: [1] })) },
    ],
    references: fact.overview?.references.map((r, index) => ({
      title: r.title,
      link: r.url,
      snippet: `${r.source} says more.`,
      source: r.source,
      index,
    })),
  };
}

/** SerpApi's search endpoint: `search_metadata` contains the state of a search, `error` its failure. */
export function serpapiAnswer({ url, day }: SandboxRequest): SandboxResponse {
  const q = url.searchParams;
  if (url.pathname !== '/search.json' && url.pathname !== '/search') return json({ error: 'Not Found' }, 404);
  if (q.get('api_key') !== DEMO_SERPAPI_KEY)
    return json({ error: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key' }, 401);
  const engine = q.get('engine') ?? 'google';
  const meta = (status: string, at: number) => ({
    id: '68d437484c437fdcf83f1000',
    status,
    json_endpoint: 'https://serpapi.com/searches/x.json',
    created_at: stamp(at),
    processed_at: stamp(at),
    total_time_taken: 1.62,
  });
  if (engine === 'google_ai_overview') {
    const [keyword = '', country = 'US', language = 'en'] = Buffer.from(q.get('page_token') ?? '', 'base64url')
      .toString()
      .split('\n');
    const fact = serpOf(keyword, 'a', country, language, day);
    return json({ search_metadata: meta('Success', fact.at), search_parameters: { engine }, ai_overview: overviewBody(fact) });
  }
  const keyword = q.get('q') ?? '';
  if (!keyword) return json({ error: 'Missing query `q` parameter.' }, 400);
  if (keyword === PROVIDER_FAULTS.broke) return json({ error: 'Your account has run out of searches.' }, 429);
  if (keyword === SERP_BLOCK_PAGES.tooMany) return tooMany();
  const country = (engine === 'bing' ? (q.get('cc') ?? q.get('mkt')?.slice(3)) : q.get('gl'))?.toUpperCase() ?? 'US';
  const language = (engine === 'bing' ? q.get('mkt')?.slice(0, 2) : q.get('hl')) ?? 'en';
  const fact = serpOf(keyword, engine === 'bing' ? 'b' : 'a', country, language, day);
  const index = engine === 'bing' ? (Number(q.get('first') ?? 1) - 1) / 10 : Number(q.get('start') ?? 0) / 10;
  const parameters = { engine, q: keyword, device: q.get('device') ?? 'desktop', hl: language, gl: country.toLowerCase() };
  const head = { search_metadata: meta('Success', fact.at), search_parameters: parameters };
  if (keyword === PROVIDER_FAULTS.queued) return json({ ...head, search_metadata: meta('Processing', fact.at) });
  if (Object.values<string>(SERP_BLOCK_PAGES).includes(keyword) && (keyword !== SERP_BLOCK_PAGES.secondPage || index > 0))
    return json({
      ...head,
      search_metadata: meta('Error', fact.at),
      error: "We couldn't get valid results for this search. Please try again later.",
    });
  const blocks = fact.pages[index] ?? [];
  if (!blocks.length)
    return json({
      ...head,
      search_information: { organic_results_state: 'Fully empty', query_displayed: keyword },
      error: "Google hasn't returned any results for this query.",
    });
  const results = blocks.flatMap((b) => (b.kind === 'result' ? [b.result] : []));
  const featured = results.find((r) => r.featured);
  const ads = blocks.flatMap((b) => (b.kind === 'ad' ? [b] : []));
  const relatedQuestions = blocks.flatMap((b) => (b.kind === 'relatedQuestions' ? b.relatedQuestions : []));
  const entry = (r: (typeof results)[number]) => ({
    title: r.title,
    link: r.url,
    redirect_link: `https://www.google.com/url?sa=t&url=${encodeURIComponent(r.url)}`,
    displayed_link: r.breadcrumb,
    snippet: r.description,
    source: r.siteName,
    ...(r.rating && {
      rich_snippet: {
        top: {
          detected_extensions: { rating: r.rating.value, reviews: r.rating.votes },
          extensions: [`${r.rating.value}${r.rating.max === 10 ? '/10' : ''}(${r.rating.votes})`],
        },
      },
    }),
  });
  const more = index + 1 < fact.pages.length;
  const otherPages = (addressOf: (page: number) => string) =>
    Object.fromEntries(fact.pages.flatMap((_, page) => (page === index ? [] : [[page + 1, addressOf(page)]])));
  return json({
    ...head,
    search_information: {
      query_displayed: keyword,
      total_results: fact.total,
      time_taken_displayed: 0.31,
      organic_results_state: 'Results for exact spelling',
    },
    ...(ads.length && {
      ads: ads.map((b, i) => ({
        position: i + 1,
        block_position: b.place,
        title: b.ad.title,
        link: b.ad.url,
        displayed_link: `https://${b.ad.domain}`,
        tracking_link: 'https://www.google.com/aclk?sa=l',
        source: b.ad.domain,
        description: b.ad.description,
      })),
    }),
    ...(index === 0 &&
      fact.overview && {
        ai_overview: {
          page_token: Buffer.from(`${keyword}\n${country}\n${language}`).toString('base64url'),
          serpapi_link: 'https://serpapi.com/search.json?engine=google_ai_overview',
        },
      }),
    ...(featured && { answer_box: { type: 'organic_result', ...entry(featured) } }),
    organic_results: results.filter((r) => !r.featured).map((r, i) => ({ position: i + 1, ...entry(r) })),
    ...(relatedQuestions.length && {
      related_questions: relatedQuestions.map((question) => ({
        question,
        snippet: 'An answer.',
        title: 'An answer',
        link: 'https://answers.example/',
      })),
    }),
    ...(blocks.some((b) => b.kind === 'images') && {
      inline_images: [{ thumbnail: 'https://serpapi.com/x.jpeg', source: 'https://images.example/' }],
    }),
    ...(blocks.some((b) => b.kind === 'related') && {
      related_searches: fact.related.map((query) => ({ query, link: `https://www.google.com/search?q=${encodeURIComponent(query)}` })),
    }),
    ...(fact.pages.length > 1 && {
      pagination: {
        current: index + 1,
        ...(more && { next: `https://www.google.com/search?q=x&start=${(index + 1) * 10}` }),
        other_pages: otherPages((page) => `https://www.google.com/search?q=x&start=${page * 10}`),
      },
      serpapi_pagination: {
        current: index + 1,
        ...(more && { next: `https://serpapi.com/search.json?engine=${engine}&start=${(index + 1) * 10}` }),
        other_pages: otherPages((page) => `https://serpapi.com/search.json?engine=${engine}&start=${page * 10}`),
      },
    }),
  });
}
