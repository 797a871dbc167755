/** Example answers for the OpenAPI description: answers of the demo, with normalised values where they differ between starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { accountEndpoints } from '../src/contract/account/endpoints.ts';
import { OPERATIONS, operationList } from '../src/contract/operations/index.ts';
import type { Parameter } from '../src/contract/parameters/parameter.ts';

/** Answers by the name of the example: the id of the operation or endpoint, or the path of a document. */
export type Examples = Readonly<Record<string, unknown>>;

/** The files that hold the examples: one for each operation beside its definition, one for the others. */
export function exampleFiles(examples: Examples): Readonly<Record<string, unknown>> {
  const others = Object.entries(examples).filter(([name]) => !Object.hasOwn(OPERATIONS, name));
  return {
    ...Object.fromEntries(operationList.map(({ id }) => [`src/contract/operations/${id}/sample.json`, examples[id]])),
    'src/contract/openapi/examples.json': Object.fromEntries(others),
  };
}

const MAX_ENTRIES = 2;
const MAX_TEXT = 300;
const BASE_URL = 'https://sightline.example';
/** Id of every example lookup: the request log explains the newest one. */
const REQUEST_ID = 'h2k9d0qlw1ztb5-ml29f9c0-1f';

/** Path built from the examples of the required parameters. */
function pathOf(template: string, parameters: readonly Parameter[], more: Readonly<Record<string, string>> = {}): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((p) => p.name === name)?.example)),
  );
  const required = parameters.filter((p) => p.in === 'query' && p.required).map((p): [string, string] => [p.name, String(p.example)]);
  const query = new URLSearchParams([...required, ...Object.entries(more)]);
  return query.size ? `${path}?${query}` : path;
}

/** A watch whose answers are examples. */
const NEW_WATCH = {
  operation: 'serp',
  parameters: { keyword: 'running shoes' },
  every: '1d',
  creditsPerMonth: 31,
  webhook: { url: 'http://127.0.0.1:9/changes' },
};

const APP_WATCH = { operation: 'app-keywords', parameters: { keyword: 'product reviews' }, every: '1d', creditsPerMonth: 31 };

/** Bodies of endpoints by their names; `to`: a target of messages. */
const bodiesFor = (to: string): Readonly<Record<string, object>> => ({
  NewWatch: NEW_WATCH,
  NewWatchList: {
    operation: 'registration',
    lines: 'acme-widgets.com\nbluebirdlooms.com\nacme widgets.com\nACME-WIDGETS.com',
    every: '7d',
  },
  WatchEdit: { name: 'Ranking' },
  SitesEdit: { own: 'acme-widgets.com', rivals: ['bluebirdlooms.com'], apps: { own: 'acme-reviews', rivals: [] } },
  NotifyEdit: { notify: [{ to, as: 'ntfy' }] },
  NotifyTest: { to, as: 'ntfy' },
});

const DOCUMENTS = [
  '/healthz',
  '/readyz',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/jwks.json',
] as const;

