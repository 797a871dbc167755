// Few in a process: it waits for processes that it starts.
// In the gate alone: it runs commands as processes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { APPS } from '../../sandbox/appmarket/apps.ts';
import type { SandboxHost } from '../../sandbox/host.ts';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { missing, startRedis } from '../fleet/services.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { editedCopy, eventually, runCommand, startCommand } from './processes.ts';
import { folderOf } from './samples.ts';

const DATE = /\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}), (\d{4})\b/g;
/** "May 7, 2020" as "2020, the 7th of May". */
const rewritten = (html: string): string => html.replace(DATE, '$3, the $2th of $1');
/** The repair: the parser turns the new form into the one that it knows. */
const repair = (code: string): string =>
  code.replace("\\b/.exec(text ?? '')", "\\b/.exec((text ?? '').replace(/(\\d{4}), the (\\d+)th of (\\w+)/, '$3 $2, $1'))");
/** One for all tests: a second start has what the first one compiled. */
const repaired = editedCopy('src/sources/appmarket/page/elements.ts', repair);

interface Setup {
  readonly baseUrl: string;
  /** The gateway's admin listener. */
  readonly admin: string;
  readonly key: string;
  /** Settings of commands that read the captures. */
  readonly environment: Readonly<Record<string, string>>;
}

const common = (mapFile: string): Record<string, string> => ({
  ...SANDBOX_SETTINGS,
  PORT: '0',
  SIGHTLINE_HOSTS: mapFile,
  SIGHTLINE_LOG_LEVEL: 'error',
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  SIGHTLINE_CAPTURE_SAMPLE: '0',
  SIGHTLINE_SECRET: 'a-secret-of-at-least-thirty-two-characters',
});

async function embedded(t: TestContext, mapFile: string): Promise<Setup> {
  const environment = { ...common(mapFile), SIGHTLINE_DATA_DIR: folderOf(t) };
  const { line } = await startCommand<{ baseUrl: string; admin: string; apiKey: string }>(t, environment, 'serve');
  return { baseUrl: line.baseUrl, admin: line.admin, key: line.apiKey, environment };
}

async function fleet(t: TestContext, mapFile: string): Promise<Setup> {
  const [redis, postgres] = await Promise.all([startRedis(), makeSchema()]);
  const shared = { ...common(mapFile), DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  // ended in reverse order: the services last
  t.after(async () => {
    await redis.close();
    await postgres.drop();
  });
  const gateway = await startCommand<{ baseUrl: string; admin: string }>(
    t,
    { ...shared, SIGHTLINE_DATA_DIR: folderOf(t) },
    'serve',
    '--gateway',
  );
  const environment = { ...shared, SIGHTLINE_DATA_DIR: folderOf(t) };
  await startCommand(t, environment, 'worker');
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, out, error } = await runCommand([...args, '--json'], { environment });
    assert.equal(code, 0, error);
    return JSON.parse(out) as T;
  };
  const { accountId } = await json<{ accountId: string }>('accounts', 'create', 'Evidence', '--credits', '1000');
  const { key } = await json<{ key: string }>('keys', 'create', '--account', accountId);
  const { baseUrl, admin } = gateway.line;
  // until the gateway has the worker's heartbeat
  await eventually(async () => {
    const { status } = await fetch(`${baseUrl}/v1/website/whois/domains/acme-widgets.com`, { headers: { 'x-api-key': key } });
    return status === 200 ? true : null;
  });
  return { baseUrl, admin, key, environment };
}

