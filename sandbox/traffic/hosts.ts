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
  answer({ url, day }) {
    const domain = /^\/api\/ranks\/domain\/([^/]+)$/.exec(url.pathname)?.[1];
    if (domain) return blockPage(domain) ?? json({ ranks: trafficOf(domain, day)?.ranks ?? [], domain });
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
const meta = (query: URLSearchParams) => ({
  request: Object.fromEntries([...query].map(([name, value]) => [name, name === 'metrics' ? value.split(',') : value])),
  status: 'Success',
  last_updated: '2026-10-31',
});
const error = (status: number, code: number, message: string) =>
  json({ meta: { status: 'Error', error_code: code, error_message: message } }, status);
const plain = (status: number, body: string) => ({ status, headers: { 'content-type': 'text/plain' }, body });

/** A panel with version 5 of the API of Similarweb. */
export const panel: SandboxHost = {
  origins: ['https://api.similarweb.com'],
  answer({ url, headers, day }: SandboxRequest) {
    const query = url.searchParams;
    const [domain, from, to] = [query.get('domain') ?? '', query.get('start_date') ?? '', query.get('end_date') ?? ''];
    if (headers['api-key'] !== DEMO_PANEL_KEY) return plain(403, 'invalid API key');
    const walled = blockPage(domain);
    if (walled) return walled;
    const facts = trafficOf(domain, day)?.panel;
    if (!facts) return error(401, 401, 'Data not found');
    const granularity = query.get('granularity');
    if (granularity !== 'monthly') return error(400, 102, 'Granularity is not supported');
    const months = facts.months.filter((m) => m.month >= from && m.month <= to);
    if (months.length === 0) return error(400, 101, `Dates not in range: ${PANEL_MONTHS[0]} to ${PANEL_MONTHS.at(-1)}`);
    const answer = (data: readonly object[]) => json({ meta: meta(query), data });
    switch (url.pathname.replace('/v5/website-analysis/websites/', '')) {
      case 'traffic-and-engagement': {
        const metrics = (query.get('metrics') ?? '').split(',');
        return answer(
          months.map(({ month, visits }) => {
            const values = {
              visits,
              unique_visitors: Math.round(visits * 0.6),
              pages_per_visit: facts.pagesPerVisit,
              average_visit_duration: facts.seconds,
              bounce_rate: facts.bounceRate,
            };
            return { date: `${month}-01`, ...Object.fromEntries(Object.entries(values).filter(([name]) => metrics.includes(name))) };
          }),
        );
      }
      case 'traffic-channels/share': {
        const channels = Object.entries(facts.sources).flatMap(([name, n]) =>
          Array.isArray(n) ? [['Organic Search', n[0]] as const, ['Paid Search', n[1]] as const] : [[name, n] as const],
        );
        const total = channels.reduce((sum, [, n]) => sum + n, 0);
        return answer(channels.map(([channel, n]) => ({ date: `${to}-01`, channel, share: n / total })));
      }
      case 'geography/aggregated':
        return answer(
          facts.countries.map(([country, country_name, share], i) => ({ country, country_name, share, rank: facts.globalRank + i })),
        );
      default:
        return error(404, 404, 'Not found');
    }
  },
};
