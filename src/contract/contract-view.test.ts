import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { contractView } from './contract-view.ts';
import { ERRORS } from './errors.ts';
import { operationList } from './operations/index.ts';

test('every operation, parameter and error of the contract is in the view, with the example that fills the form', () => {
  const view = contractView();
  assert.deepEqual(
    view.operations.map((o) => [o.id, o.path, o.parameters.map((p) => [p.name, p.in, p.example])]),
    operationList.map((o) => [o.id, o.path, o.parameters.map((p) => [p.name, p.in, p.example])]),
  );
  assert.equal(view.errors.length, Object.keys(ERRORS).length);
  const device = view.operations[0]?.parameters.find((p) => p.name === 'device');
  assert.deepEqual(device?.schema, { type: 'string', enum: ['desktop', 'mobile'] });
  assert.equal(device?.default, 'desktop');
});

test('the price is said at the prices of the operator', () => {
  const [first] = contractView({ serp: 3 }).operations;
  assert.match(first?.price ?? '', /^3 credits per 10 results/);
});

test('the view takes less than 4 kB of the first load', () => {
  const size = gzipSync(JSON.stringify(contractView())).length;
  assert.ok(size < 4_000, `${size} bytes`);
});
