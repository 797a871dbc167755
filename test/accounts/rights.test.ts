// Few in a process: it opens services on both stores.
/** Every endpoint and every tool against every kind of caller; the expected answers are written from the rules, not from the product's table. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DEMANDS } from '../../src/contract/account/demands.ts';
import { accountEndpoints, type EndpointId } from '../../src/contract/account/endpoints.ts';
import type { OperationId } from '../../src/contract/operations/index.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { type Kind, openRights, type Rights } from './rights-callers.ts';
import { REGISTRATION, type Reply } from './test-service.ts';

const TRAFFIC = '/v1/traffic/domains/acme-widgets.com';
const ALL = '/v1/account/watches';
const WEBHOOK = 'https://hooks.example.org/services/T0/B0/secretpath';
const watchOf = (operation: OperationId) => ({
  ...{ operation, parameters: { domain: 'acme-widgets.com' }, every: '7d', creditsPerMonth: 50, webhook: { url: WEBHOOK } },
});

const hasScope = ({ scopes }: Kind, scope: string): boolean => scopes?.includes(scope) ?? true;
const mayLookUp = (kind: Kind, operation: OperationId): boolean =>
  hasScope(kind, operation) && (kind.operations?.includes(operation) ?? true);

interface Column {
  readonly name: string;
  /** The endpoint, absent for a lookup. */
  readonly endpoint?: EndpointId;
  readonly method?: string;
  readonly url: string;
  readonly body?: object;
  /** The status for who is neither let in by wrong credentials nor refused. */
  readonly done: number;
  may(kind: Kind): boolean;
  /** What the answer says of the caller: whether it may change the watch. */
  mayChange?(kind: Kind): boolean;
}
const read = (endpoint: EndpointId, url: string, done = 200): Column => ({
  ...{ name: endpoint, endpoint, url, done, may: (kind) => hasScope(kind, 'account') },
});
/** It says whether the answer is cached, and for how long. */
const price = (operation: OperationId): Column => ({
  ...read('account-price', `/v1/account/price?operation=${operation}&domain=acme-widgets.com`),
  ...{ name: `price ${operation}`, may: (kind) => hasScope(kind, 'account') && mayLookUp(kind, operation) },
});
const lookup = (operation: OperationId, url: string): Column => ({
  ...{ name: `lookup ${operation}`, url, done: 200, may: (kind) => mayLookUp(kind, operation) },
});
const create = (operation: OperationId): Column => ({
  ...{ name: `create ${operation}`, endpoint: 'account-watch-create', method: 'POST', url: ALL, body: watchOf(operation), done: 201 },
  may: (kind) => hasScope(kind, 'watches') && mayLookUp(kind, operation) && kind.session !== 'reads',
});
/** Says what a list would make, and makes nothing. */
const importing = (operation: OperationId): Column => ({
  ...create(operation),
  ...{ name: `import ${operation}`, endpoint: 'account-watch-import', url: `${ALL}/import`, done: 200 },
  body: { operation, lines: 'bluebirdlooms.com', every: '7d' },
});

const manage = (endpoint: EndpointId, method: string, url: string, done: number, body?: object): Column => ({
  ...{ name: endpoint, endpoint, method, url, done, ...(body && { body }), may: (kind) => kind.manages === true },
});

/** What is asked of one watch: `isOwn`: the caller or its key made it. */
function ofWatch(which: string, id: string, operation: OperationId, isOwn: boolean): readonly Column[] {
  const column = (endpoint: EndpointId, url: string, more: Partial<Column>): Column => ({
    ...{ name: `${endpoint}, ${which}`, endpoint, url: `${ALL}/${id}${url}`, done: 200 },
    may: (kind) => hasScope(kind, 'account') && mayLookUp(kind, operation),
    ...more,
  });
  const may = (kind: Kind) => hasScope(kind, 'watches') && mayLookUp(kind, operation) && (isOwn || kind.manages === true);
  return [
    column('account-watch', '', { mayChange: may }),
    column('account-watch-history', '/history', {}),
    column('account-watch-history', '/history?format=csv', { name: `history as CSV, ${which}` }),
    column('account-watch-deliveries', '/deliveries', {}),
    column('account-watch-edit', '', { method: 'PATCH', body: { name: 'edited' }, may }),
    // there is no such message
    column('account-watch-repeat', '/deliveries/7/repeat', { method: 'POST', done: 404, may }),
    column('account-watch-notify-test', '/notify/test', { method: 'POST', body: { targetId: 'tgt_0' }, done: 404, may }),
    column('account-watch-run', '/run', { method: 'POST', may }),
    column('account-watch-delete', '', { method: 'DELETE', done: 204, may }),
  ];
}

