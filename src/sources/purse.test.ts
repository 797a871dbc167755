import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../outside/manual-clock.ts';
import { createSpending } from '../outside/spending.ts';
import { createPurse, type PurseRule } from './purse.ts';

const rule: PurseRule = { name: 'x', maxRequests: 10, maxUsd: 0.03, usdEach: 0.01, settings: 'A_CAP' };

function house(startMs = Date.UTC(2026, 10, 1, 23)) {
  const clock = createManualClock(startMs);
  const logged: [string, unknown][] = [];
  const world = { clock, log: (_: string, message: string, facts?: unknown): void => void logged.push([message, facts]) };
  return { clock, world, logged };
}

test('neither requests nor money go beyond the caps of a UTC day, and the log says so once a day', async () => {
  const { clock, world, logged } = house();
  const purse = createPurse(rule, world);
  const take = (n: number) => Promise.all(Array.from({ length: n }, async () => (await purse.take()).tag));
  assert.deepEqual(await take(5), ['taken', 'taken', 'taken', 'refused', 'refused']);
  assert.deepEqual(logged, [['the daily cap of a paid source is reached', { source: 'x', requests: 3, settings: 'A_CAP' }]]);
  await clock.advance(3_600_000);
  assert.deepEqual(await take(4), ['taken', 'taken', 'taken', 'refused']);
  assert.equal(logged.length, 2);
  const few = createPurse({ ...rule, name: 'y', maxRequests: 1, maxUsd: Number.POSITIVE_INFINITY, usdEach: 0 }, world);
  assert.deepEqual([(await few.take()).tag, (await few.take()).tag], ['taken', 'refused']);
});

test('what a source says that it cost corrects what was counted, on the day of the request alone', async () => {
  const { clock, world, logged } = house();
  const purse = createPurse(rule, world);
  const takenNow = async () => {
    const taken = await purse.take();
    assert.equal(taken.tag, 'taken');
    return taken.tag === 'taken' ? taken : assert.fail();
  };
  await (await takenNow()).settle(0.002);
  assert.deepEqual(logged, [['upstream cost', { source: 'x', usd: 0.002, usdToday: 0.002, requestsToday: 1 }]]);
  const [dear, late] = [await takenNow(), await takenNow()];
  assert.equal((await purse.take()).tag, 'refused', '0.022 and 0.01 are more than 0.03');
  await dear.settle(0.01);
  await clock.advance(3_600_000);
  for (let i = 0; i < 3; i++) await takenNow();
  await late.settle(0);
  assert.equal((await purse.take()).tag, 'refused', 'a day that is over gives nothing to the next');
});

test('the log counts what was stated to be spent, not what is set aside for requests that run', async () => {
  const { world, logged } = house();
  const purse = createPurse(rule, world);
  const [first, second] = [await purse.take(), await purse.take()];
  assert.ok(first.tag === 'taken' && second.tag === 'taken');
  await first.settle(0.01);
  await second.settle(0.004);
  assert.deepEqual(
    logged.map(([, facts]) => (facts as { usdToday: number }).usdToday),
    [0.01, 0.014],
  );
});

test('two purses of one key and one count share their caps', async () => {
  const { clock, world } = house();
  const shared = { ...world, spending: createSpending(clock) };
  const [one, two] = [createPurse(rule, shared), createPurse(rule, shared)];
  const tags = [];
  for (let i = 0; i < 3; i++) tags.push((await one.take()).tag, (await two.take()).tag);
  assert.deepEqual(tags, ['taken', 'taken', 'taken', 'refused', 'refused', 'refused']);
  assert.equal((await createPurse({ ...rule, key: 'relay/x' }, shared).take()).tag, 'taken');
});
