// In the gate alone: it runs the clients and the suite of the protocol.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { WatchImport } from '../../src/contract/account/watch-list-schemas.ts';
import type { WatchChanges, Watches } from '../../src/contract/account/watch-schemas.ts';
import type { Running } from '../end-to-end/service.ts';
import { connectWith, errorIn, programOf, type Sdk, startSandboxService, type Way } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startSandboxService();
});
after(() => service?.stop());

const ADD = { operation: 'forum_search', parameters: { query: 'acme widgets', sort: 'new' }, every: '1d', creditsPerMonth: 31 };
const overHttp = (headers: Record<string, string> = {}): Way => ({
  url: `${service.baseUrl}/mcp`,
  headers: { 'x-api-key': service.key, ...headers },
});
const overStdio = (more: Record<string, string> = {}): Way =>
  programOf(['--url', service.baseUrl], { SIGHTLINE_API_KEY: service.key, ...more });

for (const [sdk, how, way] of [
  ['v1', 'HTTP', () => overHttp()],
  ['v2', 'stdio', () => overStdio()],
] as [Sdk, string, () => Way][])
  test(`an agent adds a watch, sees it, and reads what it found from its cursor on (client ${sdk} over ${how})`, async (t) => {
    const agent = await connectWith(sdk, way());
    t.after(() => agent.close());
    async function call<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
      const result = (await agent.callTool({ name, arguments: args })) as { isError?: true; structuredContent: T };
      assert.ok(!result.isError, JSON.stringify(result));
      assert.ok(JSON.stringify(result).length < 24_000);
      return result.structuredContent;
    }
    const { watchId, costPerMonth } = await call<Watches['watches'][number]>('watch_add', { ...ADD, name: null, fields: null });
    assert.equal(costPerMonth, 31);
    const run = () =>
      fetch(`${service.baseUrl}/v1/account/watches/${watchId}/run`, { method: 'POST', headers: { 'x-api-key': service.key } });
    await run();
    const { after: begin } = await call<WatchChanges>('watch_changes', { watch: watchId });
    for (let day = 0; day < 2; day++) {
      service.sandbox.nextDay();
      await run();
    }
    const { watches } = await call<Watches>('watch_list');
    const mine = watches.find((watch) => watch.watchId === watchId);
    assert.deepEqual([mine?.operation, mine?.lastCheck?.outcome], ['forum-search', 'changed']);
    assert.ok(Number(mine?.spentThisMonth) >= 2, 'the first check may find a stored answer, which is free');
    const found = await call<WatchChanges>('watch_changes', { watch: watchId, after: begin });
    assert.deepEqual(
      found.changes.map(({ kind, field }) => `${kind} ${field}`),
      ['added posts', 'added posts'],
    );
    assert.deepEqual((await call<WatchChanges>('watch_changes', { watch: watchId, after: found.after })).changes, []);
  });

test('an agent names due dates, tags and targets, asks what comes due, and takes a watch over', async (t) => {
  const [agent, thrifty] = await Promise.all([connectWith('v2', overHttp()), connectWith('v2', overHttp({ 'x-max-credits': '30' }))]);
  t.after(() => Promise.all([agent, thrifty].map((one) => one.close())));
  async function call(name: string, args: Record<string, unknown>) {
    const result = (await agent.callTool({ name, arguments: args })) as { isError?: true; structuredContent: unknown };
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  }
  const domain = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '7d' };
  const made = { tags: ['domains'], due: [60, 5], notify: [] };
  const watch = (await call('watch_add', { ...domain, creditsPerMonth: 7, ...made })) as Watches['watches'][number];
  assert.deepEqual([watch.tags, watch.due, watch.notify, watch.costPerMonth], [['domains'], [60, 5], [], 7]);
  await fetch(`${service.baseUrl}/v1/account/watches/${watch.watchId}/run`, { method: 'POST', headers: { 'x-api-key': service.key } });
  const { watches, total, hasMore } = (await call('watch_list', { dueWithin: 3650 })) as Watches;
  const days = watches[0]?.dueDate?.daysLeft;
  assert.deepEqual([watches.map(({ watchId }) => watchId), total, hasMore, Number.isInteger(days)], [[watch.watchId], 1, false, true]);
  assert.equal(((await call('watch_list', { dueWithin: Number(days) - 1 })) as Watches).total, 0);

  const edit = { watch: watch.watchId, takeOver: true, due: [30], paused: true };
  const edited = (await call('watch_edit', { ...edit, tags: null })) as Watches['watches'][number];
  assert.deepEqual([edited.due, edited.paused, edited.tags, edited.costPerMonth], [[30], true, ['domains'], 6]);
  const refused = async (change: object) => errorIn(await thrifty.callTool({ name: 'watch_edit', arguments: { ...change } }));
  assert.match((await refused(edit)).message, /^Field creditsPerMonth is missing: this caller may spend 30 credits/);
  assert.equal((await refused({ ...edit, creditsPerMonth: 31 })).code, 'INSUFFICIENT_CREDITS');
  assert.match((await refused({ paused: true })).message, /^Argument watch is missing/);
  assert.equal((await refused({ watch: 'wat_none', paused: true })).code, 'NOT_FOUND');
});

