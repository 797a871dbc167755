// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { html, json, type SandboxHost, type SandboxResponse } from '../../sandbox/host.ts';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { SourceCheck } from '../../src/contract/admin/schemas.ts';
import { connectAdmin } from '../../src/gateway/admin/client.ts';
import { readSettings } from '../../src/settings.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { parseCanaries } from '../../src/watches/canary-file.ts';
import { canaryFileOf, knownFacts, planChecks } from '../../src/watches/source-checks.ts';
import { runCommand } from '../evidence/processes.ts';
import { startWhole } from './service.ts';

const PLATFORM = 'https://www.tiktok.com';
const VIDEO = 'https://www.tiktok.com/@acmewidgets/video/7301234567890123456';
/** What a platform answers instead of its own answer, by origin. */
const ANSWERS: Readonly<Record<string, (path: string) => SandboxResponse | null>> = {
  'https://apps.shopify.com': (path) =>
    path === '/robots.txt' ? null : html('<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x.js"></script>', 403),
  'https://cdn.syndication.twimg.com': (path) => (path === '/robots.txt' ? null : json({}, 429, { 'retry-after': '120' })),
  'https://publish.x.com': (path) => (path === '/robots.txt' ? null : html('<h1>Internal Server Error</h1>', 500)),
  [PLATFORM]: (path) =>
    path.startsWith('/oembed') ? json({ version: '1.0', author_name: 'Marlene Okonkwo', html: { of: 'marlene@okonkwo.example' } }) : null,
  'https://serpapi.com': () => json({ error: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key' }, 401),
};
const hosts: readonly SandboxHost[] = HOSTS.map((host) => ({
  ...host,
  answer: async (request) => ANSWERS[request.url.origin]?.(request.url.pathname) ?? host.answer(request),
}));
const FACTS = {
  canaries: [
    { name: 'domain', operation: 'registration', parameters: { domain: 'acme-widgets.com' }, facts: { available: false } },
    {
      name: 'post',
      operation: 'microblog-post',
      parameters: { url: 'https://x.com/i/status/1801234567890123456' },
      facts: { postId: { exists: true } },
    },
    { name: 'video', operation: 'short-video', parameters: { url: VIDEO }, facts: { videoId: '7301234567890123456' } },
    { name: 'app', operation: 'app', parameters: { handle: 'acme-reviews' }, facts: { name: { exists: true } } },
    { name: 'visits', operation: 'traffic', parameters: { domain: 'acme-widgets.com' }, facts: { visits: -1 } },
    { name: 'results', operation: 'serp', parameters: { keyword: 'linen sheets' }, facts: { 'organic.0.title': { exists: true } } },
  ],
};

let sandbox: Sandbox;
let folder: string;
before(async () => {
  sandbox = await startSandbox({ hosts, whois: WHOIS });
  folder = mkdtempSync(join(tmpdir(), 'sightline-doctor-'));
  writeFileSync(join(folder, 'facts.json'), JSON.stringify(FACTS));
});
after(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});
const run = (...args: string[]) =>
  runCommand(['doctor', ...args], {
    environment: {
      ...SANDBOX_SETTINGS,
      SIGHTLINE_HOSTS: sandbox.mapFile,
      SIGHTLINE_DATA_DIR: join(folder, 'data'),
      SIGHTLINE_PACE_PER_SECOND: '1000',
      SIGHTLINE_SOURCES_OFF: 'forum/api,microblog/api,SearXNG,traffic/similarweb',
      SIGHTLINE_APPMARKET_SEARCH: '0',
      SERPAPI_KEY: 'wrong',
    },
  });
type Checked = SourceCheck & { readonly case: string | null };

test('doctor shows every outcome once: works, blocked, limited, changed with its case, unreachable, refused, and what costs is not asked without a yes', async () => {
  const facts = ['--facts', join(folder, 'facts.json')];
  const { code, out } = await run(...facts, '--json');
  const rows: readonly Checked[] = JSON.parse(out);
  const states = Object.fromEntries(rows.map(({ source, state }) => [source, state]));
  assert.deepEqual(states, {
    'registration/rdap': 'works',
    'registration/whois': 'works',
    'traffic/model': 'changed',
    'shortvideo/page': 'works',
    'shortvideo/oembed': 'changed',
    'microblog/syndication': 'limited',
    'microblog/oembed': 'unreachable',
    'appmarket/page': 'blocked',
    DataForSEO: 'not_asked',
    SerpApi: 'not_asked',
  });
  assert.equal(code, 1);
  const of = (source: string): Checked => rows.find((row) => row.source === source) ?? assert.fail(source);
  assert.match(of('traffic/model').why ?? '', /^visits is \d+, expected -1$/);
  assert.deepEqual([of('DataForSEO').requestId, of('DataForSEO').usd > 0], [null, true]);
  for (const { state, advice } of rows) assert.equal(advice === null, state === 'works' || state === 'not_asked', state);
  const ofPlatform = of('microblog/oembed');
  assert.match(ofPlatform.why ?? '', /500/);
  assert.match(ofPlatform.advice ?? '', /an error of the platform/);
  const place = of('shortvideo/oembed').case ?? assert.fail('no case was made of what changed');
  const row = JSON.parse(readFileSync(join(place, 'cases.ndjson'), 'utf8'));
  const body = readFileSync(join(place, row.file), 'utf8');
  assert.equal(row.reader, 'shortvideo/oembed');
  assert.doesNotMatch(body + JSON.stringify(row), /okonkwo|marlene/i);

  const told = (await run(...facts)).out.split('\n').filter((line) => line.includes('answers in another form'));
  assert.equal(told.length, 1, 'advice for several sources is said once');
  assert.match(told[0] ?? '', /^traffic\/model, shortvideo\/oembed: /);

  const paid = await run(...facts, '--source', 'SerpApi', '--yes');
  assert.equal(paid.code, 1);
  assert.match(paid.error, /Paid: SerpApi at most \$0\.03; SIGHTLINE_DAILY_CAPS apply\./);
  assert.match(paid.out, /SerpApi +serp +refused/);
  assert.match(paid.out, /check the settings of the source/);
  const sound = await run(...facts, '--source', 'registration/rdap');
  assert.deepEqual([sound.code, /registration\/rdap +registration +works/.test(sound.out)], [0, true]);
  const none = await run('--source', 'no/such');
  assert.deepEqual([none.code, /no configured source no\/such/.test(none.error)], [1, true]);
  assert.ok(existsSync(join(folder, 'data', 'captures')));
});

test('the table of facts is valid, each row with its reason and reference, and every source has one', () => {
  const facts = knownFacts();
  for (const { name, reason, reference } of facts) assert.ok(reason.length > 20 && reference.length > 10, name);
  const all = readSettings({
    ...SANDBOX_SETTINGS,
    SIMILARWEB_API_KEY: 'k',
    X_BEARER_TOKEN: 'x',
    SERPAPI_KEY: 'k',
    SIGHTLINE_APPMARKET_SEARCH: '1',
  });
  const planned = planChecks(SOURCES, all, facts);
  assert.deepEqual(
    planned.filter(({ fact }) => fact === null).map(({ source }) => source.id),
    [],
  );
  const free = readSettings({});
  const file = canaryFileOf(planChecks(SOURCES, free, facts), false);
  const names = parseCanaries(file).map(({ name }) => name);
  assert.deepEqual(names, ['first-domain', 'visited-encyclopedia', 'documented-video', 'first-post', 'large-reviews-app']);
  const operations = (text: string) => new Set(parseCanaries(text).map(({ operation }) => operation));
  assert.ok(!operations(canaryFileOf(planned, false)).has('serp'), 'a paid source would be asked every day');
  assert.ok(operations(canaryFileOf(planned, true)).has('serp'));
});

test('the admin API checks a source now, by the running service, and says beforehand what it would ask', async (t) => {
  const service = await startWhole({ ...SANDBOX_SETTINGS, SIGHTLINE_SOURCES_OFF: 'forum/api' });
  t.after(() => service.stop());
  const client = (await connectAdmin(service.folder)) ?? assert.fail();
  const plan = await client.checkSources({ plan: true });
  assert.ok(plan.length > 5);
  for (const { state, requestId } of plan) assert.deepEqual([state, requestId], ['not_asked', null]);
  const [row, ...others] = await client.checkSources({ source: 'registration/rdap' });
  assert.equal(others.length, 0);
  assert.equal(row?.operation, 'registration');
  assert.match(row?.requestId ?? '', /^doctor-/);
  const [paid] = await client.checkSources({ source: 'DataForSEO' });
  assert.deepEqual([paid?.state, paid?.why], ['not_asked', 'it costs: allow paid sources']);
  await assert.rejects(client.checkSources({ source: 'no/such' }), /no configured source no\/such/);
  const audit = await client.auditLog({ action: 'source.check' });
  assert.deepEqual(audit.map(({ subject }) => subject).sort(), ['DataForSEO', 'registration/rdap']);
});
