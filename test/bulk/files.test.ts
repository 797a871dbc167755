// Own process: measures its CPU time.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type LineResult, type OutputLine, unreadable } from '../../src/bulk/lines.ts';
import { type Journal, openJournal } from '../../src/cli/bulk/journal.ts';
import { recordAt, recordsOf } from '../../src/contract/csv-records.ts';
import { type Lookup, type Plan, readInput } from '../../src/contract/lists/input.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations/index.ts';
import { csvRecord } from '../../src/contract/tables.ts';
import { explore } from '../support/seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-bulk-test-'));
after(() => rmSync(folder, { recursive: true }));
const registration: Operation = OPERATIONS.registration;
const serp: Operation = OPERATIONS.serp;

async function planOf(
  text: string,
  operation: Operation | null = registration,
  name = 'in.txt',
): Promise<{ plan: Plan; bad: { line: number; why: string }[] }> {
  const bad: { line: number; why: string }[] = [];
  return { plan: await readInput(Buffer.from(text), { name, operation }, (line, why) => bad.push({ line, why })), bad };
}

test('what is written as CSV is read back, with quotes, separators and line ends in fields', () => {
  for (const run of explore(300))
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r\n', 'é') }), { minLength: 1 }),
        fc.constantFrom(',', ';', '\t'),
        (fields, separator) => {
          const texts = fields.map((field) => field.replace(/^[\t\r]/, 'x'));
          const record = csvRecord(texts, separator);
          assert.deepEqual(recordAt(`${record}next`, 0, separator), {
            start: 0,
            end: record.length - 1,
            fields: { ok: true, value: texts },
          });
          assert.deepEqual(recordAt(record.slice(0, -2), 0, separator).fields, { ok: true, value: texts });
        },
      ),
      run,
    );
  for (const wrong of ['"a', 'a"b', '"a"b,c']) assert.equal(recordAt(wrong, 0, ',').fields.ok, false, wrong);
});