const COLUMNS: readonly Column[] = [
  read('account', '/v1/account'),
  read('account-usage', '/v1/account/usage'),
  read('account-ledger', '/v1/account/ledger'),
  price('traffic'),
  read('account-requests', '/v1/account/requests'),
  read('account-request', '/v1/account/requests/nosuch', 404),
  read('account-watches', ALL),
  read('account-changes', '/v1/account/changes'),
  lookup('registration', REGISTRATION),
  lookup('traffic', TRAFFIC),
  create('registration'),
  create('traffic'),
  importing('registration'),
  importing('traffic'),
  read('account-notify', '/v1/account/notify'),
  manage('account-notify-set', 'PUT', '/v1/account/notify', 200, { notify: [] }),
  // there is no such target
  manage('account-notify-test', 'POST', '/v1/account/notify/test', 404, { targetId: 'tgt_0' }),
  read('account-sites', '/v1/account/sites'),
  read('account-rankings', '/v1/account/rankings'),
  read('account-app-rankings', '/v1/account/app-rankings'),
  manage('account-sites-set', 'PUT', '/v1/account/sites', 200, { own: 'acme-widgets.com' }),
  read('account-calendar', `${ALL}/calendar`),
  manage('account-calendar-make', 'POST', `${ALL}/calendar`, 201),
  manage('account-calendar-end', 'DELETE', `${ALL}/calendar`, 204),
  price('registration'),
];

/** What is wrong with an answer; null: nothing. */
function faultOf(kind: Kind, column: Column, reply: Reply): string | null {
  const isCapped = kind.cap !== undefined && (column.endpoint === undefined || column.endpoint === 'account-watch-run');
  const wanted = kind.isOut ? 401 : column.may(kind) ? column.done : 403;
  const isRight = reply.status === wanted || (isCapped && wanted === 200 && reply.status === 402);
  if (!isRight) return `${wanted} expected, ${reply.status} came: ${reply.text.slice(0, 160)}`;
  if (reply.status === column.done && column.mayChange && reply.body.mayChange !== column.mayChange(kind))
    return `mayChange is ${reply.body.mayChange}`;
  const challenge = String(reply.headers['www-authenticate'] ?? '');
  // no scope would help
  const isManaging = column.endpoint !== undefined && DEMANDS[column.endpoint].who === 'managers';
  if (
    reply.status === 403 &&
    kind.scopes &&
    !isManaging &&
    !/error="insufficient_scope", scope="[a-z ]+", resource_metadata="http/.test(challenge)
  )
    return `no challenge that names the scopes: ${challenge}`;
  if (reply.status === 403 && !kind.scopes && challenge !== '') return `a challenge without a token: ${challenge}`;
  return null;
}

async function watchesFor({ send, kinds }: Rights, kind: Kind) {
  const first = kinds[0] as Kind;
  const made = async (by: Pick<Kind, 'headers'>, operation: OperationId) =>
    String((await send(by, 'POST', ALL, watchOf(operation))).body.watchId);
  const own = async (operation: OperationId) => {
    const by = kind.maker ? { headers: kind.maker } : kind;
    const may = kind.maker ? (kind.operations?.includes(operation) ?? true) : !kind.isOut && create(operation).may(kind);
    return may ? ofWatch(`own ${operation}`, await made(by, operation), operation, true) : [];
  };
  return [
    ...ofWatch('registration of the first key', await made(first, 'registration'), 'registration', kind === first),
    ...ofWatch('traffic of the first key', await made(first, 'traffic'), 'traffic', kind === first),
    ...(await own('registration')),
    ...(await own('traffic')),
  ];
}

test('every account endpoint has its entry in the table of demands, and one that writes demands the scope `watches`', () => {
  const ids = accountEndpoints.map(({ id }) => id);
  assert.deepEqual(Object.keys(DEMANDS).sort(), [...ids].sort());
  for (const { id, method } of accountEndpoints) {
    assert.equal(DEMANDS[id].scope, method === undefined ? 'account' : 'watches', id);
    if (method !== undefined) assert.notEqual(DEMANDS[id].who, 'all', id);
  }
  const asked = new Set([...COLUMNS, ...ofWatch('', '', 'traffic', true)].map(({ endpoint }) => endpoint));
  assert.deepEqual(
    ids.filter((id) => !asked.has(id)),
    [],
    'the matrix asks every endpoint',
  );
});

