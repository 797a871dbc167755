// Few in a process: runs the whole service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ActionName, ADMIN_ACTIONS, type AdminActions } from '../../src/contract/admin/actions.ts';
import { faultFinder } from '../../src/contract/operations/define.ts';
import { connectAdmin } from '../../src/gateway/admin/client.ts';
import { until } from '../faults/service-process.ts';
import { startWhole } from './service.ts';

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
}
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of a schema that no value has, as dotted paths. */
function unseen(node: Node, values: readonly unknown[], at = 'answer'): readonly string[] {
  if (node.anyOf) {
    const [branch = {}] = node.anyOf;
    const given = values.filter((value) => value !== null);
    return given.length ? unseen(branch, given, at) : [];
  }
  if (node.items) return unseen(node.items, values.flat(), `${at}[]`);
  if (!values.length) return node.properties ? [at] : [];
  return Object.entries(node.properties ?? {}).flatMap(([name, below]) => {
    const found = values.filter(isObject).flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
    return found.length ? unseen(below, found, `${at}.${name}`) : [`${at}.${name}`];
  });
}
/** Objects of a schema that accept fields which it does not name, but maps. */
function open(node: Node, at: string): readonly string[] {
  const below = [...(node.anyOf ?? []), ...(node.items ? [node.items] : [])].flatMap((each) => open(each, at));
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, each]) => open(each, `${at}.${name}`));
  return [...below, ...fields, ...(Object.keys(node.properties ?? {}).length && node.additionalProperties !== false ? [at] : [])];
}

/** Lists that take days to fill. */
const EMPTY_HERE = ['listSources.canaries[]', 'listDrift[]', 'showDrift.hours[]', 'replayCaptures.changes[]'];

test('every action of the operator answers what its schema says: no field more, none less, over the socket of a running service', async (t) => {
  const service = await startWhole(
    { DATAFORSEO_LOGIN: 'demo', DATAFORSEO_PASSWORD: 'demo-secret', SIGHTLINE_CAPTURE: 'all' },
    { apps: true },
  );
  t.after(() => service.stop());
  const client = await connectAdmin(service.folder);
  assert.ok(client);
  const answers = new Map<ActionName, unknown[]>();
  const admin = Object.fromEntries(
    Object.entries<(input?: object) => Promise<unknown>>(client as never).map(([name, run]) => [
      name,
      async (input?: object) => {
        const answer = await run(input);
        answers.set(name as ActionName, [...(answers.get(name as ActionName) ?? []), answer]);
        return answer;
      },
    ]),
  ) as unknown as AdminActions;

  const { accountId } = await admin.createAccount({ name: 'Acme', credits: 100 });
  await admin.ensureFirstAccount();
  const limits = { label: 'shop', operations: ['forum-community'], addresses: ['127.0.0.0/8'], creditsPerDay: 9, creditsPerMonth: 90 };
  const made = await admin.createKey({ accountId, ...limits, expiresAt: '2999-01-01', ratePerSecond: 5, rateBurst: 9, manage: true });
  for (const label of ['twice', 'twice'])
    await service.get('/v1/forum/communities/espresso?sort=hot', { 'x-api-key': made.key, 'x-request-id': label });
  await service.get('/v1/website/whois/domains/127.0.0.1', { 'x-api-key': made.key });
  const next = await admin.rerollKey({ keyId: made.keyId, graceMs: 60_000 });
  await admin.editKey({ keyId: next.keyId, label: 'market' });
  await admin.listKeys({ accountId });
  await admin.previewRevokeKey({ keyId: next.keyId });
  await admin.revokeKey({ keyId: next.keyId, keepDescendants: true });
  const app = { clientId: 'app_0', name: 'App', host: null, redirectUris: ['http://127.0.0.1/cb'] };
  const asks = { app, redirectUri: 'http://127.0.0.1/cb', state: null, challenge: '', scopes: [], resource: '' };
  await service.accounts.oauth.appSignIn?.grants.approve(client, asks, {
    actor: 'operator',
    accountId,
    scopes: ['forum'],
    creditsPerDay: 5,
    days: 1,
  });
  await admin.listGrants({ accountId });
  const { clientId } = await admin.createClient({ accountId, label: 'reports', scopes: ['forum'] });
  await admin.listClients();
  await admin.revokeClient({ clientId });
  await admin.rotateSigningKey({ drop: true });
  await admin.listAccounts();
  await admin.showAccount({ accountId });
  await admin.renameAccount({ accountId, name: 'Acme Ltd' });
  await admin.suspendAccount({ accountId });
  await admin.resumeAccount({ accountId });
  await admin.grant({ accountId, credits: 5, note: 'a note', reference: 'order-1' });
  await admin.accountUsage({ accountId });
  await admin.accountLedger({ accountId, limit: 3 });
  const { entries } = await admin.accountRequests({ accountId, label: 'twice' });
  for (const { requestId } of entries) await admin.explainRequest({ requestId });
  await admin.explainRequest({ requestId: 'twice' });
  const { line } = await admin.anchorLedger();
  await admin.verifyLedger({ anchor: line });
  await admin.verifyAudit({ anchor: line });
  await admin.auditLog({ limit: 5 });
  await admin.listSources();
  await admin.checkSources({ source: 'registration/rdap' });
  await admin.listCredentials();
  await admin.enterCredentials({ source: 'SerpApi', values: { SERPAPI_KEY: 'demo-serpapi' } });
  await admin.removeCredentials({ source: 'SerpApi' });
  await admin.showFleet();
  await until('a capture is written', async () => (await admin.listCaptures()).length > 0);
  const [{ capture = '' } = {}] = await admin.listCaptures({ operation: 'forum-community' });
  await admin.showCapture({ capture });
  await admin.replayCaptures({ capture });
  await admin.eraseCapture({ capture });
  await admin.listDrift();
  await admin.showDrift({ source: 'forum/api', field: 'posts.title' });
  await admin.endSessions({ accountId });
  await admin.showOperatorKey();
  await admin.rerollOperatorKey();
  await admin.showOperatorKey();
  await admin.createConsoleLink({ accountId });
  await admin.purgeCache({ operation: 'forum-community', parameters: { community: 'espresso', sort: 'hot' } });
  await admin.deleteAccount({ accountId });

  for (const [name, { answer }] of Object.entries(ADMIN_ACTIONS)) {
    const given = answers.get(name as ActionName) ?? [];
    assert.ok(given.length, `${name} was not asked`);
    for (const each of given) assert.equal(await faultFinder(answer)(each), null, name);
    assert.deepEqual(
      unseen(answer as Node, given, name).filter((path) => !EMPTY_HERE.some((each) => path.startsWith(each))),
      [],
      'no answer had them',
    );
    assert.deepEqual(open(answer as Node, name), [], 'they accept any field');
  }
});
