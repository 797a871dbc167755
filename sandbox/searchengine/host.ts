import { html, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { bingChallenge, bingNothing, bingPage } from './bing.ts';
import { captchaForward, captchaPage, consentForward, consentPage, SERP_BLOCK_PAGES, shellPage, tooMany } from './block-pages.ts';
import { serpOf } from './facts.ts';
import { googleNothing, googlePage } from './google.ts';
import { dataforseoAnswer } from './providers.ts';
import { SEARXNG_ORIGIN, searxngAnswer } from './searxng.ts';
import { serpapiAnswer } from './serpapi.ts';

const robots = (): SandboxResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: 'User-agent: *\nDisallow: /search\nDisallow: /url\n',
});

/** Engine A: result pages for browsers that run scripts, an empty shell for other clients. */
function googleAnswer(request: SandboxRequest): SandboxResponse {
  const { url, headers } = request;
  if (url.pathname === '/robots.txt') return robots();
  if (url.pathname.startsWith('/sorry/')) return captchaPage(url.searchParams.get('continue') ?? '');
  if (url.pathname !== '/search') return html('<html><body>404. That’s an error.</body></html>', 404);
  const keyword = url.searchParams.get('q') ?? '';
  const agent = headers['user-agent'] ?? '';
  const index = Math.floor(Number(url.searchParams.get('start') ?? 0) / 10);
  if (keyword === SERP_BLOCK_PAGES.captcha || (keyword === SERP_BLOCK_PAGES.secondPage && index > 0)) return captchaForward(url.href);
  if (keyword === SERP_BLOCK_PAGES.consent) return consentForward(url.href);
  if (keyword === SERP_BLOCK_PAGES.tooMany) return tooMany();
  if (keyword === SERP_BLOCK_PAGES.failing) return html('<html><title>Error 503 (Service Unavailable)!!1</title><p>503.</html>', 503);
  const plain = url.searchParams.get('gbv') === '1';
  if (keyword === SERP_BLOCK_PAGES.shell || (!plain && !/Mozilla\/5\.0/.test(agent))) return shellPage();
  const [language = 'en'] = (url.searchParams.get('hl') ?? 'en').split('-');
  const fact = serpOf(keyword, 'a', (url.searchParams.get('gl') ?? 'us').toUpperCase(), language, request.day);
  if (!fact.pages[index]) return html(googleNothing(fact));
  return html(googlePage(fact, index, plain ? 'plain' : /Mobile/.test(agent) ? 'mobile' : 'desktop'));
}

/** Engine B: serves clients without scripts. Page two requires the cookie of page one; other clients get page one again. */
function bingAnswer({ url, headers, day }: SandboxRequest): SandboxResponse {
  if (url.pathname === '/robots.txt') return robots();
  if (url.pathname !== '/search') return html('<html><body>Not found</body></html>', 404);
  const keyword = url.searchParams.get('q') ?? '';
  const asked = Math.floor((Number(url.searchParams.get('first') ?? 1) - 1) / 10);
  if (keyword === SERP_BLOCK_PAGES.challenge || (keyword === SERP_BLOCK_PAGES.secondPage && asked > 0)) return html(bingChallenge(keyword));
  if (keyword === SERP_BLOCK_PAGES.disguised) return html(bingNothing(keyword));
  if (keyword === SERP_BLOCK_PAGES.tooMany) return tooMany();
  if (keyword === SERP_BLOCK_PAGES.failing) return html("<html><body><h2>Our services aren't available right now</h2></body></html>", 503);
  const fact = serpOf(keyword, 'b', url.searchParams.get('cc') ?? 'US', url.searchParams.get('setlang') ?? 'en', day);
  if (fact.total === 0) return html(bingNothing(keyword));
  const index = /(^|;\s*)MUID=/.test(headers.cookie ?? '') ? asked : 0;
  return html(bingPage(fact, index), 200, { 'set-cookie': 'MUID=1A2B; path=/' });
}

/** Both engines, the data providers, and a SearXNG instance. */
export const SEARCH_HOSTS: readonly SandboxHost[] = [
  { origins: ['https://www.google.com', 'https://google.com'], answer: googleAnswer },
  { origins: ['https://consent.google.com'], answer: () => consentPage() },
  { origins: ['https://www.bing.com', 'https://bing.com'], answer: bingAnswer },
  { origins: ['https://api.dataforseo.com'], answer: dataforseoAnswer },
  { origins: ['https://serpapi.com'], answer: serpapiAnswer },
  { origins: [SEARXNG_ORIGIN], answer: searxngAnswer },
];
