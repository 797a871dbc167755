import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDriftSums } from '../../src/store/drift-sums.ts';
import type { FieldHourRow } from '../../src/store/tables.ts';
import { BACKENDS, type Bench } from './backends.ts';

const HOUR = 400_000;
const NOW_MS = (HOUR + 1) * 3_600_000;
const sum = (more: Partial<FieldHourRow> = {}): FieldHourRow => ({
  source: 'appmarket/page',
  stream: 'appmarket/page app',
  field: 'rating',
  hour: HOUR,
  answers: 10,
  missing: 2,
  unread: 1,
  drifting: 0,
  ...more,
});

for (const backend of BACKENDS)
  describe(`hourly sums of fields: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    test('the sums of several processes and hours add up; hours with drift and hours older than a week are left out', async () => {
      const sums = createDriftSums(bench.store.db);
      await sums.add([sum(), sum({ field: 'name', missing: 0 })]);
      await sums.add([sum()]);
      await sums.add([sum({ hour: HOUR - 1, answers: 5 }), sum({ hour: HOUR - 2, drifting: 1 }), sum({ hour: HOUR - 169 })]);
      await sums.add([sum({ hour: HOUR - 3 })]);
      await sums.add([sum({ hour: HOUR - 3, drifting: 1 })]);
      const loaded = await sums.load(NOW_MS);
      assert.deepEqual(loaded.map(({ field, answers, missing, unread }) => [field, answers, missing, unread]).sort(), [
        ['name', 10, 0, 1],
        ['rating', 25, 6, 3],
      ]);
    });

    test('sums older than 30 days are deleted, thousands are added at once', async () => {
      const sums = createDriftSums(bench.store.db);
      await sums.add([sum({ hour: HOUR - 721 })]);
      await sums.add(Array.from({ length: 2_000 }, (_, i) => sum({ stream: `registration/whois registration ${i}` })));
      const rows = await bench.store.db
        .selectFrom('field_hours')
        .select('hour')
        .where('hour', '<', HOUR - 720)
        .execute();
      assert.deepEqual(rows, []);
      assert.equal((await sums.load(NOW_MS)).filter(({ stream }) => stream.startsWith('registration/whois')).length, 2_000);
    });
  });
