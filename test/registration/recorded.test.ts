import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRegistration } from '../../src/contract/operations/registration.ts';
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

for (const [file, kind] of [
  ['whois-1.txt', 'whois'],
  ['whois-2.txt', 'whois'],
  ['rdap.txt', 'rdap'],
] as const)
  for (const [name, stated] of statedIn(file))
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
