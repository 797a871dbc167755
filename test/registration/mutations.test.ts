// Few in a process: it computes for long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DomainRegistration } from '../../src/contract/operations/registration/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readDate } from '../../src/sources/registration/dates.ts';
import { readRdap } from '../../src/sources/registration/rdap/parse.ts';
import { readWhoisText } from '../../src/sources/registration/whois/parse.ts';
import { explore } from '../support/seeds.ts';
import { type Mutation, RDAP_MUTATIONS, type Specimen, specimens, WHOIS_MUTATIONS } from './mutate.ts';

const all = await specimens();

function read(specimen: Specimen, text: string): Outcome<DomainRegistration> {
  if (specimen.kind === 'whois') return readWhoisText(text, specimen.domain, specimen.host, 0);
  const answer = {
    status: 200,
    headers: {},
    body: new TextEncoder().encode(text),
    url: `https://rdap.example/domain/${specimen.domain}`,
    atMs: 0,
  };
  return readRdap(answer, { domain: specimen.domain });
}

const FIELDS = ['registeredOn', 'expiresOn', 'updatedOn', 'dnssec'] as const;
/** What a reading says that the reading of the whole answer does not. */
function invented(part: DomainRegistration, whole: DomainRegistration, text: string, heavy = false): string[] {
  const out: string[] = [];
  if (part.available && !whole.available) out.push('available');
  const others = new Set([...historyIn(text), ...registrarExpiryIn(text), ...(heavy ? datesIn(text) : [])]);
  for (const f of FIELDS) {
    if (part[f] === null || part[f] === whole[f] || others.has(part[f])) continue;
    // with the list of its keys lost, a domain is as signed as its own line says
    if (f !== 'dnssec' || (whole.dnssec !== true && !heavy)) out.push(`${f} ${part[f]} instead of ${whole[f]}`);
  }
  for (const key of ['name', 'ianaId', 'abuseEmail', 'abusePhone'] as const) {
    const value = part.registrar?.[key] ?? null;
    // with its name lost, a registrar is known by its other name or its handle, which the answer states as well
    if (value !== null && value !== whole.registrar?.[key] && !((key === 'name' || key === 'ianaId') && text.includes(value)))
      out.push(`registrar.${key} ${value}`);
  }
  for (const key of ['status', 'nameServers'] as const)
    for (const v of part[key]) if (!whole[key].includes(v) && !saidElsewhere(key, v, text)) out.push(`${key} ${v}`);
  for (const c of part.contacts) {
    for (const key of ['name', 'organization', 'email', 'phone'] as const) {
      const value = c[key];
      if (value !== null && !text.replace(/\s+/g, ' ').includes(value) && !whole.contacts.some((w) => w[key] === value))
        out.push(`${c.role}.${key} ${value}`);
    }
  }
  return out;
}
/** Every date that stands behind a label. */
const datesIn = (text: string): ReadonlySet<unknown> =>
  new Set(text.split('\n').flatMap((line) => readDate(line.replace(/^[^:\]]*(?::\s|\]\s)\s*/, '').trim()) ?? []));

/** One registry lists every change on a line of its own: with the last lost, the one before is the latest known. */
const historyIn = (text: string): ReadonlySet<unknown> =>
  new Set([...text.matchAll(/\b(\d{8}) \(Changed\)/g)].map((m) => readDate(m[1] ?? '')));

/** With the registry's expiry lost, the registrar's is the one that is known. */
const registrarExpiryIn = (text: string): ReadonlySet<unknown> =>
  new Set([...text.matchAll(/"registrar expiration"[^}]*?"eventDate"\s*:\s*"([^"]+)"/g)].map((m) => readDate(m[1] ?? '')));

/** A state that a second line repeats in other words shows once the first is gone. */
const saidElsewhere = (key: string, value: string, text: string): boolean =>
  key === 'status' && text.toLowerCase().includes(value === 'ok' ? 'active' : value.toLowerCase());

