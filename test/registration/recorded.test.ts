import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRegistration } from '../../src/contract/operations/registration/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readRdap } from '../../src/sources/registration/rdap/parse.ts';
import { readWhois } from '../../src/sources/registration/whois/parse.ts';
import { type Expected, expectedOf, statedIn } from './expectations.ts';
import { type Recorded, skip, takenRecordings } from './recorded.ts';

const recordings = new Map(skip ? [] : takenRecordings().map((one) => [`${one.kind} ${one.name}`, one]));
const readersOf = { whois: readWhois, rdap: readRdap };

/** What the reader says, in the form of an expectation. */
function readingOf({ kind, answer, domain }: Recorded): Expected {
  const outcome: Outcome<DomainRegistration> = readersOf[kind](answer, { domain });
  assert.ok(outcome.tag === 'found' && !outcome.resource.available, JSON.stringify(outcome));
  const { registrar, registeredOn, expiresOn, updatedOn, status, nameServers, dnssec, contacts } = outcome.resource;
  const people = contacts.map(
    (c) => `${c.role}: ${[c.name, c.organization, c.email, c.phone].map((v) => v ?? '-').join(' | ')}${c.redacted ? ' (redacted)' : ''}`,
  );
  const unread = [...(outcome.unread ?? [])].sort();
  return { registrar, registeredOn, expiresOn, updatedOn, status, nameServers, dnssec, contacts: people.sort(), unread };
}

const EXPECTATIONS = (['whois-1.txt', 'whois-2.txt', 'rdap.txt'] as const).flatMap((file) =>
  [...statedIn(file)].map(([name, stated]) => ({ kind: file === 'rdap.txt' ? ('rdap' as const) : ('whois' as const), name, stated })),
);
for (const { kind, name, stated } of EXPECTATIONS)
  test(`${kind} ${name}: every field is read as a person reads it`, { skip }, () => {
    const recording = recordings.get(`${kind} ${name}`);
    assert.ok(recording, `there is no recording of this name: ${name}`);
    assert.deepEqual(readingOf(recording), expectedOf(name, stated, recording.text));
  });

test('no recorded answer about a taken name says that it is available', { skip }, () => {
  const free = [...recordings.values()].filter(({ kind, answer, domain }) => {
    const outcome = readersOf[kind](answer, { domain });
    return outcome.tag === 'found' && outcome.resource.available;
  });
  assert.deepEqual(
    free.map(({ name }) => name),
    [],
  );
});

test('the form of every country registry of which a record is recorded has an expectation', { skip }, () => {
  const known = new Set(EXPECTATIONS.map(({ kind, name }) => `${kind} ${name}`));
  const records = [...recordings.values()].filter(({ kind, domain, answer }) => {
    const isOfCountry = /\.(?:[a-z]{2}|xn--[a-z\d-]+)$/.test(domain);
    const outcome = kind === 'whois' && isOfCountry ? readWhois(answer, { domain }) : null;
    return outcome?.tag === 'found' && (outcome.resource.registrar !== null || outcome.resource.nameServers.length > 0);
  });
  const byTld = Map.groupBy(records, ({ domain }) => domain.slice(domain.lastIndexOf('.')));
  const without = [...byTld].filter(([, all]) => !all.some(({ kind, name }) => known.has(`${kind} ${name}`)));
  assert.deepEqual(
    without.map(([tld]) => tld),
    [],
  );
});