/** Fields whose value is random or depends on the clock: simulated platforms date their content relative to now. */
const RANDOM: Readonly<Record<string, string>> = {
  access_token: 'eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjbGllbnRfN2QxZSJ9.c2lnbmF0dXJl',
  kid: 'k1',
  x: 'MCowBQYDK2VwAyEA7x5o1fZ2b3V0c2lkZXJz',
  requestId: REQUEST_ID,
  scrapedAt: '2026-01-31T12:00:00.000Z',
  checkedAt: '2026-01-31T12:00:00.000Z',
  createdAt: '2026-01-31T12:00:00.000Z',
  at: '2026-01-31T12:00:00.000Z',
  slot: '2026-01-31T12:00:00.000Z',
  nextAt: '2026-02-01T06:00:00.000Z',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  freshUntil: '2026-01-31T18:00:00.000Z',
  from: '2026-01-02',
  to: '2026-01-31',
  day: '2026-01-31',
  period: '2026-01',
  month: '2026-01',
  reviewCreatedDate: '2026-01-15',
  version: '1.0.0',
};
const RANDOM_NUMBERS: Readonly<Record<string, number>> = { startMs: 3, durationMs: 215, upstreamMs: 212, daysLeft: 394 };
function normalised(value: unknown, key: string, baseUrl: string): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => normalised(item, key, baseUrl));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalised(item, name, baseUrl)]));
  if (typeof value === 'number') return RANDOM_NUMBERS[key] ?? value;
  if (typeof value !== 'string') return value;
  if (Object.hasOwn(RANDOM, key) && !value.startsWith('http')) return RANDOM[key];
  const stable = value
    .replaceAll(baseUrl, BASE_URL)
    .replace(/\bacc_\w+(\.\d+\.[\w-]{20,})?/g, (_, hold?: string) => `acc_5f0c2d${hold ? '.118.0198c2a4-6b1e-7c3a-9f10-2b3c4d5e6f70' : ''}`)
    .replace(/\bkey_\w+/g, 'key_5f0c')
    .replace(/\bwat_\w+/g, 'wat_5f0c2d')
    .replace(/\btgt_\d+/g, 'tgt_7')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/notify/, 'https://ntfy.sh/acme-widgets')
    .replace(/\bcal_[\w-]+/g, 'cal_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replace('http://127.0.0.1:9/changes', 'https://www.acme-widgets.com/changes')
    .replace(/x-expires=\d+/g, 'x-expires=1769875200');
  return stable.length > MAX_TEXT && !/^https?:/.test(stable) ? `${stable.slice(0, MAX_TEXT)}…` : stable;
}

/** Starts the demo, requests every endpoint of the description once, and stops it. */
export async function collectExamples(): Promise<Examples> {
  const demo = spawn(process.execPath, ['bin/sightline.mjs', 'demo', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  const target = createServer((_, response) => void response.end()).listen(0, '127.0.0.1');
  try {
    await once(target, 'listening');
    const bodies = bodiesFor(`http://127.0.0.1:${(target.address() as AddressInfo).port}/notify`);
    const [line] = (await once(createInterface({ input: demo.stdout }), 'line')) as [string];
    const { baseUrl, apiKey, clientId, clientSecret } = JSON.parse(line) as Record<string, string>;
    const request = async (path: string, init: RequestInit = { headers: { 'x-api-key': apiKey ?? '' } }): Promise<unknown> => {
      const response = await fetch(`${baseUrl}${path}`, init);
      const body: unknown = response.status === 204 ? null : await response.json();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
      return body === null ? null : normalised(body, '', baseUrl ?? '');
    };
    const examples: Record<string, unknown> = {};
    for (const { id, path, parameters } of operationList)
      examples[id] = await request(pathOf(path, parameters), { headers: { 'x-api-key': apiKey ?? '', 'x-request-id': REQUEST_ID } });
    const priced = Object.fromEntries(OPERATIONS.registration.parameters.map((p) => [p.name, String(p.example)]));
    const headers = { 'x-api-key': apiKey ?? '', 'content-type': 'application/json' };
    const send = (method: string, path: string, body?: object) =>
      request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const make = async (body: object): Promise<string> => {
      const made = await fetch(`${baseUrl}/v1/account/watches`, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await made.json()) as { watchId: string }).watchId;
    };
    const watchId = await make(NEW_WATCH);
    const watch = (path: string): string => path.replace(/wat_\w+/, watchId);
    await send('POST', `/v1/account/watches/${watchId}/run`);
    await send('PUT', '/v1/account/notify', bodies.NotifyEdit);
    await send('PUT', '/v1/account/sites', bodies.SitesEdit);
    // what deletes comes last
    for (const { id, path, parameters, rest, method, exampleOf, body } of accountEndpoints.toSorted(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    )) {
      if (exampleOf !== undefined) continue;
      const target = watch(pathOf(path, parameters, rest && priced));
      const sent = body && bodies[body.name];
      const example = method ? await send(method, target, sent) : await request(target);
      if (example !== null) examples[id] = example;
    }
    // a watch of its own, so that the other examples show one alone
    await send('POST', `/v1/account/watches/${await make(APP_WATCH)}/run`);
    examples['account-app-rankings'] = await request('/v1/account/app-rankings');
    examples['oauth-token'] = await request('/v1/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'registration account' }),
    });
    for (const path of DOCUMENTS) examples[path] = await request(path);
    return examples;
  } finally {
    target.close();
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  }
}
