import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, messagesOf } from './targets.ts';

test('a change was told by the messages of its check: those of the nearest later place in the feed, filed at its time', () => {
  const [first, second] = ['2026-11-24T06:04:00.000Z', '2026-11-26T06:04:00.000Z'];
  const message = (cursor: string, createdAt: string, as: Message['as']): Message => ({
    ...{ id: `chg_${cursor}`, cursor, as, to: null, kinds: ['changed'], createdAt },
    ...{ attempts: 1, nextAt: null, deliveredAt: createdAt, result: '204' },
  });
  const messages = [
    message('12', second, 'slack'),
    message('12', second, 'webhook'),
    message('9', second, 'email'),
    message('7', first, 'slack'),
  ];
  const toldOf = (cursor: string, at: string) => messagesOf({ cursor, at }, messages).map((one) => `${one.cursor} ${one.as}`);
  assert.deepEqual(toldOf('12', second), ['12 slack', '12 webhook']);
  assert.deepEqual(toldOf('10', second), ['12 slack', '12 webhook'], 'an earlier change of the same check');
  assert.deepEqual(toldOf('8', second), ['9 email']);
  assert.deepEqual(toldOf('6', first), ['7 slack']);
  assert.deepEqual(toldOf('5', '2026-11-20T06:04:00.000Z'), [], 'nobody was to be told');
});
