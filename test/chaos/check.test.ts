import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './check.ts';
import type { Entry, Told } from './evidence.ts';
import {
  ask,
  balance,
  breakOff,
  createSyntheticEvidence,
  enter,
  HOLD_MS,
  POOR,
  RICH,
  refuse,
  type SyntheticEvidence,
  see,
  sell,
} from './synthetic-evidence.ts';

/** Evidence of a valid run that contains every permitted event. */
function cleanRun(): SyntheticEvidence {
  const run = createSyntheticEvidence();
  const { gateway1, gateway2, worker1 } = run;
  for (let i = 0; i < 10; i++) sell(run, `sold-${i}`, 1_000 + 200 * i);
  ask(run, 'hit', 3_000, { headers: { 'x-credits-charged': '0', 'cache-status': 'sightline; hit; ttl=412' } });
  refuse(run, 'broke', 3_100, 402, 'INSUFFICIENT_CREDITS', { account: POOR });
  refuse(run, 'failed', 3_200, 502, 'UPSTREAM_BLOCKED');
  enter(run, 'hold', 'failed', 3_210);
  enter(run, 'release', 'failed', 3_310);
  // a gateway is killed: one request was open, another had been answered 40 ms before and was not captured yet
  gateway1.outages.push({ kind: 'killed', from: 5_000, until: 6_000 });
  breakOff(run, 'open', 4_950, { until: 5_001 });
  ask(run, 'uncaptured', 4_860);
  enter(run, 'hold', 'uncaptured', 4_870);
  // PostgreSQL is unavailable for a second, and a request arrives in that time
  run.postgresGaps.push({ from: 7_000, until: 8_000 });
  refuse(run, 'away', 7_500, 503, 'UNAVAILABLE');
  // a gateway is frozen for longer than a hold lives
  gateway2.outages.push({ kind: 'frozen', from: 10_000, until: 10_000 + HOLD_MS + 2_000 });
  refuse(run, 'in hand', 9_900, 502, 'UPSTREAM_TIMEOUT', { gateway: gateway2, begun: 48_050, until: 48_051 });
  enter(run, 'hold', 'in hand', 9_950);
  enter(run, 'expire', 'in hand', 46_000);
  // the store is away, and after it a gateway stands still, until a hold of that gateway is over
  run.postgresGaps.push({ from: 48_900, until: 50_900 });
  gateway2.outages.push({ kind: 'frozen', from: 52_000, until: 55_000 });
  ask(run, 'stood still', 48_850, { gateway: gateway2 });
  enter(run, 'hold', 'stood still', 48_860);
  enter(run, 'expire', 'stood still', 55_100);
  // a gateway receives SIGTERM and answers before it exits
  gateway1.outages.push({ kind: 'ended', from: 50_000, until: 51_000 });
  sell(run, 'answered first', 49_950);
  breakOff(run, 'on its way', 49_999, { until: 50_001 });
  // platforms: a repeated request after the first was answered, a job taken over, the burst and the pace of one second
  see(run, 'twice', 1_000, 1_500);
  see(run, 'twice', 1_500, 2_000, 'worker2');
  worker1.outages.push({ kind: 'frozen', from: 20_000, until: 24_500 });
  see(run, 'taken over', 19_990, 24_550);
  see(run, 'taken over', 22_500, 23_000, 'worker2');
  for (let i = 0; i < 30; i++) see(run, `burst ${i}`, 30_000, 30_100);
  for (let i = 1; i < 25; i++) see(run, `pace ${i}`, 30_000 + 40 * i, 30_200 + 40 * i);
  return run;
}

test('a valid run has no violation, and its exceptions are counted', () => {
  const run = cleanRun();
  balance(run);
  const { violations, figures } = check(run);
  assert.deepEqual(violations, []);
  assert.equal(figures['captured answers'], 11);
  assert.equal(figures['free answers'], 1);
  assert.equal(figures['requests open when their gateway was killed'], 1);
  assert.equal(figures['requests on their way as their gateway ended'], 1);
  assert.equal(figures['answers whose capture a kill took'], 1);
  assert.equal(figures['answers whose hold was over before the store could take their capture'], 1);
  assert.equal(figures['holds that ended while their gateway was frozen'], 1);
  assert.equal(figures['questions asked again while the first request still ran: its process was frozen'], 1);
  assert.equal(figures['most requests to api.dataforseo.com in a second (30 at once, then one each 40 ms)'], 54);
});

