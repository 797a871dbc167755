// Few in a process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { startWhole } from './service.ts';

test('lookup prints the entries of an answer as a table or as CSV, and an answer without entries field by field', async (t) => {
  const service = await startWhole();
  t.after(() => service.stop());
  const ask = (...args: string[]) =>
    new Promise<{ readonly code: number; readonly out: string; readonly error: string }>((resolve) => {
      const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_API_KEY: service.key };
      execFile(process.execPath, ['src/cli/main.ts', 'lookup', ...args, '--service', service.baseUrl], { env }, (failed, out, error) =>
        resolve({ code: failed ? Number(failed.code) : 0, out, error }),
      );
    });
  const csv = await ask('app-reviews', 'acme-reviews', '--format', 'csv', '--rows', 'entries');
  assert.equal(csv.code, 0, csv.error);
  const { reviews } = (await service.get('/v1/appmarket/apps/acme-reviews/reviews')).body;
  const [head = '', ...records] = csv.out.split(/\r\n/);
  assert.deepEqual(head.split(',').toSorted(), Object.keys(reviews[0]).toSorted());
  assert.ok(records.length > reviews.length, 'a record for each review');
  const { out } = await ask('registration', 'acme-widgets.com', '--format', 'table');
  assert.match(out, /^FIELD +VALUE\ndomain +acme-widgets\.com\n/);
  assert.equal((await ask('registration', 'acme-widgets.com', '--format', 'csv', '--rows', 'paid')).code, 2);
  assert.equal((await ask('registration', 'acme-widgets.com', '--format', 'xlsx')).code, 2);
});
