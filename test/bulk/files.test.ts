import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { fieldsOf, recordOf } from '../../src/cli/bulk/csv.ts';
import { formatOf, type OutputFormat, type OutputLine } from '../../src/cli/bulk/format.ts';
import { openInput } from '../../src/cli/bulk/input.ts';
import { openOutput } from '../../src/cli/bulk/output.ts';
import { type BadLine, makePlan, type Plan } from '../../src/cli/bulk/plan.ts';
import { recordsOf } from '../../src/cli/bulk/records.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations/index.ts';
import { explore } from '../support/seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-bulk-test-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
function fileOf(text: string): { path: string; file: number } {
  const path = join(folder, String(files++));
  writeFileSync(path, text);
  return { path, file: openSync(path, 'r') };
}
const registration: Operation = OPERATIONS.registration;
const serp: Operation = OPERATIONS.serp;

function planOf(text: string, operation: Operation = registration, name = 'in.txt'): { plan: Plan; bad: BadLine[] } {
  const reader = openInput(fileOf(text).file, name, operation);
  assert.ok(reader.ok, JSON.stringify(reader));
  const bad: BadLine[] = [];
  return { plan: makePlan(reader.value, operation, (line) => bad.push(line)), bad };
}

test('what is written as CSV is read back, with quotes, commas and line ends in fields', () => {
  for (const run of explore(300))
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é') }), { minLength: 1 }), (fields) => {
        assert.deepEqual(fieldsOf(recordOf(fields)), { ok: true, value: fields });
      }),
      run,
    );
  for (const wrong of ['"a', 'a"b', '"a"b,c']) assert.equal(fieldsOf(wrong).ok, false, wrong);
});

test('records of a file longer than a block keep their lines and places', () => {
  const records = Array.from({ length: 9000 }, (_, n) => `${n},"a ""${n}""\n${'x'.repeat(n % 40)}"`);
  const { file } = fileOf(records.join('\n'));
  let n = 0;
  for (const { bytes, line, start, end, whole } of recordsOf(file, true)) {
    assert.equal(bytes.toString(), records[n]);
    assert.deepEqual([line, end - start, whole], [n * 2 + 1, bytes.length, n < records.length - 1]);
    n++;
  }
  assert.equal(n, records.length);
  closeSync(file);
});

test('every bad line is named with its number and reason', () => {
  const { bad } = planOf('keyword,depth\nfine,10\nx,0\n"open,3\n', serp, 'in.csv');
  assert.deepEqual(
    bad.map(({ line }) => line),
    [3, 4],
  );
  assert.match(bad[0]?.why ?? '', /Parameter depth is "0"/);
  const json = planOf('{"domain":"a.com"}\n{"domain":true}\n[]\n{\n\n{"domain":"b.com","x":1}\n', registration, 'in.ndjson');
  assert.deepEqual(
    json.bad.map(({ line }) => line),
    [2, 3, 4, 6],
  );
});

test('a header with unknown, repeated or missing columns is refused, and a list for two required parameters', () => {
  for (const [text, why] of [
    ['keyword,lang\n', /column "lang".*columns of serp are keyword, location/],
    ['keyword,keyword\n', /twice/],
    ['depth\n', /no column keyword/],
    ['', /empty/],
  ] as const) {
    const reader = openInput(fileOf(text).file, 'in.csv', serp);
    assert.ok(!reader.ok && why.test(reader.why), JSON.stringify(reader));
  }
});

test('the same lookup in other words is a duplicate: it costs once', () => {
  const { plan } = planOf('acme.com\nACME.com \nother.com\nwww.acme.com\n');
  assert.deepEqual([plan.size, plan.distinct, plan.units], [4, 2, 2]);
  assert.deepEqual([plan.firstOf(3), plan.nextSame(0), plan.nextSame(1), plan.nextSame(3)], [0, 1, 3, undefined]);
});

