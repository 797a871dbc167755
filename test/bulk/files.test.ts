// Own process: measures its CPU time.
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openInput } from '../../src/cli/bulk/input.ts';
import { exportOf, exportTo, type Journal, openJournal } from '../../src/cli/bulk/journal.ts';
import { type OutputLine, readLine } from '../../src/cli/bulk/line.ts';
import { type BadLine, makePlan, type Plan } from '../../src/cli/bulk/plan.ts';
import { fieldsOf, recordsOf } from '../../src/cli/bulk/records.ts';
import { csvRecord } from '../../src/contract/csv.ts';
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

async function planOf(
  text: string,
  operation: Operation | null = registration,
  name = 'in.txt',
): Promise<{ plan: Plan; bad: BadLine[]; columns: readonly string[]; carried: readonly string[] }> {
  const reader = openInput(fileOf(text).file, name, operation);
  assert.ok(reader.ok, JSON.stringify(reader));
  const bad: BadLine[] = [];
  const { columns, carried } = reader.value;
  return { plan: await makePlan(reader.value, (line) => bad.push(line)), bad, columns, carried };
}

test('what is written as CSV is read back, with quotes, separators and line ends in fields', () => {
  for (const run of explore(300))
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r\n', 'é') }), { minLength: 1 }),
        fc.constantFrom(',', ';', '\t'),
        (fields, separator) => {
          const texts = fields.map((field) => field.replace(/^[\t\r]/, 'x'));
          const read = fieldsOf(csvRecord(texts, separator).slice(0, -2), separator);
          assert.deepEqual(read, { ok: true, value: texts });
        },
      ),
      run,
    );
  for (const wrong of ['"a', 'a"b', '"a"b,c']) assert.equal(fieldsOf(wrong, ',').ok, false, wrong);
});

test('records of a file longer than a block keep their lines and places', () => {
  const records = Array.from({ length: 9000 }, (_, n) => `${n},"a ""${n}""\n${'x'.repeat(n % 40)}"`);
  const { file } = fileOf(records.join('\n'));
  let n = 0;
  for (const { bytes, line, start, end, whole } of recordsOf(file, ',')) {
    assert.equal(bytes.toString(), records[n]);
    assert.deepEqual([line, end - start, whole], [n * 2 + 1, bytes.length, n < records.length - 1]);
    n++;
  }
  assert.equal(n, records.length);
  closeSync(file);
});

test('every bad line is named with its number and reason', async () => {
  const { bad } = await planOf('keyword,depth\nfine,10\nx,0\n"open,3\n', serp, 'in.csv');
  assert.deepEqual(
    bad.map(({ line }) => line),
    [3, 4],
  );
  assert.match(bad[0]?.why ?? '', /Parameter depth is "0"/);
  const json = await planOf('{"domain":"a.com"}\n{"domain":true}\n[]\n{\n\n{"domain":"b.com","x":1}\n', registration, 'in.ndjson');
  assert.deepEqual(
    json.bad.map(({ line }) => line),
    [2, 3, 4, 6],
  );
});

