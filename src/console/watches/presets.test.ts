import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNewWatch } from '../../contract/account/watch-input.ts';
import { countedFields } from '../../contract/counted-fields.ts';
import { operationList } from '../../contract/operations/index.ts';
import { SAMPLES } from '../../contract/operations/samples.ts';
import { dueOf, fieldsOf, oneByOne, presetsIn, type Ticked } from './preset-fields.ts';
import { ENTRIES, entriesIn, PRESETS } from './presets.ts';

const nameOf = (field: string): string => field;
const examplesOf = (operation: (typeof operationList)[number]) =>
  Object.fromEntries(operation.parameters.filter((one) => one.required).map((one) => [one.name, String(one.example)]));

for (const operation of operationList) {
  const presets = [...(PRESETS[operation.id] ?? []), ...oneByOne(operation.id, operation.watch.fields, nameOf)];
  const of = ENTRIES[operation.id];
  const answer = SAMPLES[operation.id];
  const entries = of ? entriesIn(answer, of).slice(0, 1) : [];

  test(`${operation.id}: the service takes every condition with every value, and the dialog finds it again in the watch`, () => {
    for (const names of of ? [[], entries, [...entries, 'www.example.org']] : [[]])
      for (const preset of presets)
        for (const value of preset.values ?? ['']) {
          const ticked: readonly Ticked[] = [{ preset, value }];
          const fields = fieldsOf(ticked, names);
          const due = dueOf(presets, ticked);
          const body = { operation: operation.id, parameters: examplesOf(operation), every: '1d', creditsPerMonth: 31, fields };
          const read = readNewWatch({ ...body, ...(due !== undefined && { due }) });
          const found = presetsIn(presets, read.fields ?? operation.watch.fields, read.due ?? []);
          assert.deepEqual(
            [found.ticked.map((one) => [one.preset.id, one.value]), found.left],
            [[[preset.id, value]], []],
            `${preset.id} ${value}`,
          );
          const usesEntries = preset.paths.some((path) => path.includes('@'));
          assert.deepEqual(found.entries, usesEntries ? names : [], preset.id);
        }
  });

  test(`${operation.id}: what a watch counts unless it is told otherwise is there as conditions`, () => {
    const { ticked, left } = presetsIn(presets, operation.watch.fields, operation.watch.due?.days ?? []);
    assert.deepEqual(left, []);
    const counted = fieldsOf(ticked, []).flatMap((field) => countedFields(operation, field) ?? []);
    for (const { path } of operation.watch.fields.flatMap((field) => countedFields(operation, field) ?? []))
      assert.ok(
        counted.some((one) => one.path === path),
        path,
      );
  });

  test(`${operation.id}: what is true now is read from its answer, and an answer of another form says nothing`, () => {
    for (const preset of presets.filter(({ now }) => now)) {
      const said = preset.now?.(answer, entries, Number(preset.values?.[0]));
      assert.ok(said === null || /\bnow\b/.test(String(said)), `${preset.id}: ${said}`);
      for (const foreign of [null, [], {}, { organic: 'x', apps: [null], expiresOn: 5, nameServers: {} }])
        assert.doesNotThrow(() => preset.now?.(foreign, entries, 3), preset.id);
    }
  });
}

test('a field that no condition stands for stays as it was', () => {
  const presets = PRESETS.serp ?? [];
  const odd = [{ path: 'paid[acme-widgets.com].rank', crosses: 4 }, 'organic.description'];
  const { ticked, left } = presetsIn(presets, [{ path: 'organic[acme-widgets.com].rank', least: 7 }, ...odd], []);
  assert.deepEqual(
    ticked.map(({ preset, value }) => [preset.id, value]),
    [['place', '7']],
  );
  assert.deepEqual(left, odd);
});

test('the places of a site and the thresholds that already hold are said', () => {
  const [place, first, cited] = PRESETS.serp ?? [];
  const answer = {
    organic: [
      { rank: 1, domain: 'other.org' },
      { rank: 2, domain: 'acme.com' },
      { rank: 5, domain: 'acme.com' },
    ],
    aiOverview: { references: [{ domain: 'acme.com', url: 'https://acme.com/' }] },
  };
  assert.equal(place?.now?.(answer, ['acme.com'], 2), 'now 2 and 5');
  assert.equal(place?.now?.(answer, ['nobody.org'], 2), 'now not in the first 3');
  assert.equal(first?.now?.(answer, ['acme.com'], 3), 'now inside');
  assert.equal(first?.now?.(answer, ['acme.com'], 1), 'now outside');
  assert.equal(cited?.now?.(answer, ['acme.com'], 0), 'now cited');
  assert.equal(cited?.now?.({ ...answer, aiOverview: null }, ['acme.com'], 0), 'none shown now');
});