/** Each fault is added to the valid run and must be the only violation found. `afterwards` changes the ledger rows at the end. */
function found(
  what: string,
  expected: RegExp,
  plant: (run: SyntheticEvidence) => unknown,
  afterwards?: (run: SyntheticEvidence) => unknown,
): void {
  test(`reported: ${what}`, () => {
    const run = cleanRun();
    plant(run);
    balance(run);
    afterwards?.(run);
    const { violations } = check(run);
    assert.equal(violations.length, 1, violations.join('\n') || 'nothing was found');
    assert.match(violations[0] ?? '', expected);
  });
}
const nothing = (): void => {};
const told = (run: SyntheticEvidence, id: string): Told => run.told.find((t) => t.id === id) ?? assert.fail(`no request ${id}`);
const overwrite = (run: SyntheticEvidence, id: string, more: Partial<Told>): Told => Object.assign(told(run, id), more);
const head = (run: SyntheticEvidence, id: string, more: Record<string, string>): Told =>
  overwrite(run, id, { headers: { ...told(run, id).headers, ...more } });
const drop = (run: SyntheticEvidence, kind: Entry['kind'], label: string): void => {
  const { entries } = run.ledgerRows;
  const at = entries.findIndex((e) => e.kind === kind && e.hold === `hold of ${label}`);
  assert.notEqual(at, -1);
  entries.splice(at, 1);
};

// answers
found('no answer of a gateway that ran', /^lost: no answer .* of gateway2, which ran$/, (r) =>
  breakOff(r, 'lost', 2_000, { gateway: r.gateway2 }),
);
found('no answer of a gateway that was frozen', /^lost: no answer/, (r) => breakOff(r, 'lost', 20_000, { gateway: r.gateway2 }));
found('no answer of a gateway that had the request when it was asked to end', /^lost: no answer/, (r) =>
  breakOff(r, 'lost', 49_500, { until: 50_500 }),
);
found('a status of the contract that answers something else', /^odd: 404 is no answer to this/, (r) =>
  refuse(r, 'odd', 2_000, 404, 'NOT_FOUND'),
);
found('a defect', /^odd: 500 is no answer to this/, (r) => refuse(r, 'odd', 2_000, 500, 'INTERNAL_ERROR'));
found('a code under another status', /^odd: 502 code and status differ/, (r) => refuse(r, 'odd', 2_000, 502, 'NOT_FOUND'));
found('an error body with more in it', /^failed: 502 not an error body/, (r) =>
  overwrite(r, 'failed', { body: '{"error":{"code":"UPSTREAM_BLOCKED","message":"Why.","stack":"at"}}' }),
);
found('a body that is no JSON', /^failed: 502 no JSON/, (r) => overwrite(r, 'failed', { body: '<html>' }));
found('an answer under another type', /^failed: 502 under the type text\/html/, (r) => head(r, 'failed', { 'content-type': 'text/html' }));
found('a resource that is not of the contract', /^sold-1: 200 not of the contract/, (r) =>
  overwrite(r, 'sold-1', { body: '{"keyword":"shoes sold-1"}' }),
);
found('the answer to another question', /^sold-1: 200 answers another question/, (r) =>
  overwrite(r, 'sold-1', { body: told(r, 'sold-2').body }),
);
found('the answer of another request', /^sold-1: 200 of another request/, (r) => head(r, 'sold-1', { 'x-request-id': 'sold-2' }));
found('an error that is charged', /^failed: 502 charged/, (r) => head(r, 'failed', { 'x-credits-charged': '1' }));
found('429 without Retry-After', /^limited: 429 without Retry-After/, (r) =>
  refuse(r, 'limited', 2_000, 429, 'RATE_LIMITED', { headers: { 'retry-after': '' } }),
);
found('402 to one who has credits', /^rich: 402 to one who has credits/, (r) => refuse(r, 'rich', 2_000, 402, 'INSUFFICIENT_CREDITS'));
found('503 while the store is there', /^early: 503 though the store was there/, (r) => refuse(r, 'early', 1_000, 503, 'UNAVAILABLE'));
found('two answers to one request', /^hit: told twice/, (r) => r.told.push(told(r, 'hit')));
found('a process that does not end', /^worker1: did not end/, (r) =>
  r.worker1.outages.push({ kind: 'ended', from: 60_000, until: 80_000, stuck: true }),
);
found('a process that ends by itself', /^worker1: ended by itself \(1\)/, (r) =>
  r.worker1.outages.push({ kind: 'fallen', from: 60_000, until: Number.POSITIVE_INFINITY, reason: '1' }),
);
found('a fleet that sells next to nothing', /^only 11 answers of \d+ were sold/, (r) => {
  for (let i = 0; i < 100; i++) refuse(r, `refused-${i}`, 2_000, 502, 'UPSTREAM_FAILED');
});

