/** Every negative is proved by a row of a table of evidence, and every row by a recorded or documented answer. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Input } from '../../src/contract/operations/index.ts';
import { readTable } from '../../src/runtime/table.ts';
import { readSettings } from '../../src/settings.ts';
import { READERS } from '../../src/sources/index.ts';
import { microblogSyndication } from '../../src/sources/microblog/syndication/source.ts';
import { absent, foundNothing, type Outcome } from '../../src/sources/outcome.ts';
import { freeOf } from '../../src/sources/registration/facts.ts';
import { readDelegation } from '../../src/sources/registration/whois/iana.ts';
import { parseRelays } from '../../src/sources/relay/config.ts';
import { relaySource } from '../../src/sources/relay/connector.ts';
import { shortVideoPage } from '../../src/sources/shortvideo/page/source.ts';
import type { Ports, Source } from '../../src/sources/source.ts';
import { PROOF } from '../support/evidence.ts';
import { exampleInput } from '../support/example-input.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { EVIDENCE_SAMPLES, type EvidenceSample } from './evidence-samples.ts';

const TABLES = globSync('src/sources/**/evidence.tsv').map((file) => ({
  table: file.replace(/^src\/sources\/(.*)\/evidence\.tsv$/, '$1'),
  rows: readTable(pathToFileURL(resolve(file))),
}));

const answerOf = ({ status = 200, headers = { 'content-type': 'application/json' }, url = '', body }: EvidenceSample) => ({
  ...{ status, headers, url, atMs: 0, body: new TextEncoder().encode(body) },
});
async function askSource(source: Source, sample: EvidenceSample, asked: string | object): Promise<Outcome> {
  const input = typeof asked === 'string' ? { url: asked } : asked;
  const reply = { tag: 'answer', answer: answerOf(sample) } as const;
  const ports = {
    settings: readSettings({}),
    clock: createManualClock(),
    http: {
      ask: async (request: { url: string }) =>
        request.url.endsWith('/robots.txt') ? { ...reply, answer: { ...reply.answer, status: 404, headers: {} } } : reply,
    },
    whois: {},
    pace: { take: async () => 0, rest: async () => undefined, resting: async () => 0 },
    paid: { cost: () => {}, capRefused: () => {} },
    random: () => 0,
    log: () => {},
  } as unknown as Ports;
  const asks = source.open(ports) as Record<string, (input: Input, attempt: object) => Promise<Outcome>>;
  const outcome = await asks[source.operations[0] ?? '']?.(input as never, { signal: new AbortController().signal, deadlineMs: 60_000 });
  return outcome ?? assert.fail();
}
const relay = (fields: object): Source =>
  relaySource(
    parseRelays(
      JSON.stringify({
        relays: [{ name: 'provider', operation: 'microblog-post', url: 'https://provider.example/{id}', map: '$', ...fields }],
      }),
      {},
    )[0] ?? assert.fail(),
  );
const POST = 'https://x.com/acme/status/1801234567890123456';
const RANKING = {
  operation: 'serp',
  url: 'https://provider.example/?q={keyword}',
  map: '{"keyword": $input.keyword, "searchEngine": $input.engine, "location": $input.location, "language": $input.language, "device": $input.device, "organic": [organic]}',
  nothingWhen: 'state = "no results"',
};
const CONFIGURED = { absentStatuses: [404], absentWhen: 'error.code = "post_not_found"' };

async function outcomeOf(sample: EvidenceSample): Promise<Outcome | ReturnType<typeof readDelegation>> {
  const { reader, url = '', body } = sample;
  if (reader === 'short link') return askSource(url.startsWith('https://t.co/') ? microblogSyndication : shortVideoPage, sample, url);
  if (reader === 'relay') return askSource(relay(CONFIGURED), sample, POST);
  if (reader === 'relay serp') return askSource(relay(RANKING), sample, exampleInput('serp'));
  if (reader === 'iana') return readDelegation(body, 'zzzz');
  const entry = READERS[reader] ?? assert.fail(`there is no reader ${reader}`);
  return (await entry.load())(answerOf(sample), (sample.input ?? exampleInput(entry.operation)) as Input);
}

for (const sample of EVIDENCE_SAMPLES)
  test(`${sample.table}: "${sample.name}" is proved by an answer of ${sample.reader}`, async () => {
    const outcome = await outcomeOf(sample);
    assert.ok(outcome.tag === 'absent' || outcome.tag === 'found', JSON.stringify(outcome));
    assert.equal(outcome.evidence, sample.name);
  });

test('every row says who answers what, and where that is documented or was recorded, and has an answer in the samples', () => {
  for (const { table, rows } of TABLES) {
    const names = rows.map(([name = '']) => name);
    assert.equal(new Set(names).size, names.length, `${table}: a name comes once`);
    for (const row of rows) assert.ok(row.length === 4 && row.every((cell) => cell.trim() !== ''), `${table}: ${row.join(' | ')}`);
    const samples = EVIDENCE_SAMPLES.filter((sample) => sample.table === table).map(({ name }) => name);
    assert.deepEqual(samples.toSorted(), names.toSorted(), table);
  }
  assert.ok(TABLES.length >= 7);
});

test('a negative without evidence does not compile, and nothing goes around its constructors', () => {
  // @ts-expect-error: the sentence is no evidence
  assert.equal(absent('It does not exist.').tag, 'absent');
  // @ts-expect-error: neither is any text
  assert.equal(foundNothing('none', []).tag, 'found');
  // @ts-expect-error: an outcome that is written out lacks it
  const literal: Outcome = { tag: 'absent', what: 'It does not exist.' };
  assert.equal(literal.tag, 'absent');
  const free = freeOf(PROOF, { domain: 'a.com', source: 'authoritative', atMs: 0 });
  assert.deepEqual([free.resource.available, free.evidence], [true, PROOF]);
  const files = globSync('src/sources/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const having = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  assert.deepEqual(having(/tag: 'absent'(?: as const)?,/), ['src/sources/outcome.ts']);
  assert.deepEqual(having(/[{,] available: true\b/), ['src/sources/registration/facts.ts']);
  assert.deepEqual(having(/as Evidence\b/), ['src/sources/evidence.ts']);
});
