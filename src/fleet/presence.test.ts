import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryOf } from './member-list.ts';
import { createPresence } from './presence.ts';
import { createRedisClock } from './redis-clock.ts';

const EPOCH = 1_800_000_000_000;
const ROUND_TRIP_MS = 2;

/** A gateway whose heartbeats are answered at the times given; Redis' clock is ahead by a constant. */
function gateway() {
  let [ids, nowMs] = [0, 0];
  const presence = createPresence({
    part: { gateway: true, sources: [] },
    credentials: () => null,
    newId: () => `gateway-${++ids}`,
    redisClock: createRedisClock(() => nowMs),
    heartbeatMs: 250,
  });
  const other = entryOf('other', { gateway: true, sources: [] }, false, '');
  return {
    presence,
    /** `otherBeatMs`: when the other gateway's last heartbeat was. */
    answer(atMs: number, entry = presence.next().entry, otherBeatMs = atMs) {
      nowMs = atMs;
      const list = [entry, String(EPOCH + atMs), other, String(EPOCH + otherBeatMs)];
      return presence.answered({ entry, sentMs: atMs - ROUND_TRIP_MS, answeredMs: atMs, redisMs: EPOCH + atMs - ROUND_TRIP_MS / 2, list });
    },
  };
}

test('the first reply makes a process a member; those after it change nothing', () => {
  const { presence, answer } = gateway();
  assert.deepEqual([presence.up, presence.id, presence.upForMs(10)], [false, 'gateway-1', 0]);
  assert.deepEqual(answer(250), { suspended: false, joined: true });
  assert.deepEqual(answer(500), { suspended: false, joined: false });
  assert.deepEqual([presence.up, presence.upForMs(600), [...presence.members.gateways.keys()]], [true, 350, ['gateway-1', 'other']]);
  assert.deepEqual(presence.next(), { entry: presence.entry, previous: '' });
});

test('after a loss the process has another id, whose entry replaces the earlier one; a late reply to the earlier entry does not join', () => {
  const { presence, answer } = gateway();
  answer(250);
  const { entry: earlier } = presence.next();
  assert.equal(presence.lose(), true);
  assert.equal(presence.lose(), false, 'it is lost already');
  assert.deepEqual([presence.up, presence.id, presence.upForMs(900)], [false, 'gateway-2', 0]);
  assert.deepEqual(answer(500, earlier), { suspended: false, joined: false });
  assert.equal(presence.next().previous, earlier);
  assert.deepEqual(answer(750), { suspended: false, joined: true });
  assert.equal(presence.next().previous, '');
});

test('a process that stood still for as long as others wait for its heartbeat was taken for stopped: it joins again under another id', () => {
  const { presence, answer } = gateway();
  answer(250);
  assert.deepEqual(answer(250 + 2_900), { suspended: false, joined: false });
  assert.deepEqual(answer(250 + 2_900 + 3_100), { suspended: true, joined: false });
  assert.deepEqual([presence.up, presence.id], [false, 'gateway-2']);
  assert.deepEqual(answer(6_500), { suspended: false, joined: true });
});

test('heartbeats of others that a suspended process could not read are not missing; without a suspension they are', () => {
  const { presence, answer } = gateway();
  answer(250);
  answer(250 + 5_000, undefined, 250);
  assert.ok(presence.members.gateways.has('other'));
  for (let atMs = 5_500; atMs <= 8_500; atMs += 250) answer(atMs, undefined, 250);
  assert.ok(!presence.members.gateways.has('other'));
});

test('a process that retires announces it with its next heartbeat, in place of the entry before', () => {
  const { presence, answer } = gateway();
  answer(250);
  const { entry: before } = presence.next();
  presence.retire();
  assert.equal(presence.next().previous, before);
  assert.deepEqual([answer(500), presence.up, presence.id], [{ suspended: false, joined: false }, true, 'gateway-1']);
});
