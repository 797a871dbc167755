import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describe } from '../../src/contract/openapi/document.ts';
import type { JsonObject } from '../../src/contract/openapi/schemas.ts';
import { exampleFaults } from '../../tools/example-faults.ts';
import { collectExamples, exampleFiles } from '../../tools/examples.ts';

test('every 200 of the description has an example that matches its schema', () => {
  const document = describe();
  assert.deepEqual(exampleFaults(document), []);
  const text = JSON.stringify(document);
  const damaged = JSON.parse(
    text.replaceAll('"hasMore":true', '"hasMore":"yes"').replaceAll('"available":false', '"available":0'),
  ) as JsonObject;
  assert.ok(exampleFaults(damaged).length >= 2, 'a damaged example is a fault');
});

test('the examples are the answers of the demo (`npm run generate -- --examples` rewrites them)', async () => {
  const answers = JSON.parse(JSON.stringify(await collectExamples())) as Readonly<Record<string, unknown>>;
  for (const [file, example] of Object.entries(exampleFiles(answers)))
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), example, file);
});
