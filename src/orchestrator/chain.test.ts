import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROOF } from '../../test/support/evidence.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { registered, scripted } from '../../test/support/orchestrator-fakes.ts';
import { readSettings } from '../settings.ts';
import {
  absent,
  blocked,
  changed,
  finallyBlocked,
  found,
  limited,
  type Outcome,
  refused,
  refusedAccount,
  timeout,
  unreachable,
} from '../sources/outcome.ts';
import type { Ports, Source } from '../sources/source.ts';
import { createPace } from '../upstream/pace.ts';
import { createBreakers } from './breaker.ts';
import { runChain } from './chain.ts';
import { createLocalEngine } from './local-engine.ts';

const yes = found(registered('a.com'));
function chain(sources: Source[], deadline = 30_000, onAttempt?: (source: string, ended: { tag: string } | null) => void) {
  const clock = createManualClock();
  const ports = { settings: readSettings({}), clock, pace: createPace(clock), random: () => 0.5, log: () => {} } as unknown as Ports;
  const parts = {
    engine: createLocalEngine(sources, ports),
    breakers: createBreakers(clock.now),
    clock,
    random: () => 0.5,
    ...(onAttempt && { onAttempt }),
  };
  const run = (left = deadline) =>
    runChain(parts, sources, { operation: 'registration', input: { domain: 'a.com' }, deadlineMs: clock.now() + left });
  return { clock, run };
}
/** One source that is asked for different inputs. */
function asking(source: Source) {
  const clock = createManualClock();
  const ports = { settings: readSettings({}), clock, pace: createPace(clock), random: () => 0.5, log: () => {} } as unknown as Ports;
  const parts = { engine: createLocalEngine([source], ports), breakers: createBreakers(clock.now), clock, random: () => 0.5 };
  const ask = async (domain: string): Promise<{ tag: string; detail?: string | undefined }> =>
    (await runChain(parts, [source], { operation: 'registration', input: { domain }, deadlineMs: clock.now() + 30_000 })).outcome;
  return { clock, ask };
}
const never = new Promise<Outcome>(() => {});

test('the first source with a result answers; later ones are not called; every attempt is recorded with its reason', async () => {
  const [a, b, c] = [scripted('a', [blocked('Wall.', 'captcha seen')]), scripted('b', [yes]), scripted('c', [yes])];
  const { outcome, attempts } = await chain([a, b, c]).run();
  assert.deepEqual([outcome.tag, outcome.source, c.asked], ['found', 'b', 0]);
  assert.deepEqual(
    attempts.map((t) => [t.source, t.tag, t.detail]),
    [
      ['a', 'blocked', 'captcha seen'],
      ['b', 'found', null],
    ],
  );
});

test('fields that a parser could not read are reported with the attempt and with the outcome', async () => {
  const partly = scripted('a', [found(registered('a.com'), undefined, ['registrar.name', 'registrar.name'])]);
  const { outcome, attempts } = await chain([partly]).run();
  assert.deepEqual(outcome.tag === 'found' && outcome.unread, ['registrar.name']);
  assert.deepEqual(attempts[0]?.unread, ['registrar.name']);
  const { attempts: whole } = await chain([scripted('a', [yes])]).run();
  assert.equal(whole[0] && 'unread' in whole[0], false);
});

test('"absent" ends the chain only if the source can know it', async () => {
  const vague = scripted('a', [absent(PROOF, 'Not seen.')], { knowsAbsence: false });
  assert.equal((await chain([vague, scripted('b', [yes])]).run()).outcome.tag, 'found');
  assert.equal((await chain([vague, scripted('b', [blocked('Wall.')])]).run()).outcome.tag, 'blocked');
  assert.equal((await chain([vague]).run()).outcome.tag, 'inconclusive', 'a guess alone is never a 404');
  const sure = scripted('c', [absent(PROOF, 'Gone.')]);
  const after = scripted('d', [yes]);
  assert.equal((await chain([sure, after]).run()).outcome.tag, 'absent');
  assert.equal(after.asked, 0);
});

test('a hanging source gets its share of the deadline, and the next one the rest', async () => {
  const { clock, run } = chain([scripted('a', [never]), scripted('b', [yes])]);
  const began = clock.now();
  const settled = run();
  await clock.advance(15_000);
  const { outcome, attempts } = await settled;
  assert.equal(outcome.tag, 'found');
  assert.equal(attempts[0]?.tag, 'timeout');
  assert.equal(clock.now() - began, 15_000);
});

test('unreachable is retried once, after a pause, within the deadline; other failures are not retried', async () => {
  const shaky = scripted('a', [unreachable('Down.'), yes]);
  const first = chain([shaky]);
  const settled = first.run();
  await first.clock.advance(299);
  assert.equal(shaky.asked, 1, 'not before the pause of 100 ms and jitter');
  await first.clock.advance(1);
  assert.equal((await settled).outcome.tag, 'found');
  const tight = scripted('b', [unreachable('Down.'), yes]);
  assert.equal((await chain([tight], 400).run()).outcome.tag, 'unreachable');
  assert.equal(tight.asked, 1);
  const walled = scripted('c', [blocked('Wall.'), yes]);
  await chain([walled]).run();
  assert.equal(walled.asked, 1);
});