test('an agent makes a watch for each line of a list: it is told what they cost first, and makes them within its limit alone', async (t) => {
  const [agent, thrifty, session] = await Promise.all([
    connectWith('v1', overHttp()),
    connectWith('v2', overHttp({ 'x-max-credits': '11' })),
    connectWith('v2', overStdio({ SIGHTLINE_MCP_MAX_CREDITS: '20' })),
  ]);
  t.after(() => Promise.all([agent, thrifty, session].map((one) => one.close())));
  const lines = 'acme-lamps.com\nnot a domain\nhttps://acme-lamps.com/shop\nacme-chairs.com';
  const list = { operation: 'registration', every: '7d', due: [14], tags: ['listed'], lines };
  async function call(name: string, args: object, by = agent) {
    const result = (await by.callTool({ name, arguments: { ...args } })) as { isError?: true; structuredContent: unknown };
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  }
  const refused = async (args: object, by = agent) => errorIn(await by.callTool({ name: 'watch_add', arguments: { ...list, ...args } }));
  const all = async () => ((await call('watch_list', {})) as Watches).total;
  const before = await all();
  const said = (await call('watch_add', list)) as WatchImport & { total: number; leftOutTotal: number };
  assert.deepEqual([said.made, said.total, said.leftOutTotal, said.costPerMonth, said.creditsPerMonth], [false, 2, 2, 12, 12]);
  assert.deepEqual(
    said.leftOut.map(({ line, reason }) => [line, reason]),
    [
      [2, 'unreadable'],
      [3, 'repeated'],
    ],
  );
  assert.match((await refused({ make: true })).message, /line 2: .* Nothing was made/);
  assert.match((await refused({ parameters: { domain: 'acme.com' } })).message, /^Field parameters is /);
  assert.match((await refused({ lines: null, parameters: { domain: 'acme.com' } })).message, /^Field creditsPerMonth is missing/);
  assert.equal((await refused({ make: true, skipInvalid: true }, thrifty)).code, 'INSUFFICIENT_CREDITS');
  assert.equal(await all(), before);

  const done = (await call('watch_add', { ...list, make: true, skipInvalid: true, parameters: null })) as WatchImport;
  assert.deepEqual(
    done.watches.map(({ line, watchId }) => [line, /^wat_/.test(watchId ?? '')]),
    [
      [1, true],
      [4, true],
    ],
  );
  assert.equal(await all(), before + 2);
  const others = (name: string) => ({ ...list, make: true, lines: `${name}-1.com\n${name}-2.com` });
  assert.equal(((await call('watch_add', others('acme-desks'), session)) as WatchImport).made, true);
  assert.match((await refused(others('acme-beds'), session)).message, /^Field creditsPerMonth is 12, but this caller may spend 8 credits/);
  assert.equal(await all(), before + 4);

  const many = { ...list, lines: Array.from({ length: 300 }, (_, n) => `acme-${n}.com`).join('\n') };
  const long = (await call('watch_add', many)) as WatchImport & { total: number };
  assert.deepEqual([long.total, long.watches.length, long.costPerMonth], [300, 20, 1800]);
});