test('a stray quote is named by its own line and costs no more than the size of the file', async () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `word ${n},10`);
  lines[5] = 'a 5" nail,10';
  lines[1000] = '"never closed,10';
  const text = `keyword,depth\n${lines.join('\n')}\n`;
  const before = process.cpuUsage();
  const { bad } = await planOf(text, serp, 'in.csv');
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(
    bad.map(({ line }) => line),
    [7, 1002],
  );
  assert.match(bad[1]?.why ?? '', /quote that is not closed/);
  assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s of CPU time`);
});

test('a signal ends the check of a file', async () => {
  const reader = openInput(fileOf('a.com\n'.repeat(5000)).file, 'in.txt', registration);
  assert.ok(reader.ok);
  const stopping = new AbortController();
  const checked = makePlan(reader.value, () => {}, stopping.signal);
  stopping.abort();
  await assert.rejects(checked, (error) => error === stopping.signal.reason);
});

test('a header with misspelt, repeated or missing columns is refused, and a list for two required parameters', () => {
  for (const [text, why] of [
    ['keyword,lnaguage\n', /column "lnaguage", which looks like language misspelt/],
    ['keyword,Keyword\n', /twice/],
    ['depth\n', /no column keyword; the parameters of serp are keyword, location/],
    ['', /empty/],
  ] as const) {
    const reader = openInput(fileOf(text).file, 'in.csv', serp);
    assert.ok(!reader.ok && why.test(reader.why), JSON.stringify(reader));
  }
});

test('separators, a byte order mark, capitalised headers and further columns are read', async () => {
  for (const separator of [',', ';', '\t']) {
    const rows = [
      ['"Client"', 'KEYWORD', 'Depth', 'Note 1'],
      ['"A, B; C"', 'green tea', '20', 'x'],
    ];
    const { plan, bad, columns, carried } = await planOf(
      `\ufeff${rows.map((row) => row.join(separator)).join('\r\n')}\r\n`,
      serp,
      'in.csv',
    );
    assert.deepEqual([bad, columns, carried], [[], ['Client', 'keyword', 'depth', 'Note 1'], ['Client', 'Note 1']]);
    const { texts, input } = plan.read(0);
    assert.deepEqual(texts, { Client: 'A, B; C', keyword: 'green tea', depth: '20', 'Note 1': 'x' });
    assert.deepEqual([(input as { depth: number }).depth, (input as { location: string }).location], [20, 'US']);
  }
});

test('lines of one file may be of several operations, each by its name', async () => {
  const lines = [
    '{"operation":"serp","keyword":"tea"}',
    '{"operation":"registration","domain":"a.com"}',
    '{"domain":"a.com"}',
    '{"operation":"x"}',
  ];
  const { plan, bad } = await planOf(lines.join('\n'), null, 'in.ndjson');
  assert.deepEqual([plan.size, plan.isUniform, plan.read(0).operation.id, plan.read(1).operation.id], [2, false, 'serp', 'registration']);
  assert.deepEqual(plan.read(1).texts, { operation: 'registration', domain: 'a.com' });
  assert.deepEqual(
    bad.map(({ line }) => line),
    [3, 4],
  );
});

test('addresses are read where a domain is asked for, and what was understood is known', async () => {
  const { plan } = await planOf('https://www.acme.com/shop?x=1\nacme.com\nacme.de/about\n');
  assert.deepEqual(
    [0, 1, 2].map((index) => plan.read(index).input),
    [{ domain: 'acme.com' }, { domain: 'acme.com' }, { domain: 'acme.de' }],
  );
  assert.deepEqual(plan.read(0).texts, { domain: 'https://www.acme.com/shop?x=1' });
  assert.deepEqual(plan.understood.get('domain')?.count, 2);
});

test('the same lookup in other words is a duplicate: it costs once', async () => {
  const { plan } = await planOf('acme.com\nACME.com \nother.com\nwww.acme.com\n');
  assert.deepEqual([plan.size, plan.distinct], [4, 2]);
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

const RUN = 'bulk-00000000-0000-0000-0000-000000000000';
const opened = (path: string, plan: Plan, more: { begun?: boolean; dryRun?: boolean; exportedTo?: string } = {}): Promise<Journal> =>
  openJournal({ path, plan, dryRun: false, begun: false, exportedTo: null, echo: null, ...more });

test('a run goes on after a kill at any place, and ends with every line once, in input order', async () => {
  const { plan } = await planOf('a.com\nb.com\na.com\nc.com\n');
  const path = join(folder, 'resumed.ndjson');
  const first = await opened(path, plan);
  first.write(3, lineOf(plan, 3));
  first.write(0, lineOf(plan, 0));
  first.close();
  const whole = readFileSync(path);
  for (let cut = 0; cut <= whole.length; cut += 3) {
    writeFileSync(path, whole.subarray(0, cut));
    const journal = await opened(path, plan, { begun: true });
    for (const index of [1, 0, 3]) if (journal.stateOf(index) === 'missing') journal.write(index, lineOf(plan, index));
    assert.equal(journal.credits, 3);
    assert.equal(journal.isExported(true), false);
    await exportTo(path, RUN, exportOf(journal, true, null), null);
    journal.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((text) => readLine(text)?.line),
      [1, 2, 3, 4],
      `cut at ${cut}`,
    );
  }
});

test('a line that is asked again replaces the failed one, and corrected credits are written', async () => {
  const { plan } = await planOf('a.com\nb.com\nc.com\n');
  const path = join(folder, 'again.ndjson');
  const first = await opened(path, plan);
  first.write(0, failedLine(plan, 0, true));
  first.write(1, failedLine(plan, 1, false));
  first.write(2, lineOf(plan, 2));
  first.close();
  const journal = await opened(path, plan);
  assert.deepEqual([0, 1, 2].map(journal.stateOf), ['retryable', 'failed', 'ok']);
  assert.equal(journal.codeOf(1), 'NOT_FOUND');
  journal.write(0, lineOf(plan, 0));
  journal.correct(2, 5);
  await exportTo(path, RUN, exportOf(journal, true, null), null);
  journal.close();
  const last = await opened(path, plan);
  assert.deepEqual([[0, 1, 2].map(last.stateOf), last.credits, last.isExported(true)], [['ok', 'failed', 'ok'], 6, true]);
  last.close();
});

test('a file that is not the output of a run with this input is refused by name and left as it is', async () => {
  const { plan } = await planOf('a.com\n');
  const path = join(folder, 'other.ndjson');
  const first = await opened(path, plan);
  first.write(0, lineOf(plan, 0));
  first.close();
  const before = readFileSync(path);
  await assert.rejects(
    opened(path, (await planOf('b.com\n')).plan),
    /other\.ndjson, line 1, is the answer to another input.*name another output/,
  );
  assert.deepEqual(readFileSync(path), before);
  for (const text of ['my notes\n', '{"key":"sl_secret"}', '{', '\u0000\u0001', '{"line":1,"input":{"domain":"b.com"},"sta'])
    for (const dryRun of [false, true])
      for (const begun of [false, true]) {
        if (begun && text === '{') continue; // a part of a line that an unfinished run left
        writeFileSync(path, text);
        await assert.rejects(opened(path, plan, { dryRun, begun }), /other\.ndjson.*not a line of a bulk run/, text);
        assert.equal(readFileSync(path, 'utf8'), text);
      }
});

test('a dry run writes nothing', async () => {
  const { plan } = await planOf('a.com\na.com\n');
  const path = join(folder, 'dry.ndjson');
  (await opened(path, plan, { dryRun: true })).close();
  assert.equal(existsSync(path), false);
  const part = `${JSON.stringify(lineOf(plan, 0))}\n{"line":2,"in`;
  writeFileSync(path, part);
  (await opened(path, plan, { dryRun: true, begun: true })).close();
  assert.equal(readFileSync(path, 'utf8'), part);
});

test('a table is overwritten only as it was written', async () => {
  const { plan } = await planOf('a.com\n');
  const [path, table] = [join(folder, 't.csv.ndjson'), join(folder, 't.csv')];
  const first = await opened(path, plan, { exportedTo: table });
  first.write(0, lineOf(plan, 0));
  await exportTo(table, RUN, ['one\n'], first.noteExport);
  first.close();
  (await opened(path, plan, { exportedTo: table })).close();
  writeFileSync(table, 'one\nand my note\n');
  await assert.rejects(opened(path, plan, { exportedTo: table }), /t\.csv has other content than the last run wrote/);
});