for (const [name, start, skip] of [
  ['one process', embedded, false],
  ['a gateway and a worker', fleet, missing('redis') || noPostgres],
] as const)
  test(`${name}: a page changes → unread field → drift alarm → capture → case that fails → repaired reader → replay heals`, {
    skip,
  }, async (t) => {
    let isChanged = false;
    const hosts: SandboxHost[] = HOSTS.map((host) => ({
      ...host,
      async answer(request) {
        const response = await host.answer(request);
        const isPage = isChanged && typeof response.body === 'string' && /<section id="adp-hero"/.test(response.body);
        return isPage ? { ...response, body: rewritten(response.body) } : response;
      },
    }));
    const sandbox = await startSandbox({ hosts, whois: WHOIS });
    t.after(() => sandbox.close());
    const { baseUrl, admin, key, environment } = await start(t, sandbox.mapFile);
    const get = async (handle: string) => {
      const url = baseUrl + OPERATIONS.app.path.replace('{handle}', handle);
      const answer = await eventually(async () => {
        const given = await fetch(url, { headers: { 'x-api-key': key } });
        // 502 while the machine is too busy for the worker's heartbeat
        return given.status === 502 ? null : given;
      });
      const body = (await answer.json()) as { launchedDate: string | null };
      assert.equal(answer.status, 200, JSON.stringify(body));
      return { unread: answer.headers.get('x-fields-unread'), launchedDate: body.launchedDate };
    };
    const [first, ...others] = APPS.filter((app) => app.developer.name !== 'Idle Hands').map((app) => app.handle);

    const before = await get(first ?? '');
    assert.deepEqual([before.unread, typeof before.launchedDate], [null, 'string']);
    isChanged = true;
    const asked = others.slice(0, 8);
    for (const handle of asked) assert.deepEqual(await get(handle), { unread: 'launchedDate', launchedDate: null });

    const metrics = await (await fetch(`${admin}/metrics`)).text();
    assert.match(metrics, /^sightline_source_drift\{source="appmarket\/page",field="launchedDate"\} 1$/m);
    assert.match(metrics, /^sightline_fields_unread_total\{source="appmarket\/page",field="launchedDate"\} 8$/m);
    assert.equal(metrics.match(/^sightline_source_drift\{/gm)?.length, 1);

    type Listed = { capture: string; outcome: string; unread: string[]; input: { handle: string }; requestId: string };
    const listed = await eventually(async () => {
      const { out } = await runCommand(['captures', 'list', '--field', 'launchedDate', '--json'], { environment });
      const all = JSON.parse(out) as Listed[];
      return all.length === asked.length ? all : null;
    });
    assert.deepEqual(
      listed.map((c) => c.input.handle),
      asked,
    );

    const [evidence] = listed;
    if (name === 'one process') {
      const explained = await runCommand(['explain', evidence?.requestId ?? '', '--json'], { environment });
      const { captures, unread } = JSON.parse(explained.out) as { captures: string[]; unread: string[] };
      assert.deepEqual([captures, unread], [[evidence?.capture], ['launchedDate']]);
      const sources = await runCommand(['sources', '--json'], { environment });
      const rows = JSON.parse(sources.out) as { source: string; state?: { drifting: string[] } }[];
      assert.deepEqual(rows.find((row) => row.source === 'appmarket/page')?.state?.drifting, ['launchedDate']);
    }
    const cases = join(folderOf(t), 'case');
    const exported = await runCommand(['captures', 'export', evidence?.capture ?? '', '--case', cases], { environment });
    assert.equal(exported.code, 0, exported.error);
    const file = join(cases, 'expected.ndjson');
    const launched = APPS.find((app) => app.handle === asked[0])?.launched;
    const launchedDate = new Date(launched ?? Number.NaN).toISOString().slice(0, 10);
    // the line of the page; what is right is written here
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const page = lines.find((line) => line.reader === 'appmarket/app' && /html/.test(line.headers['content-type'])) ?? assert.fail();
    writeFileSync(file, `${JSON.stringify({ ...page, expected: { outcome: 'found', launchedDate } })}\n`);
    const faultsOf = async (from: string): Promise<string[]> => {
      const { out } = await runCommand(['parse', '--ndjson'], { from, cwd: cases, input: readFileSync(file, 'utf8') });
      const parsed = JSON.parse(out) as { outcome: string; resource: { launchedDate: string | null } };
      const faults = parsed.outcome === 'found' ? [] : [`outcome ${parsed.outcome}`];
      return parsed.resource?.launchedDate === launchedDate ? faults : [...faults, `launchedDate ${parsed.resource?.launchedDate}`];
    };
    assert.deepEqual(await faultsOf('.'), ['launchedDate null'], 'the case fails as a test');

    const replay = async (from: string) => {
      const { code, out, error } = await runCommand(['replay', '--json'], { environment, from });
      assert.equal(error, '');
      return { code, ...(JSON.parse(out) as { captures: number; same: number; healed: number; lost: number; fields: object }) };
    };
    const unrepaired = await replay('.');
    assert.deepEqual([unrepaired.code, unrepaired.captures, unrepaired.same], [0, 8, 8]);
    assert.deepEqual(await faultsOf(repaired), [], 'the case passes with the repaired reader');
    const healed = await replay(repaired);
    assert.deepEqual([healed.code, healed.captures, healed.healed, healed.lost], [0, 8, 8, 0]);
    assert.deepEqual(healed.fields, { 'appmarket/page': { launchedDate: 8, unread: 8 } });
  });
