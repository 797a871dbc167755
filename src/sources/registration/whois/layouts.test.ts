import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whoisServerOf } from '../registries.ts';
import { readWhoisText } from './parse.ts';

/** Expected fields of a layout; an omitted field must be null or empty. Contacts: `role: name | organization | email | phone`. */
interface Held {
  readonly registrar?: string;
  readonly ianaId?: string;
  readonly abuse?: string;
  readonly registered?: string;
  readonly expires?: string;
  readonly updated?: string;
  readonly status?: readonly string[];
  readonly nameServers?: readonly string[];
  readonly dnssec?: boolean;
  readonly contacts?: readonly string[];
}
const folder = new URL('./fixtures/', import.meta.url);
const held = JSON.parse(readFileSync(new URL('held.json', folder), 'utf8')) as Record<string, Held>;

for (const [domain, wanted] of Object.entries(held)) {
  test(`${domain}: every field of this registry's layout is read, and no other`, () => {
    const text = readFileSync(new URL(`${domain}.txt`, folder), 'utf8');
    const outcome = readWhoisText(text, domain, whoisServerOf(domain)?.host ?? '', 0);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    const { registrar, contacts, nameServers, status, dnssec, registeredOn, expiresOn, updatedOn, available } = outcome.resource;
    const abuse = [registrar?.abuseEmail, registrar?.abusePhone].filter((v) => v).join(' ');
    const people = contacts.map(
      (c) => `${c.role}: ${[c.name, c.organization, c.email, c.phone].map((v) => v ?? '-').join(' | ')}${c.redacted ? ' (redacted)' : ''}`,
    );
    const { name, ianaId } = registrar ?? { name: null, ianaId: null };
    assert.deepEqual([name, ianaId, abuse], [wanted.registrar ?? null, wanted.ianaId ?? null, wanted.abuse ?? '']);
    assert.deepEqual([registeredOn, expiresOn, updatedOn], [wanted.registered ?? null, wanted.expires ?? null, wanted.updated ?? null]);
    assert.deepEqual(
      { status, nameServers, dnssec },
      { status: wanted.status ?? [], nameServers: wanted.nameServers ?? [], dnssec: wanted.dnssec ?? null },
    );
    assert.deepEqual(people, wanted.contacts ?? []);
    assert.equal(available, false);
  });
}

test('every fixture has an expectation', () => {
  const texts = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  assert.deepEqual(texts.map((name) => name.slice(0, -4)).sort(), Object.keys(held).sort());
});