// money
found('a capture without a 200', /^failed: 1 captured, but its answer was 502/, (r) => {
  drop(r, 'release', 'failed');
  enter(r, 'capture', 'failed', 3_310);
});
found('a capture of an answer that broke off', /^open: 1 captured, but its answer was UND_ERR/, (r) => {
  enter(r, 'hold', 'open', 4_960);
  enter(r, 'capture', 'open', 4_990);
});
found('a capture for nobody', /^nobody: 1 captured, but its answer was nobody’s/, (r) => {
  enter(r, 'hold', 'nobody', 2_000);
  enter(r, 'capture', 'nobody', 2_100);
});
found('a capture without a hold', /^rich: capture of -1 without a hold/, (r) => enter(r, 'capture', 'unheld', 2_100));
found('a double capture', /^sold-1: captured twice/, (r) => {
  enter(r, 'capture', 'sold-1', 1_400, 0);
});
found('a double charge', /^sold-1: captured twice/, (r) => {
  enter(r, 'capture', 'sold-1', 1_400, -1);
  head(r, 'sold-1', { 'x-credits-charged': '2' });
});
found('a charge other than said', /^sold-1: 1 captured, 2 said/, (r) => head(r, 'sold-1', { 'x-credits-charged': '2' }));
found('a charge of what is not sold', /^failed: release of -1 credits/, (r) => {
  drop(r, 'release', 'failed');
  enter(r, 'release', 'failed', 3_310, -1);
});
found('a charge before the question', /^sold-1: captured before it was asked/, (r) => {
  drop(r, 'capture', 'sold-1');
  enter(r, 'capture', 'sold-1', 1_150);
});
found('a lookup of its own that is free', /^free: a lookup of its own, and free/, (r) =>
  ask(r, 'free', 2_000, { headers: { 'x-credits-charged': '0' } }),
);
found('a sold answer that was never held', /^unheld: charged 1, and never held/, (r) => ask(r, 'unheld', 2_000));
found('an answer before its hold', /^sold-1: sent 1 ms before its hold/, (r) => {
  drop(r, 'hold', 'sold-1');
  enter(r, 'hold', 'sold-1', 1_300);
});
found('a sold answer whose hold was given back', /^back: charged 1, and its hold given back/, (r) => {
  ask(r, 'back', 2_000);
  enter(r, 'hold', 'back', 2_010);
  enter(r, 'release', 'back', 2_110);
});
found('a lost capture, and no kill near', /^sold-1: charged 1, not captured, and no kill near/, (r) => drop(r, 'capture', 'sold-1'));
found('a lost capture longer before a kill than a flush takes', /^early: charged 1, not captured/, (r) => {
  ask(r, 'early', 4_790);
  enter(r, 'hold', 'early', 4_800);
});
found('a capture that an orderly end lost', /^answered first: charged 1, not captured/, (r) => drop(r, 'capture', 'answered first'));
found(
  'a hold that expired once the store had been back for long enough',
  /^back: charged 1, not captured, .* expired \d+ ms after the last byte$/,
  (r) => {
    r.postgresGaps.push({ from: 60_000, until: 66_000 });
    ask(r, 'back', 59_950);
    enter(r, 'hold', 'back', 59_960);
    enter(r, 'expire', 'back', 68_600);
  },
);
found('a capture that a short freeze lost', /^short: charged 1, not captured/, (r) => {
  r.gateway2.outages.push({ kind: 'frozen', from: 60_000, until: 63_000 });
  ask(r, 'short', 59_950, { gateway: r.gateway2 });
  enter(r, 'hold', 'short', 59_960);
});
found('a late capture, and nothing in the way', /^sold-1: captured 2500 ms after its last byte/, (r) => {
  drop(r, 'capture', 'sold-1');
  enter(r, 'capture', 'sold-1', 3_800);
});
found('a capture that waited longer than a frozen gateway keeps its locks', /^locked: captured 4200 ms after its last byte/, (r) => {
  r.gateway2.outages.push({ kind: 'frozen', from: 60_000, until: 63_000 });
  ask(r, 'waited', 59_800);
  enter(r, 'hold', 'waited', 59_810);
  enter(r, 'capture', 'waited', told(r, 'waited').until + 3_900);
  ask(r, 'locked', 59_800);
  enter(r, 'hold', 'locked', 59_810);
  enter(r, 'capture', 'locked', told(r, 'locked').until + 4_200);
});
found('an answer on a hold that is over', /^in hand: sent 2050 ms after its hold was over/, (r) => {
  r.told.splice(r.told.indexOf(told(r, 'in hand')), 1);
  ask(r, 'in hand', 9_900, { gateway: r.gateway2, begun: 48_050, until: 48_051 });
});
found('a second answer that one freeze caught in the write', /^caught 2: sent 2050 ms after its hold was over/, (r) => {
  for (const id of ['caught 1', 'caught 2']) {
    ask(r, id, 9_900, { gateway: r.gateway2, begun: 48_050, until: 48_051, headers: { 'server-timing': 'total;dur=95.1' } });
    enter(r, 'hold', id, 9_910);
    enter(r, 'expire', id, 46_000);
  }
});
found('a long freeze that found no hold', /^no freeze that was longer than a hold lives found a hold/, (r) => {
  drop(r, 'expire', 'in hand');
  enter(r, 'release', 'in hand', 48_060);
});
found('a balance that is not the sum', /^rich: balance 999988 \+ held 0, entries say 999989/, nothing, (r) => {
  r.ledgerRows.balances.splice(0, 1, { account: RICH.accountId, balance: 999_988, held: 0 });
});
found('credits held by no hold', /^rich: 5 held, open holds say 0/, nothing, (r) => {
  r.ledgerRows.balances.splice(0, 1, { account: RICH.accountId, balance: 999_984, held: 5 });
});
found('a balance below zero', /^poor: balance -1, held 61/, (r) => r.ledgerRows.holds.push({ account: POOR.accountId, amount: 61 }));
found('credits that nobody granted', /^poor: 100 granted, 60 were/, (r) =>
  r.ledgerRows.entries.push({ account: POOR.accountId, kind: 'grant', credits: 40, hold: '', label: '', at: 9 }),
);
found('an account without a balance', /^poor: no balance/, nothing, (r) => r.ledgerRows.balances.splice(1, 1));

