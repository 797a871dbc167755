import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { type ChainParts, runChain } from '../../src/orchestrator/chain.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import type { Asks, Ports, Source } from '../../src/sources/source.ts';
import { outOfTurn } from '../../src/upstream/http/failures.ts';
import { createPace, takeTurn } from '../../src/upstream/pace.ts';
import type { PaceRule } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { registered } from '../support/orchestrator-fakes.ts';

const DEADLINE_MS = 30_000;
/** Default pace of a host that states no limit: 5 a second. */
const RULE: PaceRule = { key: 'host', everyMs: 200, burst: 5 };

/** One paced source, with complete lookups by several accounts. */
function openGateway() {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  const ports = { settings: readSettings({}), clock, pace, random: () => 0.5, log: () => {} } as unknown as Ports;
  const source: Source = {
    id: 'a',
    operations: ['registration'],
    needs: [],
    knowsAbsence: true,
    about: 'a source behind a pace',
    open: ({ pace: paced }): Asks => ({
      async registration({ domain }, attempt) {
        const waitMs = await takeTurn(paced, clock, RULE, attempt, Number.POSITIVE_INFINITY);
        return waitMs > 0 ? outOfTurn('host', waitMs) : found(registered(domain));
      },
    }),
  };
  const parts: ChainParts = {
    engine: createLocalEngine([source], ports, undefined, async () => null),
    breakers: createBreakers(clock.now),
    clock,
    random: () => 0.5,
  };
  const ask = async (account: string) => {
    const began = clock.now();
    const deadlineMs = began + DEADLINE_MS;
    const { outcome } = await runChain(parts, [source], { operation: 'registration', input: { domain: 'a.com' }, deadlineMs, account });
    return { tag: outcome.tag, what: 'what' in outcome ? outcome.what : '', ms: clock.now() - began };
  };
  return { clock, ask };
}

test('an account that sends 20 lookups a second does not starve one that sends one a second to the same source', async () => {
  const { clock, ask } = openGateway();
  const [busy, quiet]: [ReturnType<typeof ask>[], ReturnType<typeof ask>[]] = [[], []];
  for (let ms = 0; ms < 60_000; ms += 50) {
    busy.push(ask('busy'));
    if (ms % 1000 === 500) quiet.push(ask('quiet'));
    await clock.advance(50);
  }
  await clock.advance(DEADLINE_MS);
  const answers = await Promise.all(quiet);
  assert.deepEqual(
    answers.filter((a) => a.tag !== 'found'),
    [],
  );
  assert.ok(Math.max(...answers.map((a) => a.ms)) <= 400, 'one turn of the other is waited for at most');
  const served = (await Promise.all(busy)).filter((a) => a.tag === 'found').length;
  assert.ok(served > 60 * 5 * 0.7, `the rest of the pace is the busy one's: ${served}`);
});

test('an attempt whose slot is after the deadline is `limited` at once, and opens no circuit breaker', async () => {
  const { clock, ask } = openGateway();
  const busy = Array.from({ length: 400 }, () => ask('busy'));
  await clock.advance(0);
  const late = await ask('busy');
  assert.deepEqual([late.tag, late.ms], ['limited', 0]);
  const other = ask('quiet');
  await clock.advance(1_000);
  assert.equal((await other).tag, 'found');
  await clock.advance(DEADLINE_MS);
  const tags = new Set((await Promise.all(busy)).map((a) => a.tag));
  assert.deepEqual([...tags].sort(), ['found', 'limited'], 'never a timeout in silence');
  assert.equal((await ask('busy')).tag, 'found');
});
