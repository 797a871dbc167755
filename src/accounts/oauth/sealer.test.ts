import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSealer, serviceSecret } from './sealer.ts';

test('a sealed text is decrypted only with the same secret and name', () => {
  const sealer = createSealer('0123456789abcdef', randomBytes);
  const sealed = sealer.seal('k1', 'private');
  assert.equal(sealer.open('k1', sealed), 'private');
  assert.notEqual(sealer.seal('k1', 'private'), sealed);
  assert.doesNotMatch(sealed, /private/);
  assert.equal(sealer.open('k2', sealed), null);
  assert.equal(createSealer('another secret of ours', randomBytes).open('k1', sealed), null);
  for (const broken of ['', '1.', '1.AAAA', sealed.slice(0, -2), `2${sealed.slice(1)}`]) assert.equal(sealer.open('k1', broken), null);
});

test('without a setting the embedded store creates a secret file with mode 0600 and reuses it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-secret-'));
  const settings = { SIGHTLINE_SECRET: null, DATABASE_URL: null, SIGHTLINE_DATA_DIR: join(folder, 'data') };
  const secret = serviceSecret(settings, randomBytes);
  assert.ok(secret && secret.length >= 32);
  assert.equal(serviceSecret(settings, randomBytes), secret);
  const file = join(folder, 'data', 'secret');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  chmodSync(file, 0o640);
  assert.throws(() => serviceSecret(settings, randomBytes), /can be read by others/);
  // a full disk left it empty: an empty secret would be everybody's
  writeFileSync(file, '\n', { mode: 0o600 });
  chmodSync(file, 0o600);
  const made = serviceSecret(settings, randomBytes);
  assert.ok(made && made.length >= 32 && made !== secret);
  assert.equal(serviceSecret(settings, randomBytes), made);
  rmSync(folder, { recursive: true });
});

test('a shared store has no secret without the setting; a short secret is refused', () => {
  const settings = { SIGHTLINE_SECRET: null, DATABASE_URL: 'postgres://db', SIGHTLINE_DATA_DIR: '/nowhere' };
  assert.equal(serviceSecret(settings, randomBytes), null);
  assert.equal(serviceSecret({ ...settings, SIGHTLINE_SECRET: 'a-secret-of-the-fleet' }, randomBytes), 'a-secret-of-the-fleet');
  assert.throws(() => serviceSecret({ ...settings, SIGHTLINE_SECRET: 'short' }, randomBytes), /16 characters/);
});