test('an agent sends the targets of a watch a test message, and says what each answered; to those of the account only with a key that manages it', async (t) => {
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (piece) => bodies.push(piece));
    request.on('end', () => response.writeHead(request.url === '/works' ? 200 : 503).end(`${request.url} heard it`));
  }).listen(0, '127.0.0.1');
  t.after(() => receiver.close());
  const at = (path: string) => ({ to: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`, as: 'text' });
  const agents = await Promise.all([connectWith('v2', overHttp()), connectWith('v1', overStdio())]);
  t.after(() => Promise.all(agents.map((one) => one.close())));
  const [agent] = agents;
  const made = (await agent.callTool({ name: 'watch_add', arguments: { ...ADD, notify: [at('/works'), at('/fails')] } })) as {
    structuredContent: { watchId: string };
  };
  const { watchId } = made.structuredContent;
  for (const each of agents) {
    const tested = (await each.callTool({ name: 'watch_edit', arguments: { watch: watchId, sendTest: true } })) as {
      structuredContent: { watchId: string; tests: Record<string, unknown>[] };
    };
    assert.equal(tested.structuredContent.watchId, watchId);
    assert.deepEqual(
      tested.structuredContent.tests.map(({ to, ok, status, said, error }) => ({ to, ok, status, said, error })),
      [
        { to: at('/works').to, ok: true, status: 200, said: null, error: null },
        { to: at('/fails').to, ok: false, status: 503, said: null, error: '503' },
      ],
    );
  }
  assert.equal(bodies.length, 4);
  assert.match(bodies[0] ?? '', /Sightline: a test message/);

  // of the account: by a key that manages it alone
  const set = await fetch(`${service.baseUrl}/v1/account/notify`, {
    method: 'PUT',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ notify: [at('/works')] }),
  });
  assert.equal(set.status, 200);
  const { key } = await service.admin.createKey({ accountId: service.accountId });
  const plain = await connectWith('v2', overHttp({ 'x-api-key': key }));
  t.after(() => plain.close());
  const mine = (await plain.callTool({ name: 'watch_add', arguments: ADD })) as typeof made;
  const ofAccount = { name: 'watch_edit', arguments: { watch: mine.structuredContent.watchId, sendTest: true } };
  assert.equal(errorIn(await plain.callTool(ofAccount)).code, 'FORBIDDEN');
  assert.equal(bodies.length, 4);
  const { structuredContent } = (await agent.callTool(ofAccount)) as { structuredContent: { tests: { ok: boolean }[] } };
  assert.deepEqual(
    structuredContent.tests.map(({ ok }) => ok),
    [true],
  );
  const mixed = errorIn(await agent.callTool({ name: 'watch_edit', arguments: { watch: watchId, sendTest: true, paused: true } }));
  assert.match(mixed.message, /^Argument sendTest must be true and stand alone: leave paused out/);
});

test('wrong arguments name the field and the cure; a watch above the limit of the call or session is not made', async (t) => {
  const [agent, thrifty, session] = await Promise.all([
    connectWith('v2', overHttp()),
    connectWith('v2', overHttp({ 'x-max-credits': '30' })),
    connectWith('v2', overStdio({ SIGHTLINE_MCP_MAX_CREDITS: '40' })),
  ]);
  t.after(() => Promise.all([agent, thrifty, session].map((one) => one.close())));
  const wrong: [string, object, RegExp][] = [
    ['watch_add', { ...ADD, every: '5m' }, /Field every is "5m", but it must be one of 1h/],
    ['watch_add', { ...ADD, creditsPerMonth: null }, /Field creditsPerMonth is missing/],
    ['watch_add', { ...ADD, parameters: {} }, /Parameter query is missing/],
    ['watch_add', { ...ADD, webhook: { url: 'https://hooks.example.org/x' } }, /Unknown argument "webhook": this tool knows operation/],
    ['watch_list', { after: 'x' }, /Parameter after is "x"/],
    ['watch_changes', { watch: 'mine' }, /Parameter watch is "mine"/],
  ];
  for (const [name, given, why] of wrong) {
    const { code, message, charged } = errorIn(await agent.callTool({ name, arguments: given as Record<string, unknown> }));
    assert.deepEqual([code, charged], ['INVALID_REQUEST', 0]);
    assert.match(message, why);
  }
  const add = { name: 'watch_add', arguments: ADD };
  assert.equal(errorIn(await thrifty.callTool(add)).code, 'INSUFFICIENT_CREDITS');
  assert.ok(!('isError' in (await session.callTool(add))), 'the session may spend 40');
  const { code, message } = errorIn(await session.callTool(add));
  assert.equal(code, 'INSUFFICIENT_CREDITS');
  assert.match(message, /^Field creditsPerMonth is 31, but this caller may spend 9 credits/);
});
