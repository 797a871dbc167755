// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, openConsole } from './open-console.ts';

test('before a key is revoked the console says how many watches stop, and takes them over', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  await withAxe(page);
  const dialog = page.getByRole('dialog');
  const made = await page.evaluate(async () =>
    (
      await fetch('/console/api/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"label":"nightly"}' })
    ).json(),
  );
  const nightly = new Sightline({ baseUrl: service.baseUrl, apiKey: (made as { key: string }).key });
  const holder = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  for (const domain of ['acme-widgets.com', 'bluebirdlooms.com'])
    await nightly.watches.create({ operation: 'registration', parameters: { domain }, every: '7d', creditsPerMonth: 5 });
  await page.goto(`${service.baseUrl}/console/keys`);
  await page.getByRole('button', { name: 'Revoke nightly' }).press('Enter');
  await dialog.getByText('2 watches stop with it.').waitFor();
  assert.deepEqual(await violationsOf(page, 'revoke'), []);
  assert.ok(await dialog.getByRole('radio', { name: /^Take them over/ }).isChecked());
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await assert.rejects(nightly.watches.list(), { status: 401 });
  for (const { watchId } of (await holder.watches.list()).watches) {
    const { outcome } = await holder.watches.run(watchId);
    assert.equal(outcome, 'first');
    const watch = await holder.watches.get(watchId);
    assert.notEqual(watch.keyId, (made as { keyId: string }).keyId);
    assert.equal(watch.stopped, null);
  }
  assert.deepEqual(complaintsOf(page), []);
});
