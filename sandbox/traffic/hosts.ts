import { COMPETITORS, SANDBOX_NOW } from '../competitors.ts';
import { html, json, type SandboxHost, type SandboxRequest } from '../host.ts';
import { PANEL_MONTHS, trafficOf } from './facts.ts';

/** Domains for which the simulated rank list and panel return an error, by name. */
export const TRAFFIC_BLOCK_PAGES = {
  challenge: 'challenge-traffic.com',
  tooMany: 'too-many-traffic.com',
  failing: 'failing-traffic.com',
  shell: 'shell-traffic.com',
} as const;

const CHALLENGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={cType:"managed"};</script></body></html>';

function blockPage(domain: string) {
  if (domain === TRAFFIC_BLOCK_PAGES.challenge) return html(CHALLENGE, 403);
  if (domain === TRAFFIC_BLOCK_PAGES.tooMany)
    return { status: 429, headers: { 'content-type': 'text/plain', 'retry-after': '7' }, body: 'Too many requests' };
  if (domain === TRAFFIC_BLOCK_PAGES.failing) return html('<html><body>Bad Gateway</body></html>', 502);
  if (domain === TRAFFIC_BLOCK_PAGES.shell) return json({});
  return null;
}

const LIST_ID = 'SAND1';
/** A rank list in Tranco's API: ranks of a domain, the newest list, and the list file. */
export const tranco: SandboxHost = {
  origins: ['https://tranco-list.eu'],
  answer({ url }) {
    const domain = /^\/api\/ranks\/domain\/([^/]+)$/.exec(url.pathname)?.[1];
    if (domain) return blockPage(domain) ?? json({ ranks: trafficOf(domain)?.ranks ?? [], domain });
    if (url.pathname === '/api/lists/date/latest') {
      const created = new Date(SANDBOX_NOW).toISOString().slice(0, 19);
      return json({
        list_id: LIST_ID,
        available: true,
        download: `https://tranco-list.eu/download/${LIST_ID}/1000000`,
        created_on: created,
        failed: false,
      });
    }
    if (url.pathname === `/download/${LIST_ID}/full`) return { status: 200, headers: { 'content-type': 'text/csv' }, body: fullList() };
    return html('<html><body>Not Found</body></html>', 404);
  },
};

/** A list of 2,000 rows, in order of rank, with the competitors whose rank is within it. */
export function fullList(): string {
  const named = new Map(COMPETITORS.flatMap((c) => (c.rank !== null && c.rank <= 2000 ? [[c.rank, c.domain] as const] : [])));
  return Array.from({ length: 2000 }, (_, i) => `${i + 1},${named.get(i + 1) ?? `site-${i + 1}.example.com`}\r\n`).join('');
}

export const DEMO_PANEL_KEY = 'demo-similarweb';
const meta = (domain: string) => ({
  request: { granularity: 'Monthly', main_domain_only: false, domain, country: 'world', format: 'json' },
  status: 'Success',
  last_updated: '2026-10-31',
});
const error = (status: number, code: number, message: string) =>
  json({ meta: { status: 'Error', error_code: code, error_message: message } }, status);

/** A panel with the API of Similarweb. */
export const panel: SandboxHost = {
  origins: ['https://api.similarweb.com'],
  answer(request: SandboxRequest) {
    if (request.headers['api-key'] !== DEMO_PANEL_KEY) return error(401, 102, 'Invalid API key');
    const [, domain = '', endpoint = ''] = /^\/v\d\/website\/([^/]+)\/(.+)$/.exec(request.url.pathname) ?? [];
    const walled = blockPage(domain);
    if (walled) return walled;
    const facts = trafficOf(domain)?.panel;
    if (!facts) return json({ meta: { ...meta(domain), status: 'Error', error_code: 401, error_message: 'Data not found' } }, 404);
    const [from, to] = [request.url.searchParams.get('start_date') ?? '', request.url.searchParams.get('end_date') ?? ''];
    const months = facts.months.filter((m) => m.month >= from && m.month <= to);
    const series = (key: string, value: (i: number) => number) =>
      json({ meta: meta(domain), [key]: months.map((m, i) => ({ date: `${m.month}-01`, [key]: value(i) })) });
    const last = `${PANEL_MONTHS.at(-1)}-01`;
    switch (endpoint) {
      case 'total-traffic-and-engagement/visits':
        return series('visits', (i) => months[i]?.visits ?? 0);
      case 'total-traffic-and-engagement/pages-per-visit':
        return series('pages_per_visit', () => facts.pagesPerVisit);
      case 'total-traffic-and-engagement/average-visit-duration':
        return series('average_visit_duration', () => facts.seconds);
      case 'total-traffic-and-engagement/bounce-rate':
        return series('bounce_rate', () => facts.bounceRate);
      case 'global-rank/global-rank':
        return json({ meta: meta(domain), global_rank: { rank: facts.globalRank } });
      case 'traffic-sources/overview-share': {
        const channels = Object.entries(facts.sources).map(([source_type, n]) => ({
          source_type,
          visits: [{ date: last, organic: Array.isArray(n) ? n[0] : n, paid: Array.isArray(n) ? n[1] : 0 }],
        }));
        return json({ meta: meta(domain), visits: { [domain]: channels } });
      }
      case 'geo/total-traffic-by-country':
        return json({
          meta: meta(domain),
          records: facts.countries.map(([country, country_name, share]) => ({ country, country_name, share })),
        });
      default:
        return error(404, 404, 'Not found');
    }
  },
};