const TOOLS: readonly (Column & { readonly given: object })[] = [
  ...([
    [COLUMNS[0], 'account', {}],
    [COLUMNS[3], 'price', { tool: 'traffic', arguments: { domain: 'acme-widgets.com' } }],
    [COLUMNS[3], 'price', { operation: 'traffic', parameters: { domain: 'acme-widgets.com' } }],
    [COLUMNS[6], 'watch_list', {}],
    [COLUMNS[7], 'watch_changes', {}],
    [COLUMNS[8], 'registration', { domain: 'acme-widgets.com' }],
    [COLUMNS[9], 'traffic', { domain: 'acme-widgets.com' }],
    [COLUMNS[8], 'lookup_many', { operation: 'registration', inputs: [{ domain: 'acme-widgets.com' }] }],
    [COLUMNS[9], 'lookup_many', { operation: 'traffic', inputs: [{ domain: 'acme-widgets.com' }] }],
    [COLUMNS[10], 'watch_add', { ...watchOf('registration'), webhook: undefined }],
    [COLUMNS[11], 'watch_add', { ...watchOf('traffic'), webhook: undefined }],
  ] as const),
].map(([column, name, given]) => ({ ...(column as Column), name, given, done: 200 }));

/** The status that a tool call amounts to: that of HTTP, or of the error in its result. */
async function callTool({ send }: Rights, kind: Kind, { name, given }: (typeof TOOLS)[number]): Promise<Reply> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const headers = { ...kind.headers, accept: 'application/json, text/event-stream' };
  const reply = await send({ headers }, 'POST', '/mcp', body);
  const code = /\\"code\\":\s*\\"([A-Z_]+)\\"/.exec(reply.text)?.[1];
  const status = { FORBIDDEN: 403, INSUFFICIENT_CREDITS: 402 }[code ?? ''] ?? reply.status;
  return { ...reply, status };
}

async function opened(t: TestContext, backend: (typeof BACKENDS)[number]): Promise<Rights> {
  const schema = backend.name === 'postgres' ? await makeSchema() : null;
  const rights = await openRights(schema ? { DATABASE_URL: schema.url, SIGHTLINE_SECRET: 'the secret of the matrix' } : {});
  t.after(async () => {
    await rights.service.close();
    await schema?.drop();
  });
  return rights;
}

for (const backend of BACKENDS)
  describe(`rights on ${backend.name}`, { skip: backend.skip }, () => {
    test('every endpoint answers every kind of caller by its rights', async (t) => {
      const rights = await opened(t, backend);
      const faults: string[] = [];
      let cells = 0;
      const endpoints = new Set<string>();
      for (const kind of rights.kinds)
        for (const column of [...COLUMNS, ...(await watchesFor(rights, kind))]) {
          const reply = await rights.send(kind, column.method ?? 'GET', column.url, column.body);
          const fault = faultOf(kind, column, reply);
          if (fault !== null) faults.push(`${kind.name} · ${column.name}: ${fault}`);
          cells++;
          endpoints.add(column.endpoint ?? column.name);
        }
      console.log(`${cells} cells: ${endpoints.size} endpoints × ${rights.kinds.length} callers on ${backend.name}`);
      assert.deepEqual(faults, []);
    });

    test('every tool answers every kind of caller in the same way', async (t) => {
      const rights = await opened(t, backend);
      const callers = rights.kinds.filter(({ session, isOperator }) => session === undefined && !isOperator);
      const faults: string[] = [];
      for (const kind of callers)
        for (const tool of TOOLS) {
          const reply = await callTool(rights, kind, tool);
          // a tool has no status of its own for what it created
          const fault = faultOf(kind, { ...tool, done: tool.done === 201 ? 200 : tool.done }, reply);
          if (fault !== null) faults.push(`${kind.name} · ${tool.name}: ${fault}`);
        }
      console.log(`${callers.length * TOOLS.length} cells: ${TOOLS.length} tools × ${callers.length} callers on ${backend.name}`);
      assert.deepEqual(faults, []);
    });
  });
