import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createSpending } from '../spending/spending.ts';
import type { SourceBudgetRule } from './source-budget.ts';
import { createSourceBudget } from './source-budget.ts';

const rule: SourceBudgetRule = { key: 'x', maxRequests: 10, maxUsd: 0.03, usdEach: 0.01, settings: 'A_CAP' };

function setup(startMs = Date.UTC(2026, 10, 1, 23)) {
  const clock = createManualClock(startMs);
  const logged: [string, unknown][] = [];
  const ports = { clock, log: (_: string, message: string, facts?: unknown): void => void logged.push([message, facts]) };
  return { clock, ports, logged };
}

test('neither requests nor money go beyond the caps of a UTC day, and the log says so once a day', async () => {
  const { clock, ports, logged } = setup();
  const budget = createSourceBudget(rule, ports);
  const take = (n: number) => Promise.all(Array.from({ length: n }, async () => (await budget.take()).tag));
  assert.deepEqual(await take(5), ['taken', 'taken', 'taken', 'limited', 'limited']);
  assert.deepEqual(logged, [['the daily cap of a paid source is reached', { source: 'x', requests: 3, settings: 'A_CAP' }]]);
  await clock.advance(3_600_000);
  assert.deepEqual(await take(4), ['taken', 'taken', 'taken', 'limited']);
  assert.equal(logged.length, 2);
  const few = createSourceBudget({ ...rule, key: 'y', maxRequests: 1, maxUsd: Number.POSITIVE_INFINITY, usdEach: 0 }, ports);
  assert.deepEqual([(await few.take()).tag, (await few.take()).tag], ['taken', 'limited']);
});

test('the stated cost replaces the assumed cost, on the day of the request only', async () => {
  const { clock, ports, logged } = setup();
  const budget = createSourceBudget(rule, ports);
  const takenNow = async () => {
    const taken = await budget.take();
    assert.equal(taken.tag, 'taken');
    return taken.tag === 'taken' ? taken : assert.fail();
  };
  await (await takenNow()).settle(0.002);
  assert.deepEqual(logged, [['upstream cost', { source: 'x', usd: 0.002, usdToday: 0.002, requestsToday: 1 }]]);
  const [dear, late] = [await takenNow(), await takenNow()];
  assert.equal((await budget.take()).tag, 'limited', '0.022 and 0.01 are more than 0.03');
  await dear.settle(0.01);
  await clock.advance(3_600_000);
  for (let i = 0; i < 3; i++) await takenNow();
  await late.settle(0);
  assert.equal((await budget.take()).tag, 'limited', 'a day that is over gives nothing to the next');
});

test('the log sums stated costs, without the assumed costs of running requests', async () => {
  const { ports, logged } = setup();
  const budget = createSourceBudget(rule, ports);
  const [first, second] = [await budget.take(), await budget.take()];
  assert.ok(first.tag === 'taken' && second.tag === 'taken');
  await first.settle(0.01);
  await second.settle(0.004);
  assert.deepEqual(
    logged.map(([, facts]) => (facts as { usdToday: number }).usdToday),
    [0.01, 0.014],
  );
});

test('two budgets with one key share their caps', async () => {
  const { clock, ports } = setup();
  const shared = { ...ports, spending: createSpending(clock) };
  const [one, two] = [createSourceBudget(rule, shared), createSourceBudget(rule, shared)];
  const tags = [];
  for (let i = 0; i < 3; i++) tags.push((await one.take()).tag, (await two.take()).tag);
  assert.deepEqual(tags, ['taken', 'taken', 'taken', 'limited', 'limited', 'limited']);
  assert.equal((await createSourceBudget({ ...rule, key: 'relay/x' }, shared).take()).tag, 'taken');
});
