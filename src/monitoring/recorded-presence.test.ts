import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../test/chaos/random.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { SOURCES } from '../sources/index.ts';
import { createDrift } from './drift.ts';
import { MISSING } from './drift-statistic.ts';
import { recordedPresence } from './recorded-presence.ts';

test('answers drawn at the recorded presence raise no alarm, and each recorded stream is one of a source', () => {
  const recorded = recordedPresence();
  assert.ok(recorded.size > 100);
  const fields = [...recorded].map(([key, counts]) => ({
    stream: key.split('\n')[0] as string,
    field: key.split('\n')[1] as string,
    ...counts,
  }));
  for (const { stream, answers, faults } of fields) {
    const [source, operation] = stream.split(' ');
    assert.ok(
      SOURCES.some(({ id, operations }) => id === source && operations.some((one) => one === operation)),
      stream,
    );
    assert.ok(answers >= 10 && faults / answers <= MISSING.maxRate, stream);
  }
  const random = createRandom(7).next;
  const logged: string[] = [];
  const drift = createDrift({ clock: createManualClock(0), log: (_, message) => void logged.push(message), recorded });
  for (const [stream, those] of Map.groupBy(fields, (one) => one.stream)) {
    const [source = '', operation, part = ''] = stream.split(' ');
    for (let i = 0; i < 1_000; i++) {
      const missing = those.filter(({ answers, faults }) => random() < faults / answers).map(({ field }) => field);
      const present = those.flatMap(({ field }) => (missing.includes(field) ? [] : [field]));
      const outcome = { tag: 'found', resource: { fields: { present, missing } } } as const;
      drift.observe({ source, operation: operation as OperationId, part, outcome, requestId: null });
    }
  }
  assert.deepEqual(logged, []);
});