// upstream
found('two requests for one question at one time', / twice: asked by worker1 and, 300 ms later, by worker2/, (r) => {
  see(r, 'twice', 40_000, 40_500);
  see(r, 'twice', 40_300, 40_600, 'worker2');
});
found('the same by one process', / twice: asked by worker1 and, 300 ms later, by worker1/, (r) => {
  see(r, 'twice', 40_000, 40_500);
  see(r, 'twice', 40_300, 40_600);
});
found('a WHOIS question at one time', /asked by {2}and, 300 ms later/, (r) => {
  see(r, 'a.de', 40_000, 40_500, '', 'whois.denic.de');
  see(r, 'a.de', 40_300, 40_600, '', 'whois.denic.de');
});
found('a job taken over from a process that stood still for less than its lock', / short: asked by worker2 and, 1500 ms later/, (r) => {
  r.worker2.outages.push({ kind: 'frozen', from: 40_000, until: 41_500 });
  see(r, 'short', 39_990, 41_600, 'worker2');
  see(r, 'short', 41_490, 41_700);
});
found('a job taken over from a process that was asked to end', / ended: asked by worker2/, (r) => {
  r.worker2.outages.push({ kind: 'ended', from: 40_000, until: 43_000 });
  see(r, 'ended', 39_990, 42_600, 'worker2');
  see(r, 'ended', 41_490, 41_700);
});
found('a job run twice long after Redis came back', / later: asked by worker1 and/, (r) => {
  r.redisGaps.push({ from: 38_000, until: 38_500 });
  see(r, 'later', 40_000, 40_500);
  see(r, 'later', 40_300, 40_600, 'worker2');
});
found('a pace exceeded', /^api\.dataforseo\.com: 56 requests in the second before .*, 55 are allowed$/, (r) => {
  for (let i = 0; i < 2; i++) see(r, `over ${i}`, 30_970, 31_000);
});
found('a pace exceeded by what piled up in a frozen process', /^api\.dataforseo\.com: 59 requests .*, 56 are allowed$/, (r) => {
  r.worker2.outages.push({ kind: 'frozen', from: 28_000, until: 30_965 });
  for (let i = 0; i < 5; i++) see(r, `over ${i}`, 30_970, 31_000, 'worker2');
});
found('a pace exceeded by WHOIS', /^whois\.denic\.de: 4 requests/, (r) => {
  for (let i = 0; i < 4; i++) see(r, `${i}.de`, 40_000 + 200 * i, 40_100 + 200 * i, '', 'whois.denic.de');
});
found('a platform whose pace nobody knows', /^example\.com: nobody knows its pace/, (r) =>
  see(r, 'x', 40_000, 40_100, 'worker1', 'example.com'),
);