const lineOf = (plan: Plan, index: number, more: Partial<OutputLine> = {}): OutputLine => ({
  line: plan.lineOf(index),
  input: plan.read(index).texts,
  status: 200,
  ok: true,
  resource: { domain: `d${index}, "x"\nz`, available: true, nameServers: ['a'] },
  credits: 1,
  source: 's',
  cache: 'miss',
  at: '2026-11-01T00:00:00.000Z',
  ...more,
});
const failedLine = (plan: Plan, index: number, retryable: boolean): OutputLine => {
  const { resource: _, ...line } = lineOf(plan, index, { ok: false, status: 502, credits: 0 });
  return { ...line, error: { code: retryable ? 'UPSTREAM_TIMEOUT' : 'NOT_FOUND', message: 'm', retryable } };
};

for (const name of ['ndjson', 'csv'] satisfies OutputFormat[]) {
  test(`${name}: a run goes on after a kill at any place, and ends with every line once, in input order`, () => {
    const { plan } = planOf('a.com\nb.com\na.com\nc.com\n');
    const format = formatOf(name, registration);
    const path = join(folder, `resumed.${name}`);
    const first = openOutput(path, plan, format, null);
    first.write(3, lineOf(plan, 3));
    first.write(0, lineOf(plan, 0));
    first.close();
    const whole = readFileSync(path);
    for (let cut = 0; cut <= whole.length; cut += 5) {
      writeFileSync(path, whole.subarray(0, cut));
      const output = openOutput(path, plan, format, null);
      for (const index of [1, 0, 3]) if (output.stateOf(index) === 'missing') output.write(index, lineOf(plan, index));
      assert.equal(output.credits, 3);
      output.finish(true);
      output.close();
      const file = openSync(path, 'r');
      const texts = [...recordsOf(file, format.quoted)].map(({ bytes }) => bytes.toString());
      closeSync(file);
      if (format.header !== null) assert.equal(texts.shift(), format.header);
      assert.deepEqual(
        texts.map((text) => format.decode(text)?.line),
        [1, 2, 3, 4],
        `cut at ${cut}`,
      );
    }
  });

  test(`${name}: a line that is asked again replaces the failed one, and corrected credits are written`, () => {
    const { plan } = planOf('a.com\nb.com\nc.com\n');
    const format = formatOf(name, registration);
    const path = join(folder, `again.${name}`);
    const first = openOutput(path, plan, format, null);
    first.write(0, failedLine(plan, 0, true));
    first.write(1, failedLine(plan, 1, false));
    first.write(2, lineOf(plan, 2));
    first.close();
    const output = openOutput(path, plan, format, null);
    assert.deepEqual([0, 1, 2].map(output.stateOf), ['retryable', 'failed', 'ok']);
    assert.equal(output.codeOf(1), 'NOT_FOUND');
    output.write(0, lineOf(plan, 0));
    output.correct(2, 5);
    output.finish(true);
    output.close();
    const last = openOutput(path, plan, format, null);
    assert.deepEqual([[0, 1, 2].map(last.stateOf), last.credits, last.creditsOf(2)], [['ok', 'failed', 'ok'], 6, 5]);
    last.close();
  });

  test(`${name}: an output of another input is refused and left as it is`, () => {
    const format = formatOf(name, registration);
    const path = join(folder, `other.${name}`);
    const { plan } = planOf('a.com\n');
    const first = openOutput(path, plan, format, null);
    first.write(0, lineOf(plan, 0));
    first.close();
    const before = readFileSync(path);
    assert.throws(() => openOutput(path, planOf('b.com\n').plan, format, null), /another input than line 1 now has.*Choose another output/);
    assert.deepEqual(readFileSync(path), before);
    writeFileSync(path, 'my notes\n');
    assert.throws(() => openOutput(path, plan, format, null), /Choose another output/);
    assert.equal(readFileSync(path, 'utf8'), 'my notes\n');
  });
}