test('a source that throws is a defect: the next source is called; without another source the lookup fails as a defect', async () => {
  const broken = scripted('a', [new Error('null is not an object')]);
  assert.equal((await chain([broken, scripted('b', [yes])]).run()).outcome.tag, 'found');
  const { outcome, attempts } = await chain([broken]).run();
  assert.equal(outcome.tag, 'defect');
  assert.match(attempts[0]?.detail ?? '', /null is not an object/);
});

test('five failures among the last ten calls open the breaker for 30 s: no request is made, and the message states why', async () => {
  const blockPage = blocked('The page of reviews is walled.');
  const source = scripted('a', [yes, blockPage, blockPage, yes, blockPage, blockPage, blockPage, blockPage, yes]);
  const { run, clock } = chain([source]);
  for (let i = 0; i < 7; i++) await run();
  assert.equal(source.asked, 7);
  await clock.advance(12_000);
  const { outcome } = await run();
  assert.equal(source.asked, 7, 'not asked while it rests');
  assert.ok(outcome.tag === 'blocked');
  assert.equal(outcome.what, 'The source blocked this service several times in a row.');
  await clock.advance(18_001);
  assert.equal((await run()).outcome.tag, 'blocked');
  assert.equal(source.asked, 8, 'one tries again, and it opens anew');
  await clock.advance(29_999);
  await run();
  assert.equal(source.asked, 8);
  await clock.advance(2);
  assert.equal((await run()).outcome.tag, 'found');
});

test('a refusal by our own pace neither opens the breaker nor rests the source', async () => {
  const ours = { ...limited('Paced.', 200), counts: false as const };
  const source = scripted('a', [...Array.from({ length: 20 }, () => ours), yes]);
  const { run } = chain([source]);
  for (let i = 0; i < 20; i++) {
    const { outcome, attempts } = await run();
    assert.deepEqual([outcome.tag, attempts.map((a) => a.isUnsent)], ['limited', [true]]);
  }
  const { outcome, attempts } = await run();
  assert.deepEqual([outcome.tag, attempts.map((a) => a.isUnsent)], ['found', [undefined]]);
  assert.equal(source.asked, 21);
});

test('`changed` opens the breaker only after five different questions of one operation in a row; an odd page counts once', async () => {
  const odd = changed('The page has an unknown form.');
  let next: Outcome = odd;
  const source = scripted('a', [yes]);
  const asked: string[] = [];
  const answering: Source = {
    ...source,
    open: () => ({
      registration: async ({ domain }) => {
        asked.push(domain);
        return next as Outcome<never>;
      },
    }),
  };
  const { clock, ask } = asking(answering);
  for (let i = 0; i < 12; i++) await ask('odd.com');
  for (const domain of ['b.com', 'c.com', 'd.com']) await ask(domain);
  next = yes;
  assert.equal((await ask('good.com')).tag, 'found', 'four odd pages close nothing, however often they were asked for');
  next = odd;
  for (const domain of ['e.com', 'f.com', 'g.com', 'h.com']) assert.equal((await ask(domain)).detail, undefined);
  next = yes;
  assert.equal((await ask('e.com')).tag, 'found', 'the good one is among the last five');
  next = odd;
  for (const domain of ['e.com', 'f.com', 'g.com', 'h.com', 'i.com']) await ask(domain);
  const before = asked.length;
  assert.equal((await ask('j.com')).detail, 'breaker open');
  assert.equal(asked.length, before);
  await clock.advance(30_000);
  next = yes;
  assert.equal((await ask('j.com')).tag, 'found');
  assert.equal((await ask('k.com')).tag, 'found');
});

test("neither limits, nor refusals, nor the platform's own statement about one item count against the source", async () => {
  const statement = { ...changed('Not shown, for a reason that is not known.'), counts: false as const };
  for (const outcome of [statement, limited('Slow down.'), refused('Credentials.')]) {
    const breakers = createBreakers(() => 0);
    for (let i = 0; i < 12; i++) await breakers.callSource('a', { operation: 'app', cacheKey: `${i}` }, async () => outcome);
    assert.equal(breakers.stateOf('a').state, 'closed', outcome.tag);
  }
});

test('a source with Retry-After is not called until then: it is limited at once with the time left, and the chain continues', async () => {
  const source = scripted('a', [limited('Slow down.', 60_000), yes]);
  const next = scripted('b', [yes, limited('Slow down.', 10_000), yes]);
  const { run, clock } = chain([source, next]);
  assert.equal((await run()).outcome.source, 'b');
  await clock.advance(1_000);
  const began = clock.now();
  const { outcome } = await run();
  assert.ok(outcome.tag === 'limited' && outcome.retryAfterMs === 59_000, JSON.stringify(outcome));
  assert.deepEqual([source.asked, next.asked, clock.now() - began], [1, 2, 0]);
  await clock.advance(10_000);
  assert.equal((await run()).outcome.source, 'b');
  await clock.advance(49_000);
  assert.equal((await run()).outcome.source, 'a');
});

