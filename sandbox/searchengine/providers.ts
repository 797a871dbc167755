import { json, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { SERP_BLOCK_PAGES } from './block-pages.ts';
import { advancedItems, stamp } from './dataforseo-items.ts';
import { serpOf } from './facts.ts';

/** Credentials that the simulated data providers accept. */
export const DEMO_DATAFORSEO = { login: 'demo', password: 'demo-secret' } as const;
export const DEMO_SERPAPI_KEY = 'demo-serpapi';
/** Keywords for which the simulated providers return their own errors. */
export const PROVIDER_FAULTS = { broke: 'provider out of money', queued: 'provider still busy' } as const;

const COUNTRY_OF: Readonly<Record<number, string>> = { 2840: 'US', 2826: 'GB', 2276: 'DE', 2250: 'FR', 2392: 'JP', 2076: 'BR' };

interface Task {
  keyword?: string;
  location_code?: number;
  language_code?: string;
  device?: string;
  depth?: number;
}

/** DataForSEO's live endpoints: HTTP status 200 for nearly everything; two fields of the body contain the actual status. */
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
  const [, engine] = /^\/v3\/serp\/(google|bing)\/organic\/live\/advanced$/.exec(request.url.pathname) ?? [];
  if (!engine || request.method !== 'POST') return json(top(40400, 'Not Found.', null), 404);
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
          path: ['v3', 'serp', engine, 'organic', 'live', 'advanced'],
          data,
          result: null,
        },
      ]),
    );
  if (!task?.keyword) return failed(40501, "Invalid Field: 'keyword'.");
  const keyword = decodeURIComponent(task.keyword.replace(/\+/g, ' '));
  if (keyword === PROVIDER_FAULTS.broke) return json(top(40200, 'Payment Required.', null), 402);
  if (keyword === PROVIDER_FAULTS.queued) return failed(40602, 'Task In Queue.');
  if (Object.values<string>(SERP_BLOCK_PAGES).includes(keyword)) return failed(40101, 'Internal SE Server Error.');
  const fact = serpOf(keyword, engine === 'google' ? 'a' : 'b', COUNTRY_OF[task.location_code ?? 2840], task.language_code, request.day);
  if (fact.total === 0) return failed(40102, 'No Search Results.');
  const depth = task.depth ?? 10;
  const pages = fact.pages.slice(0, Math.ceil(depth / 10));
  const items = advancedItems(fact, pages);
  const cost = 0.002 + 0.0015 * (Math.max(1, pages.length) - 1) + (fact.overview ? 0.002 : 0);
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
    path: ['v3', 'serp', engine, 'organic', 'live', 'advanced'],
    data,
    result: [result],
  };
  return json(top(20000, 'Ok.', [ok], cost));
}
