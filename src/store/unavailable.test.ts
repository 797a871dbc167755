import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../contract/errors.ts';
import { fromPostgres } from './unavailable.ts';

/** As PostgreSQL sends it. */
const sent = (code: string, severity = 'ERROR') => Object.assign(new Error('words'), { code, severity });

test('a connection that the server ended, also for a transaction that stood still, is a store that is away; an error of the statement is not', () => {
  for (const code of ['08006', '28P01', '3D000', '53300', '57P01', '57P05', '40P01', '55P03', '25006', '25P03', '25P04']) {
    const error = fromPostgres(sent(code, 'FATAL'));
    assert.ok(error instanceof ServiceError && error.code === 'UNAVAILABLE', code);
  }
  for (const code of ['42601', '23505', '22P02', '25P02', '25001']) {
    const error = sent(code);
    assert.equal(fromPostgres(error), error, code);
  }
  const lost = fromPostgres(new Error('read ECONNRESET'));
  assert.ok(lost instanceof ServiceError && lost.code === 'UNAVAILABLE');
  const defect = new TypeError('x');
  assert.equal(fromPostgres(defect), defect);
});
