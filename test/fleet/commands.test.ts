// Few in a process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../src/cli/serve.ts';
import { startWorker } from '../../src/cli/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { sourceOf } from './engine-fixture.ts';
import { monitorRedis } from './monitor.ts';
import { missing, startRedis } from './services.ts';

const LOOKUPS = 40;
const AT_ONCE = 8;
/** docs/scaling.md states 7, and one more if the worker had no other job: that one is counted apart. */
const COMMANDS_OF_A_MISS = 7;
/** BullMQ's script by which a worker without another job fetches one: the only one that has 11 keys, among them those of this queue. */
const FETCH = /^evalsha \w+ 11 /i;
/** docs/scaling.md: the limits of the request, and the read of the shared cache. */
const COMMANDS_OF_A_SHARED_HIT = 2;
const cleanUp: (() => unknown)[] = [];
after(async () => {
  for (const end of cleanUp.reverse()) await end();
});

test('a miss through the fleet takes at most as many Redis commands as the docs state, and a hit of the shared cache two', {
  skip: missing('redis') || noPostgres,
}, async (t) => {
  const [redis, postgres] = await Promise.all([startRedis(), makeSchema()]);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-commands-'));
  cleanUp.push(() => redis.close());
  cleanUp.push(() => postgres.drop());
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    SIGHTLINE_RATE_PER_SECOND: '5000',
    SIGHTLINE_RATE_BURST: '5000',
    SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 5000, burst: 5000 } }),
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  });
  const sources = [sourceOf(async (domain) => found({ ...registered(domain), contacts: [] }))];
  const start = async (from: typeof settings) => {
    const started = await startService(from, { log: silent, sources, gatewayOnly: true });
    cleanUp.push(() => started.stop());
    return started;
  };
  const gateway = await start(settings);
  const otherFolder = mkdtempSync(join(tmpdir(), 'sightline-commands-'));
  cleanUp.push(() => rmSync(otherFolder, { recursive: true, force: true }));
  const other = await start({ ...settings, SIGHTLINE_DATA_DIR: otherFolder });
  const worker = await startWorker(settings, { log: silent, sources });
  cleanUp.push(() => worker.stop());
  const { accountId } = await gateway.accounts.admin.createAccount({ name: 'commands', credits: 1_000 });
  const { key } = await gateway.accounts.admin.createKey({ accountId });
  const get = async (domain: string, { baseUrl } = gateway): Promise<number> => {
    const answer = await fetch(`${baseUrl}/v1/website/whois/domains/${domain}`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    return answer.status;
  };
  // until the gateways have received the worker's heartbeat; the first lookup loads the scripts
  for (const one of [gateway, other]) for (let n = 0; (await get(`first-${n}.com`, one)) !== 200; n++) await sleep(50);
  await sleep(100);

  /** Commands a lookup, while a gateway is asked for all of them. */
  async function commandsOf(asked: typeof gateway, atOnce: number) {
    const { commands, close } = await monitorRedis(redis.url);
    for (let i = 0; i < LOOKUPS; i += atOnce)
      assert.deepEqual(
        await Promise.all(Array.from({ length: atOnce }, (_, k) => get(`miss-${i + k}.com`, asked))),
        Array(atOnce).fill(200),
      );
    await sleep(100);
    close();
    /** Command, SHA1 of the script, name of the first key. */
    const kindOf = (command: string): string => command.replace(/[{:].*/, '').replace(/^(\w+ \w{8})\w{32} \d+/, '$1');
    const kinds = Object.entries(Object.groupBy(commands, kindOf)).map(([kind, all]) => `${all?.length} ${kind}`);
    const fetches = commands.filter((command) => FETCH.test(command)).length;
    return { each: (commands.length - fetches) / LOOKUPS, fetches, kinds: kinds.join('\n') };
  }
  // its connections are known then: the first request of each is counted by its address alone, and then by its account
  await Promise.all(Array.from({ length: AT_ONCE }, () => get('first-0.com')));
  const miss = await commandsOf(gateway, AT_ONCE);
  assert.ok(miss.each <= COMMANDS_OF_A_MISS, `${miss.each} commands a miss\n${miss.kinds}`);
  assert.ok(miss.fetches > 0, 'fetches of an idle worker are recognised');
  // on one connection, one at a time: its first request is counted by its address alone, and then by its account
  await get('first-0.com', other);
  const hit = await commandsOf(other, 1);
  t.diagnostic(`${miss.each} commands a miss and ${miss.fetches / LOOKUPS} fetches, ${hit.each} a hit of the shared cache`);
  assert.equal(hit.each, COMMANDS_OF_A_SHARED_HIT, `${hit.each} commands a hit\n${hit.kinds}`);
});
