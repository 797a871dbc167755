import { json, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { SERP_BLOCK_PAGES, tooMany } from './block-pages.ts';
import { serpOf } from './facts.ts';

export const SEARXNG_ORIGIN = 'https://searx.sandbox.example';
const REASON: Readonly<Record<string, string>> = {
  [SERP_BLOCK_PAGES.captcha]: 'Suspended: CAPTCHA',
  [SERP_BLOCK_PAGES.consent]: 'access denied',
  [SERP_BLOCK_PAGES.shell]: 'unexpected crash',
  [SERP_BLOCK_PAGES.challenge]: 'Suspended: CAPTCHA',
  [SERP_BLOCK_PAGES.failing]: 'timeout',
};

/** A SearXNG instance with its JSON format enabled. */
export function searxngAnswer({ url, day }: SandboxRequest): SandboxResponse {
  const query = url.searchParams.get('q') ?? '';
  const own = url.searchParams.get('engines') === 'bing' ? 'bing' : 'google';
  if (url.pathname !== '/search' || url.searchParams.get('format') !== 'json')
    return {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!DOCTYPE html><html><head><title>searx</title></head><body><main></main></body></html>',
    };
  if (query === SERP_BLOCK_PAGES.tooMany) return tooMany();
  const [language = 'en', country = 'US'] = (url.searchParams.get('language') ?? 'en-US').split('-');
  const page = Number(url.searchParams.get('pageno') ?? 1) - 1;
  const fact = serpOf(query, own === 'google' ? 'a' : 'b', country, language, day);
  const reason = REASON[query] ?? (query === SERP_BLOCK_PAGES.secondPage && page > 0 ? 'too many requests' : null);
  const results = reason ? [] : (fact.pages[page] ?? []).flatMap((b) => (b.kind === 'result' ? [b.result] : []));
  return json({
    query,
    number_of_results: 0,
    results: results.map((r, i) => ({
      url: r.url,
      title: r.title,
      content: r.description,
      engine: own,
      parsed_url: ['https', r.domain, '/', '', '', ''],
      template: 'default.html',
      engines: [own],
      positions: [i + 1],
      score: 1 / (i + 1),
      category: 'general',
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: results.length ? fact.related : [],
    unresponsive_engines: reason ? [[own, reason]] : [],
  });
}