/** An intact answer and what is read in it. */
interface Whole {
  readonly specimen: Specimen;
  readonly whole: Extract<ReturnType<typeof read>, { tag: 'found' }>;
  readonly json: string;
}
const readWhole = (kind: Specimen['kind']): Whole[] =>
  all.flatMap((specimen) => {
    const whole = specimen.kind === kind ? read(specimen, specimen.text) : null;
    return whole?.tag === 'found' ? [{ specimen, whole, json: JSON.stringify(whole) }] : [];
  });

interface Counts {
  runs: number;
  found: number;
  quiet: number;
  equal: number;
}
function check(kind: 'whois' | 'rdap', mutations: readonly Mutation[], run: { seed: number; numRuns: number }): Counts {
  const these = readWhole(kind);
  const counts: Counts = { runs: 0, found: 0, quiet: 0, equal: 0 };
  const picks = fc.array(fc.nat(1_000_000), { minLength: 200, maxLength: 200 });
  fc.assert(
    fc.property(fc.nat(these.length - 1), fc.nat(mutations.length - 1), picks, (i, m, numbers) => {
      const { specimen, whole, json } = these[i] as Whole;
      const mutation = mutations[m] as Mutation;
      let at = 0;
      const pick = (n: number): number => (n > 0 ? (numbers[at++ % numbers.length] ?? 0) % n : 0);
      const part = read(specimen, mutation.apply(specimen.text, pick));
      counts.runs++;
      if (!mutation.anchors) counts.quiet++;
      if (!mutation.anchors && JSON.stringify(part) === json) counts.equal++;
      if (part.tag !== 'found') return;
      counts.found++;
      assert.deepEqual(invented(part.resource, whole.resource, specimen.text, mutation.heavy), [], `${specimen.id}, ${mutation.name}`);
    }),
    run,
  );
  return counts;
}
const share = (n: number, of: number): number => n / Math.max(1, of);

for (const [kind, mutations, runs] of [
  ['whois', WHOIS_MUTATIONS, 6000],
  ['rdap', RDAP_MUTATIONS, 3000],
] as const) {
  test(`a damaged ${kind} answer never gives a value that the intact one does not have`, (t) => {
    const [fixed, explored] = explore(runs).map((run) => check(kind, mutations, run));
    const counts = fixed ?? assert.fail();
    assert.ok(explored);
    t.diagnostic(
      `${counts.runs} mutations: ${counts.found} still found; of ${counts.quiet} that touch no anchor ${counts.equal} read the same`,
    );
    assert.ok(share(counts.equal, counts.quiet) >= 0.95, `${counts.equal} of ${counts.quiet} read the same`);
    assert.ok(share(counts.found, counts.runs) >= 0.3, `${counts.found} of ${counts.runs} still found`);
  });
}

test('no input makes a parser throw or hang', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc.string({ maxLength: 3000, unit: 'binary' }).map((s) => new TextEncoder().encode(s)),
  );
  const url = fc.constantFrom('whois://whois.nic.uk', 'https://rdap.example/domain/a.com', '');
  for (const run of explore(500))
    fc.assert(
      fc.property(bytes, url, fc.constantFrom(200, 404, 429, 500), (body, from, status) => {
        const answer = { status, headers: {}, body, url: from, atMs: 0 };
        readRdap(answer, { domain: 'a.com' });
        readWhoisText(new TextDecoder().decode(body), 'a.com', 'whois.verisign-grs.com', 0);
      }),
      run,
    );
});

test('a very long line and very many lines take time in proportion to their length', () => {
  const before = process.threadCpuUsage();
  for (const text of [
    `Domain Name: a.com\nRegistrar: ${'a@'.repeat(400_000)}\n`,
    `${'x '.repeat(400_000)}:`,
    'Registrar:\n'.repeat(80_000),
    `Domain Status: ${' ('.repeat(400_000)}`,
  ])
    readWhoisText(text, 'a.com', 'whois.verisign-grs.com', 0);
  assert.ok(process.threadCpuUsage(before).user < 3_000_000);
});