test('parts of a source fail separately: an open breaker of one registry does not block the others', async () => {
  let domain = 'a.de';
  const source = scripted('a', [blocked('Wall.')], { partOf: () => domain });
  const { run } = chain([source]);
  for (let i = 0; i < 6; i++) await run();
  assert.equal(source.asked, 5);
  domain = 'a.fr';
  await run();
  assert.equal(source.asked, 6);
});

test('a resource that the platform blocks for everyone ends the chain and does not count against the source', async () => {
  const source = scripted('a', [finallyBlocked('Only signed-in visitors may see it.')]);
  const after = scripted('b', [yes]);
  const { run } = chain([source, after]);
  for (let i = 0; i < 8; i++) assert.equal((await run()).outcome.tag, 'blocked');
  assert.deepEqual([source.asked, after.asked], [8, 0]);
});

test('the observer is called before and after each attempt', async () => {
  const told: string[] = [];
  await chain([scripted('a', [blocked('Wall.')]), scripted('b', [yes])], 30_000, (s, ended) =>
    told.push(`${s} ${ended?.tag ?? 'asked'}`),
  ).run();
  assert.deepEqual(told, ['a asked', 'a blocked', 'b asked', 'b found']);
});

test('a refusal of our own account outranks whatever another source said, and a source that answers outranks it', async () => {
  const account = refusedAccount('The account has no credits left.');
  const others = [
    limited('Slow down.', 5_000),
    blocked('Wall.'),
    changed('The platform does not show it here.'),
    timeout('Late.'),
    unreachable('Down.'),
    refused('Our request.'),
    absent(PROOF, 'Not seen.'),
  ];
  for (const other of others)
    for (const outcomes of [
      [account, other],
      [other, account],
    ]) {
      const sources = outcomes.map((outcome, i) => scripted(`${i}`, [outcome], { knowsAbsence: false }));
      const { run, clock } = chain(sources);
      const settled = run();
      await clock.advance(1_000);
      assert.equal((await settled).outcome.source, String(outcomes.indexOf(account)), `beside ${other.tag}`);
    }
  assert.equal((await chain([scripted('a', [account]), scripted('b', [yes])]).run()).outcome.tag, 'found');
});

test('what a weaker source is not shown never hides the refusal of our own account, which might have been shown it', async () => {
  const account = refusedAccount('The spending limit is reached.');
  const gated = finallyBlocked('Only signed-in visitors may see it.');
  const after = scripted('c', [yes]);
  const { outcome } = await chain([scripted('a', [account]), scripted('b', [gated]), after]).run();
  assert.deepEqual([outcome.tag, outcome.source, after.asked], ['refused', 'a', 0]);
  assert.equal((await chain([scripted('a', [blocked('Wall.')]), scripted('b', [gated])]).run()).outcome.source, 'b');
});

test('a source that cannot speak for those before it says "not there" only where none of them failed', async () => {
  const no = absent(PROOF, 'In none of the lists.');
  const ended = async (before: Outcome, knowsAbsence: Source['knowsAbsence']) => {
    const sources = [scripted('a', [before, before], { knowsAbsence: false }), scripted('b', [no], { knowsAbsence })];
    const { run, clock } = chain(sources);
    const settled = run();
    await clock.advance(1_000);
    return (await settled).outcome.tag;
  };
  const failures = [
    refusedAccount('No credits left.'),
    refused('x'),
    limited('Slow.'),
    blocked('Wall.'),
    changed('x'),
    timeout('x'),
    unreachable('x'),
  ];
  for (const failure of failures) {
    assert.equal(await ended(failure, 'where none failed'), failure.tag);
    assert.equal(await ended(failure, true), 'absent');
  }
  assert.equal(await ended(no, 'where none failed'), 'absent');
  assert.equal((await chain([scripted('b', [no], { knowsAbsence: 'where none failed' })]).run()).outcome.tag, 'absent', 'alone');
});

test('a limit of our account is not asked for again before its reset; a refusal without one is', async () => {
  const capped = scripted('a', [refusedAccount('The spending limit is reached.', 'SpendCapReached', 7 * 86_400_000), yes]);
  const { run, clock } = chain([capped]);
  await run();
  await clock.advance(3 * 86_400_000);
  const { outcome, attempts } = await run();
  assert.ok(outcome.tag === 'refused' && outcome.retryAfterMs === 4 * 86_400_000, JSON.stringify(outcome));
  assert.deepEqual([capped.asked, attempts.map(({ isUnsent }) => isUnsent)], [1, [true]]);
  await clock.advance(4 * 86_400_000);
  assert.equal((await run()).outcome.tag, 'found');
  const locked = scripted('b', [refusedAccount('Wrong key.'), yes]);
  const again = chain([locked]);
  await again.run();
  assert.equal((await again.run()).outcome.tag, 'found');
});