test('records with line ends inside keep the numbers of their lines', () => {
  const records = Array.from({ length: 9000 }, (_, n) => `${n},"a ""${n}""\n${'x'.repeat(n % 40)}"`);
  const text = records.join('\n');
  let n = 0;
  for (const { line, start, end, fields } of recordsOf(text, ',')) {
    assert.equal(text.slice(start, end), records[n]);
    assert.deepEqual([line, fields], [n * 2 + 1, { ok: true, value: [String(n), `a "${n}"\n${'x'.repeat(n % 40)}`] }]);
    n++;
  }
  assert.equal(n, records.length);
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
  const { plan, bad } = await planOf(text, serp, 'in.csv');
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(
    bad.map(({ line }) => line),
    [7, 1002],
  );
  assert.match(bad[1]?.why ?? '', /quote that is not closed/);
  assert.equal(plan.lookups.length, lines.length - 2, 'the lines after it are read');
  assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s of CPU time`);
});

test('the check of a long file gives way to signals', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  await planOf('a.com\n'.repeat(20_000));
  clearInterval(counting);
  assert.ok(turns > 0);
});

test('a header with misspelt, repeated or missing columns is refused, and a list for two required parameters', async () => {
  for (const [text, why] of [
    ['keyword,lnaguage\n', /column "lnaguage", which looks like language misspelt/],
    ['keyword,Keyword\n', /twice/],
    ['depth\n', /no column keyword; the parameters of serp are keyword, location/],
    ['', /empty/],
  ] as const)
    await assert.rejects(planOf(text, serp, 'in.csv'), why);
});

test('a line that is not UTF-8 is named', async () => {
  const bad: number[] = [];
  const bytes = Buffer.concat([Buffer.from('green tea\n\ufffd\n'), Buffer.from('caf\u00e9\n', 'latin1')]);
  await readInput(bytes, { name: 'in.txt', operation: serp }, (line) => bad.push(line));
  assert.ok(bad.includes(3) && !bad.includes(1), JSON.stringify(bad));
});

test('separators, a byte order mark, capitalised headers and further columns are read', async () => {
  for (const separator of [',', ';', '\t']) {
    const rows = [
      ['"Client"', 'KEYWORD', 'Depth', 'Note 1'],
      ['"A, B; C"', 'green tea', '20', 'x'],
    ];
    const { plan, bad } = await planOf(`\ufeff${rows.map((row) => row.join(separator)).join('\r\n')}\r\n`, serp, 'in.csv');
    assert.deepEqual([bad, plan.columns, plan.carried], [[], ['Client', 'keyword', 'depth', 'Note 1'], ['Client', 'Note 1']]);
    const { texts, input } = plan.read(at(plan, 0));
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
  assert.deepEqual(
    plan.lookups.map(({ operation }) => operation.id),
    ['serp', 'registration'],
  );
  assert.deepEqual(plan.read(at(plan, 1)).texts, { operation: 'registration', domain: 'a.com' });
  assert.deepEqual(
    bad.map(({ line }) => line),
    [3, 4],
  );
});

test('addresses are read where a domain is asked for, and what was understood is known', async () => {
  const { plan } = await planOf('https://www.acme.com/shop?x=1\nacme.com\nacme.de/about\n');
  assert.deepEqual(
    [0, 1, 2].map((index) => plan.read(at(plan, index)).input),
    [{ domain: 'acme.com' }, { domain: 'acme.com' }, { domain: 'acme.de' }],
  );
  assert.deepEqual(plan.read(at(plan, 0)).texts, { domain: 'https://www.acme.com/shop?x=1' });
  assert.deepEqual(plan.understood.get('domain')?.count, 2);
});

test('the same lookup in other words is a duplicate: it costs once', async () => {
  const { plan } = await planOf('acme.com\nACME.com \nother.com\nwww.acme.com\n');
  assert.deepEqual(
    plan.lookups.map(({ first }) => first?.line ?? null),
    [null, 1, null, 1],
  );
});

const at = ({ lookups }: Plan, index: number): Lookup => lookups[index] as Lookup;
const found = (index: number): LineResult => ({
  status: 200,
  ok: true,
  resource: JSON.stringify({ domain: `d${index}, "x"\nz`, available: true, nameServers: ['a'] }),
  credits: 1,
  source: 's',
  cache: 'miss',
});
const failed = (retryable: boolean): LineResult => ({
  status: 502,
  ok: false,
  error: { code: retryable ? 'UPSTREAM_TIMEOUT' : 'NOT_FOUND', message: 'm', retryable },
  credits: 0,
  source: null,
  cache: null,
});
const AT = '2026-11-01T00:00:00.000Z';
const RUN = { id: 'bulk-00000000-0000-0000-0000-000000000000', since: null, pid: 1 };
const linesOf = ({ texts }: Journal, ordered = true) => [...texts(ordered)].map((text) => JSON.parse(text) as OutputLine);
const creditsOf = (journal: Journal): number => linesOf(journal).reduce((sum, { credits }) => sum + credits, 0);
const begun = async (path: string, plan: Plan, table: string | null = null): Promise<Journal> => {
  const journal = await openJournal(path, plan, table);
  journal.begin(RUN);
  return journal;
};

test('a run goes on after a kill at any place, and ends with every line once, in input order', async () => {
  const { plan } = await planOf('a.com\nb.com\na.com\nc.com\n');
  const path = join(folder, 'resumed.ndjson');
  const first = await begun(path, plan);
  first.write(at(plan, 3), found(3), AT);
  first.write(at(plan, 0), found(0), AT);
  first.close();
  const whole = readFileSync(path);
  // the first row is written at once, into an empty file
  for (let cut = 0; cut <= whole.length; cut = cut === 0 ? whole.indexOf('\n') + 1 : cut + 3) {
    writeFileSync(path, whole.subarray(0, cut));
    const opened = await openJournal(path, plan, null);
    assert.deepEqual(opened.run, cut === 0 ? null : RUN);
    const journal = await begun(path, plan);
    for (const index of [1, 0, 3]) if (!journal.rowOf(at(plan, index))) journal.write(at(plan, index), found(index), AT);
    assert.equal(creditsOf(journal), 3);
    journal.exportTo(path, journal.texts(true), true);
    journal.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((text) => JSON.parse(text).line),
      [1, 2, 3, 4],
      `cut at ${cut}`,
    );
    assert.deepEqual([JSON.parse(lines[2] ?? '').cache, JSON.parse(lines[2] ?? '').credits], ['duplicate', 0]);
    assert.equal((await openJournal(path, plan, null)).run, null);
  }
});

test('lines that are not ordered stay as they came, each with its duplicates', async () => {
  const { plan } = await planOf('a.com\nb.com\nb.com\nc.com\n');
  const journal = await begun(join(folder, 'unordered.ndjson'), plan);
  for (const index of [3, 1, 0]) journal.write(at(plan, index), found(index), AT);
  assert.deepEqual(
    linesOf(journal, false).map(({ line }) => line),
    [4, 2, 3, 1],
  );
  journal.close();
});

test('a line that is asked again replaces the failed one, and corrected credits are written', async () => {
  const { plan } = await planOf('a.com\nb.com\nc.com\n');
  const path = join(folder, 'again.ndjson');
  const first = await begun(path, plan);
  first.write(at(plan, 0), failed(true), AT);
  first.write(at(plan, 1), failed(false), AT);
  first.write(at(plan, 2), found(2), AT);
  first.exportTo(path, first.texts(true), true);
  first.close();
  const journal = await begun(path, plan);
  assert.deepEqual(
    [0, 1, 2].map((index) => [
      journal.rowOf(at(plan, index))?.ok,
      journal.rowOf(at(plan, index))?.retryable,
      journal.rowOf(at(plan, index))?.run,
    ]),
    [
      [false, true, null],
      [false, false, null],
      [true, false, null],
    ],
  );
  assert.equal(journal.rowOf(at(plan, 1))?.code, 'NOT_FOUND');
  journal.write(at(plan, 0), found(0), AT);
  assert.equal(journal.rowOf(at(plan, 0))?.run, RUN.id);
  journal.correct(at(plan, 2), 5);
  journal.exportTo(path, journal.texts(true), true);
  journal.close();
  const last = await begun(path, plan);
  assert.deepEqual([[0, 1, 2].map((index) => last.rowOf(at(plan, index))?.ok), creditsOf(last)], [[true, false, true], 6]);
  last.close();
});

test('a file that is not the output of a run with this input is refused by name and left as it is', async () => {
  const { plan } = await planOf('a.com\n');
  const path = join(folder, 'other.ndjson');
  const first = await begun(path, plan);
  first.write(at(plan, 0), found(0), AT);
  first.close();
  const before = readFileSync(path);
  await assert.rejects(
    openJournal(path, (await planOf('b.com\n')).plan, null),
    /other\.ndjson, line 2, is the answer to another input.*name another output/,
  );
  assert.deepEqual(readFileSync(path), before);
  for (const text of [
    'my notes\n',
    '{"key":"sl_secret"}',
    '{',
    '\u0000\u0001',
    '{"line":1,"input":{"domain":"b.com"},"sta',
    '{"id":1,"exported":"yesterday"}\n',
    '{"run":"uphill"}\n',
  ]) {
    writeFileSync(path, text);
    await assert.rejects(openJournal(path, plan, null), /other\.ndjson.*not a line of a bulk run/, text);
    assert.equal(readFileSync(path, 'utf8'), text);
  }
});

test('nothing is written before a run begins', async () => {
  const { plan } = await planOf('a.com\na.com\n');
  const path = join(folder, 'dry.ndjson');
  (await openJournal(path, plan, null)).close();
  assert.equal(existsSync(path), false);
  const part = `${JSON.stringify({ run: RUN })}\n{"line":2,"in`;
  writeFileSync(path, part);
  (await openJournal(path, plan, null)).close();
  assert.equal(readFileSync(path, 'utf8'), part);
});

test('a table is overwritten only as it was written, and its journal ends the run that is complete', async () => {
  const { plan } = await planOf('a.com\n');
  const [path, table] = [join(folder, 't.csv.ndjson'), join(folder, 't.csv')];
  const first = await begun(path, plan, table);
  first.write(at(plan, 0), found(0), AT);
  first.exportTo(table, ['one\n'], false);
  first.close();
  const second = await openJournal(path, plan, table);
  assert.deepEqual(second.run, RUN);
  second.begin(RUN);
  second.exportTo(table, ['two\n'], true);
  second.close();
  assert.equal((await openJournal(path, plan, table)).run, null);
  writeFileSync(table, 'two\nand my note\n');
  await assert.rejects(openJournal(path, plan, table), /t\.csv has other content than the last run wrote/);
});

test('a line that cannot be read is a failed line in its place, and is asked by a later run once it was corrected', async () => {
  const text = 'domain,note\na.com,x\nnot a domain,y\nb.com\n"open,z\n';
  const { plan } = await planOf(text, registration, 'in.csv');
  assert.deepEqual(
    [plan.lookups.length, plan.unreadable.map((one) => [one.line, plan.textsOf(one)])],
    [
      1,
      [
        [3, { domain: 'not a domain', note: 'y' }],
        [4, { domain: 'b.com' }],
        [5, {}],
      ],
    ],
  );
  const path = join(folder, 'unreadable.ndjson');
  const journal = await begun(path, plan);
  for (const one of plan.unreadable) journal.write(one, unreadable(one.why), AT);
  journal.write(at(plan, 0), found(0), AT);
  journal.exportTo(path, journal.texts(true), true);
  journal.close();
  const same = await openJournal(path, plan, null);
  assert.deepEqual(
    plan.lines.map((line) => same.rowOf(line)?.code ?? null),
    [null, 'UNREADABLE', 'UNREADABLE', 'UNREADABLE'],
  );
  const corrected = (await planOf(text.replace('not a domain', 'c.com').replace('"open,z', 'a.com,z'), registration, 'in.csv')).plan;
  const next = await begun(path, corrected);
  assert.deepEqual(
    corrected.lines.map((line) => next.rowOf(line)?.ok ?? null),
    [true, null, false, true],
    'the first answer serves the line that became its duplicate',
  );
  next.write(at(corrected, 1), found(1), AT);
  assert.deepEqual(
    linesOf(next).map(({ line, ok }) => [line, ok]),
    [
      [2, true],
      [3, true],
      [4, false],
      [5, true],
    ],
  );
  next.close();
  const others = (await planOf(text.replace('a.com', 'd.com'), registration, 'in.csv')).plan;
  await assert.rejects(openJournal(path, others, null), /is the answer to another input than line 2 now has/);
});
