import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRetryable, isServiceCode } from '../../src/client/error.ts';
import { Sightline } from '../../src/client/index.ts';
import { METHODS, USUAL_DEADLINE_MS } from '../../src/client/methods.ts';
import { codeOf, ERRORS, type ErrorName, ServiceError } from '../../src/contract/errors.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { CASES } from './cases.ts';

for (const [name, run] of Object.entries(CASES)) test(name, run);

test('the table of methods is that of the contract: ids, areas, paths, required parameters, names and deadlines', () => {
  interface Row {
    readonly id: string;
    readonly path: string;
    readonly needs?: readonly string[];
    readonly renamed?: Readonly<Record<string, string>>;
    readonly deadlineMs?: number;
  }
  const rows = Object.entries(METHODS).flatMap(([area, methods]) =>
    Object.values<Row>(methods).map(({ id, path, needs = [], renamed = {}, deadlineMs = USUAL_DEADLINE_MS }) => ({
      area,
      id,
      path,
      needs,
      renamed,
      deadlineMs,
    })),
  );
  const contract = operationList.map(({ area, id, path, parameters, deadline }) => ({
    area: area.id,
    id,
    path,
    deadlineMs: deadline.ms,
    needs: parameters.filter((p) => p.required && p.in === 'query').map((p) => p.name),
    renamed: Object.fromEntries(parameters.filter((p) => p.field !== p.name).map((p) => [p.field, p.name])),
  }));
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  assert.deepEqual(rows.sort(byId), contract.sort(byId));
});

test('every code of the service is known, with its row of the error table', () => {
  for (const name of Object.keys(ERRORS) as ErrorName[]) {
    const code = codeOf(name);
    assert.ok(isServiceCode(code), code);
    for (const waitMs of [null, 900_000, 900_001]) {
      const { retryable } = new ServiceError(name, 'x', waitMs === null ? {} : { 'retry-after': String(waitMs / 1000) });
      assert.equal(isRetryable(code, waitMs), retryable, `${code} after ${waitMs}`);
    }
  }
  assert.ok(!isServiceCode('toString'));
});

test('URL and key come from the environment where they are not passed', () => {
  const before = { ...process.env };
  try {
    delete process.env.SIGHTLINE_URL;
    assert.throws(() => new Sightline({ apiKey: 'x' }), /SIGHTLINE_URL/);
    process.env.SIGHTLINE_URL = 'https://sightline.example';
    delete process.env.SIGHTLINE_API_KEY;
    assert.throws(() => new Sightline(), /SIGHTLINE_API_KEY/);
    process.env.SIGHTLINE_API_KEY = 'x';
    assert.ok(new Sightline());
  } finally {
    process.env = before;
  }
});
