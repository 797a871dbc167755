// Few in a process: it computes for long.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { DOMAINS } from '../../sandbox/registration/facts.ts';
import { registryOf } from '../../sandbox/registration/registries.ts';
import { recordText } from '../../sandbox/registration/whois-texts.ts';
import { readTable } from '../../src/runtime/table.ts';
import { readWhoisText } from '../../src/sources/registration/whois/parse.ts';
import { IGNORED, ignoredBy, linesOfRecord, tldOf, unreadLines } from './record-lines.ts';
import { skip, takenRecordings } from './recorded.ts';

const TABLE = new URL('./recorded/unread-lines.tsv', import.meta.url);
const committed = new Map(readTable(TABLE).map(([tld = '', lines = '']) => [tld, Number(lines)]));
const texts = skip ? [] : takenRecordings().filter((one) => one.kind === 'whois');

test('lines that are neither read nor ignored on purpose: no registry has more than the table says', { skip }, (t) => {
  const unread = texts.flatMap((one) => unreadLines(one).map((line) => ({ tld: tldOf(one.domain), name: one.name, ...line })));
  const byRegistry = Map.groupBy(unread, ({ tld }) => tld);
  const registries = [...new Set([...committed.keys(), ...byRegistry.keys()])].sort();
  const counts = registries.map((tld) => ({ tld, now: byRegistry.get(tld)?.length ?? 0, most: committed.get(tld) ?? 0 }));
  t.diagnostic(`${unread.length} unread lines: ${counts.map(({ tld, now }) => `.${tld} ${now}`).join(', ')}`);
  const more = counts.filter(({ now, most }) => now > most).map(({ tld }) => tld);
  const shown = unread
    .filter(({ tld }) => more.includes(tld))
    .map(({ name, at, label, value }) => `${name}, line ${at + 1}, ${label}: ${value}`);
  assert.deepEqual(shown, [], 'read these lines, or say in recorded/ignored-labels.tsv why they are ignored');
  const fewer = counts.filter(({ now, most }) => now < most);
  if (fewer.length === 0) return;
  t.diagnostic(
    `fewer than before: ${fewer.map(({ tld, most, now }) => `.${tld} ${most} → ${now}`).join(', ')}; SIGHTLINE_TEST_RENEW=1 stores it`,
  );
  if (process.env.SIGHTLINE_TEST_RENEW !== '1') return;
  const head = readFileSync(TABLE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'));
  const rows = counts.flatMap(({ tld, now }) => (now > 0 ? `${tld}\t${now}` : []));
  writeFileSync(TABLE, `${[...head, ...rows].join('\n')}\n`);
});

test('every row of ignored labels has a reason and is about a line of a recording', { skip }, () => {
  const used = new Set(texts.flatMap(({ text, domain }) => linesOfRecord(text).map((line) => ignoredBy(line, tldOf(domain)))));
  for (const row of IGNORED) {
    assert.match(row.reason, /\w{3}/, `${row.label}`);
    assert.ok(used.has(row), `no line of a recording is ignored by ${row.label} (${row.tlds})`);
  }
});

const OF_ADDRESS =
  /(?:^|[ -])(?:address|adresse|direccion|street|city|ville|ciudad|town|locality|state|province|country|pays|pais|region|addr|postal ?code|zip ?code|zip|住所|郵便番号|주소|우편번호)\d?(?: code)?$/;
const OF_HANDLE =
  /(?:^|[ -])(?:nic-hdl(?:-br)?|handle|pid|(?:contact[ -])?id(?: contact)?|(?:admin|tech|billing|bill|zone|holder|owner)-c)$/;
/** Registries that print a handle where others print a name. */
const HANDLES: Readonly<Record<string, string>> = { holder: 'nu se', registrant: 'ao at cr cz mk mw si tz ua ve' };

/** Names and organisations of contacts that the text has in no other place than a postal address, as a handle or as the label of an address. */
function misread(text: string, domain: string, host = ''): readonly string[] {
  const outcome = readWhoisText(text, domain, host, 0);
  if (outcome.tag !== 'found') return [];
  const lines = linesOfRecord(text);
  const isElsewhere = (label: string): boolean =>
    OF_ADDRESS.test(label) || OF_HANDLE.test(label) || (HANDLES[label] ?? '').split(' ').includes(tldOf(domain));
  return outcome.resource.contacts.flatMap(({ role, name, organization }) =>
    [name, organization].flatMap((said) => {
      if (said === null) return [];
      const at = lines.filter((line) => line.value.replace(/\s+/g, ' ') === said);
      const isMisread = OF_ADDRESS.test(said.toLowerCase()) || (at.length > 0 && at.every((line) => isElsewhere(line.label)));
      return isMisread ? `${domain}, ${role}: ${said}` : [];
    }),
  );
}

test('no contact of a recording is named like a street, a town or a handle of its block', { skip }, () => {
  assert.deepEqual(
    texts.flatMap(({ text, domain, answer }) => misread(text, domain, new URL(answer.url).hostname)),
    [],
  );
});

test('no contact of a fixture or of a simulated registry is named like a street, a town or a handle of its block', () => {
  const folder = new URL('../../src/sources/registration/whois/fixtures/', import.meta.url);
  const fixtures = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const found = fixtures.flatMap((name) => misread(readFileSync(new URL(name, folder), 'utf8'), name.slice(0, -4)));
  const simulated = [...DOMAINS.values()].flatMap((facts) => {
    const registry = registryOf(facts.domain);
    return registry ? misread(recordText(facts, registry), facts.domain, registry.whois) : [];
  });
  assert.deepEqual([...found, ...simulated], []);
});

test('a town below an address, a handle and the label of an address are noticed as names', () => {
  const block = (lines: string): string => `domain: shop.se\nregistrar: Harbor Names\n\nAdmin Contact\n${lines}`;
  const lines = linesOfRecord(block('  Address: 1 Quay Road\n           Dublin\n  Name: Jo Roe\n'));
  assert.equal(lines.find((line) => line.value === 'Dublin')?.label, 'address');
  assert.equal(lines.find((line) => line.value === 'Jo Roe')?.label, 'name');
  assert.ok(OF_ADDRESS.test('address') && OF_ADDRESS.test('registrant city') && !OF_ADDRESS.test('email address of the owner'));
  assert.ok(OF_HANDLE.test('nic-hdl') && !OF_HANDLE.test('registrant'));
});

test('a line under a label that nobody knows is counted; one that is read, repeated, ignored or prose is not', () => {
  const text = [
    'domain: shop.se',
    'registrar: Harbor Names',
    'frobnicator: 12 Quay Road',
    'created: 2003-09-15',
    'nserver: ns1.shop.se',
    'nserver: ns1.shop.se',
    'registrar-url: https://harbor.example',
    '',
    'The information above is shown for the queries of persons alone and must not be kept, whatever it is wanted for.',
  ].join('\n');
  const answer = { status: 200, headers: {}, body: new TextEncoder().encode(text), url: 'whois://whois.iis.se', atMs: 0 };
  const unread = unreadLines({ name: 'shop.se', kind: 'whois', domain: 'shop.se', isTaken: true, answer, text });
  assert.deepEqual(
    unread.map(({ at, label, value }) => [at, label, value]),
    [[2, 'frobnicator', '12 Quay Road']],
  );
});
