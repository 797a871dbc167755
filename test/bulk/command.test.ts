// Few in a process: starts commands and LibreOffice.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { recordsOf } from '../../src/contract/csv-records.ts';
import { bulk, startFake } from './service.ts';

const RANKS = 10;
const FORMULA = '=HYPERLINK("http://x","y")';
const service = await startFake((url) => {
  const keyword = url.searchParams.get('keyword');
  if (keyword === null) return { body: { domain: url.pathname.split('/').at(-1), available: true, contacts: [], source: 'authoritative' } };
  if (keyword.startsWith('none')) return { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found.' } } };
  const organic = Array.from({ length: RANKS }, (_, n) => ({
    rank: n + 1,
    absoluteRank: n + 2,
    domain: n === 6 ? 'www.acme.com' : `site-${n}.example`,
    url: `https://site-${n}.example/${encodeURIComponent(keyword)}`,
    title: n === 0 ? FORMULA : `${keyword}; "quoted", ${n} – Zürich ✓\nsecond line`,
    description: n % 2 ? null : 'x'.repeat(300),
    breadcrumb: null,
    websiteName: '+49 30 1234',
    isFeaturedSnippet: n === 0,
    rating: n === 3 ? { value: 4.5, votesCount: 1200, max: 5 } : null,
  }));
  const paid = [{ rank: 1, domain: 'ad.example', url: 'https://ad.example/', title: 'Ad', description: null, advertiserId: null }];
  const checkedAt = '2026-11-22T10:00:00.000Z';
  return {
    headers: { 'x-data-source': '@SUM(1)' },
    body: { keyword, checkedAt, totalResults: 12_000, organic, paid, features: ['organic', 'paid'] },
  };
});
const folder = mkdtempSync(join(tmpdir(), 'sightline-bulk-command-'));
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};
const run = (...args: string[]) => bulk(service.baseUrl, args);
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});
before(() => write('keywords.csv', 'Keyword;Client\ngreen tea;Müller & Co\nnone;=1+1\n'));

test('entries: a row for each ranking with the input beside it, in order, and no lookup is lost', async () => {
  const ran = await run('serp', at('keywords.csv'), '-o', at('entries.csv'), '--rows', 'entries', '--bom');
  assert.equal(ran.code, 0, ran.error);
  assert.match(ran.error, /carried to the output: Client/);
  const [head, ...rows] = readFileSync(at('entries.csv'), 'utf8').split('\r\n');
  assert.match(
    head ?? '',
    /^\ufeffkeyword,rank,domain,url,title,absoluteRank,.*rating\.value,.*,Client,line,status,ok,code,message,credits,source,cache,at$/,
  );
  assert.match(
    rows[0] ?? '',
    /^green tea,1,site-0\.example,https:\/\/site-0\.example\/green%20tea,"'=HYPERLINK\(""http:\/\/x"",""y""\)",2,/,
  );
  assert.match(rows.at(-2) ?? '', /^none,,,.*,'=1\+1,3,404,FALSE,NOT_FOUND,Not found\.,0,/);
  assert.equal(rows.length, RANKS + 2);
  assert.ok(rows[0]?.includes("'@SUM(1)"), rows[0]);
});

test('what an answer that was cut off has cost is read from the ledger, also where the service is away at first', async (t) => {
  const TRIES = 5;
  const labels: string[] = [];
  let refused = 0;
  const cut = await startFake(
    (_, label) => (labels.push(label) === 1 ? { status: 0, body: null } : { body: { domain: 'a.com', available: true, contacts: [] } }),
    () => {
      // at the end, as often as a client asks for one answer
      if (labels.length && refused++ < TRIES) return { status: 503, body: { error: { code: 'OVERLOADED', message: 'Busy.' } } };
      const captured = labels.map((label, n) => ({
        at: '2026-11-22T10:00:00.000Z',
        kind: 'capture',
        receipt: `r${n}`,
        label,
        credits: -1,
      }));
      return { body: { entries: captured, after: null, hasMore: false } };
    },
  );
  t.after(cut.stop);
  const ran = await bulk(cut.baseUrl, ['registration', write('cut.csv', 'domain\na.com\n'), '-o', at('cut.ndjson')]);
  assert.equal(ran.code, 0, ran.error);
  const [label] = labels;
  assert.deepEqual(labels, [label, label], 'asked again under the same label');
  assert.equal(refused, TRIES + 1);
  assert.equal(JSON.parse(readFileSync(at('cut.ndjson'), 'utf8')).credits, 2, ran.error);
});

test('a line is one line with the fields in their order, also where a proxy indents the answer', async (t) => {
  const resource = { domain: 'a.com', notes: 'Zürich ✓ "x"\n\u2028', contacts: [], size: 1e21 };
  const lines: string[] = [];
  for (const indent of [0, 2]) {
    const proxied = await startFake(() => ({ body: resource, indent, headers: { 'x-data-source': 's' } }));
    t.after(proxied.stop);
    const ran = await bulk(proxied.baseUrl, ['registration', write('one.txt', 'a.com\n'), '--unordered']);
    assert.equal(ran.code, 0, ran.error);
    lines.push(ran.out.replace(/"at":"[^"]+"/, '"at":""'));
  }
  const line = { line: 1, input: { domain: 'a.com' }, status: 200, ok: true, resource, credits: 1, source: 's', cache: null, at: '' };
  assert.deepEqual(lines, [`${JSON.stringify(line)}\n`, `${JSON.stringify(line)}\n`]);
});

test('columns are chosen by name, also those of the answer; ads, the best rank of a domain, other separators', async () => {
  const output = at('chosen.csv');
  assert.equal(
    (await run('serp', at('keywords.csv'), '-o', output, '--rows', 'paid', '--columns', 'keyword,rank,domain,checkedAt')).code,
    0,
  );
  assert.equal(readFileSync(output, 'utf8'), 'keyword,rank,domain,checkedAt\r\ngreen tea,1,ad.example,2026-11-22 10:00:00\r\nnone,,,\r\n');
  const asked = service.asked.length;
  const found = await run(
    'serp',
    at('keywords.csv'),
    '-o',
    output,
    '--find',
    'https://acme.com/',
    '--columns',
    'keyword,domain,found,rank,url,searched',
    '--separator',
    'tab',
  );
  assert.equal(found.code, 0, found.error);
  assert.equal(
    readFileSync(output, 'utf8'),
    'keyword\tdomain\tfound\trank\turl\tsearched\r\ngreen tea\tacme.com\tTRUE\t7\thttps://site-6.example/green%20tea\t10\r\nnone\tacme.com\t\t\t\t\r\n',
  );
  assert.equal(service.asked.length, asked, 'another table of the same run asks nothing');
  assert.match(
    (await run('serp', at('keywords.csv'), '--columns', 'nothing')).error,
    /There is no column "nothing": choose one of keyword, /,
  );
  assert.match((await run('short-video', at('keywords.csv'), '--rows', 'entries')).error, /no column url|no --rows entries/);
});

test('-o - is standard output, and no file of that name', async () => {
  const [none, dash] = [await run('serp', at('keywords.csv'), '--yes'), await run('serp', at('keywords.csv'), '--yes', '-o', '-')];
  const linesOf = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line);
  assert.deepEqual([dash.code, linesOf(dash.out)], [none.code, linesOf(none.out)]);
  assert.ok(!existsSync('-'));
});

test('addresses are understood and said; their lines of the output hold both', async () => {
  const input = write('domains.txt', 'https://www.acme.com/shop\nother.com\n');
  const ran = await run(
    'registration',
    input,
    '-o',
    at('domains.csv'),
    '--columns',
    'domain,understood.domain,resource.domain,available,at',
  );
  assert.equal(ran.code, 0, ran.error);
  assert.match(ran.error, /1 value of domain is an address: https:\/\/www\.acme\.com\/shop is read as www\.acme\.com\./);
  const rows = readFileSync(at('domains.csv'), 'utf8').split('\r\n');
  assert.match(rows[1] ?? '', /^https:\/\/www\.acme\.com\/shop,www\.acme\.com,acme\.com,TRUE,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('any: one NDJSON file with lines of several operations', async () => {
  const input = write('mixed.ndjson', '{"operation":"serp","keyword":"tea"}\n{"operation":"registration","domain":"acme.com"}\n');
  const ran = await run('any', input);
  assert.equal(ran.code, 0, ran.error);
  const lines = ran.out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as { line: number; input: { operation: string }; ok: boolean });
  assert.deepEqual(
    lines.map(({ line, input: { operation }, ok }) => [line, operation, ok]),
    [
      [1, 'serp', true],
      [2, 'registration', true],
    ],
  );
  assert.match((await run('any', input, '--format', 'csv')).error, /several operations are no table/);
});

test('no file is destroyed: one that is not an output of this run, the input under another name, a device, files beside the output', async () => {
  const input = write('in.csv', 'keyword\ngreen tea');
  linkSync(input, at('hard-link'));
  symlinkSync(input, at('soft-link'));
  const secret = '{"key":"sl_secret"}';
  for (const name of ['note', 'beside.csv.ndjson', 'table.csv', 'x.run']) write(name, secret);
  const before = readdirSync(folder).sort();
  for (const [output, why] of [
    ['note', /note ends with a text that is not a line of a bulk run/],
    ['hard-link', /hard-link is the input itself/],
    ['soft-link', /soft-link is the input itself/],
    ['in.csv', /in\.csv is the input itself/],
    ['/dev/null', /\/dev\/null is not a regular file/],
    ['beside.csv', /beside\.csv\.ndjson ends with a text that is not a line/],
    ['table.csv', /table\.csv has other content/],
  ] as const)
    for (const extra of [['--dry-run'], []]) {
      const ran = await run('serp', input, '-o', output.startsWith('/') ? output : at(output), ...extra);
      assert.deepEqual([ran.code, why.test(ran.error)], [2, true], `${output}: ${ran.code} ${ran.error}`);
    }
  assert.equal((await run('serp', input, '-o', at('x'), '--dry-run')).code, 0);
  assert.deepEqual(readdirSync(folder).sort(), before);
  for (const name of ['note', 'beside.csv.ndjson', 'table.csv', 'x.run']) assert.equal(readFileSync(at(name), 'utf8'), secret);
  assert.equal(readFileSync(input, 'utf8'), 'keyword\ngreen tea');
  assert.equal((await run('serp', input, '-o', at('x'))).code, 0);
  assert.equal(readFileSync(at('x.run'), 'utf8'), secret);
});

test('an output that cannot be written is refused before a service is asked or a price confirmed', async () => {
  const input = write('to-nowhere.csv', 'keyword\ngreen tea');
  for (const output of [at('no/such/out.csv'), at('no/such/out.ndjson'), join(input, 'out.csv')])
    for (const extra of [['--dry-run'], []]) {
      const ran = await run('serp', input, '-o', output, ...extra);
      assert.equal(ran.code, 2, ran.error);
      assert.match(ran.error, /^.* cannot be written: there is no folder .+\. Make it, or name another output\.\n$/);
    }
});

test('an input that is no regular file is one line and exit code 2, and is not read', async () => {
  const pipe = at('a-pipe');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  for (const input of ['/dev/zero', '/dev/full', '/dev/null', pipe]) {
    const ran = await run('serp', input, '--dry-run');
    assert.equal(ran.code, 2, ran.error);
    assert.match(ran.error, /cannot be read: it is a device, pipe or socket\. Name a regular file\.\n$/);
    assert.equal(ran.error.trim().split('\n').length, 1, ran.error);
  }
  assert.match((await run('serp', folder, '--dry-run')).error, /cannot be read: it is a folder\.\n$/);
  assert.match((await run('serp', at('missing'), '--dry-run')).error, /missing does not exist\.\n$/);
});

const KEYWORDS = 200;
const hasOffice = spawnSync('soffice', ['--version']).status === 0;
if (!hasOffice && process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('soffice')) throw new Error('soffice is required and missing');

test(`${KEYWORDS} keywords × ${RANKS} ranks have the same cells in LibreOffice`, {
  skip: hasOffice ? false : 'soffice is not installed (apt: libreoffice-calc)',
}, async () => {
  const input = write(
    'many.csv',
    `keyword,client\n${Array.from({ length: KEYWORDS }, (_, n) => `word ${n},client ${n % 7}`).join('\n')}\n`,
  );
  const table = at('many-ranks.csv');
  const ran = await run('serp', input, '-o', table, '--rows', 'entries', '--bom');
  assert.equal(ran.code, 0, ran.error);
  const cells = (): string[][] => {
    const text = readFileSync(table, 'utf8').replace(/^\ufeff/, '');
    return [...recordsOf(text, ',')].map(({ fields }) => (fields.ok ? fields.value : []));
  };
  const written = cells();
  assert.equal(written.length, KEYWORDS * RANKS + 1);
  // fields separated by commas, UTF-8, language en-US, numbers and dates detected as Excel does; written again with every text quoted
  const office = (file: string, ...args: string[]) =>
    promisify(execFile)('soffice', [`-env:UserInstallation=file://${at('office')}`, '--headless', ...args, '--outdir', folder, file]);
  await office(table, '--infilter=Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true', '--convert-to', 'xlsx');
  rmSync(table);
  await office(at('many-ranks.xlsx'), '--convert-to', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,true,true');
  assert.deepEqual(cells(), written);
  const [, first = ''] = readFileSync(table, 'utf8').split('\n');
  assert.match(first, /^"word 0",1,"site-0\.example",/, 'a rank is a number');
  assert.match(
    readFileSync(table, 'utf8'),
    /,4\.5,1200,5,"client 0",2,200,TRUE,,,1,"'@SUM\(1\)",,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n/,
    'so are a rating and a date',
  );
});

test('--skip-invalid answers what cannot be read as failed lines, free, in the output and its journal, and asks the others', async () => {
  const input = write('partly.csv', 'domain,client\na.com,x\nnot a domain,y\nb.com\n"open,z\nc.com,v\n');
  const asked = service.asked.length;
  const refused = await run('registration', input, '-o', at('partly.ndjson'));
  assert.deepEqual([refused.code, service.asked.length], [2, asked]);
  assert.match(refused.error, /line 3: .*\nline 4: .*\nline 5: .*\n3 bad lines; nothing was asked\. .* --skip-invalid\./);
  const ran = await run('registration', input, '-o', at('partly.ndjson'), '--skip-invalid');
  assert.equal(ran.code, 0, ran.error);
  assert.match(ran.error, /^2 lookups, at most 2 credits, .*; 3 lines cannot be read and fail free of charge\.$/m);
  assert.match(ran.error, /^2 found, 0 not found, failed: 3 UNREADABLE; 2 credits, /m);
  assert.equal(service.asked.length, asked + 2);
  const lines = readFileSync(at('partly.ndjson'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((text) => JSON.parse(text)).map(({ line, ok, status, credits, error }) => [line, ok, status, credits, error?.code]),
    [
      [2, true, 200, 1, undefined],
      [3, false, null, 0, 'UNREADABLE'],
      [4, false, null, 0, 'UNREADABLE'],
      [5, false, null, 0, 'UNREADABLE'],
      [6, true, 200, 1, undefined],
    ],
  );
  assert.deepEqual(JSON.parse(lines[1] ?? '').input, { domain: 'not a domain', client: 'y' });
  write('partly.csv', readFileSync(input, 'utf8').replace('not a domain', 'd.com'));
  const again = await run('registration', input, '-o', at('partly.ndjson'), '--skip-invalid');
  assert.equal(again.code, 0, again.error);
  assert.equal(service.asked.length, asked + 3, 'the corrected line alone');
  const table = await run('registration', input, '-o', at('partly-table.csv'), '--skip-invalid', '--columns', 'domain,ok,code,credits');
  assert.equal(table.code, 0, table.error);
  assert.equal(
    readFileSync(at('partly-table.csv'), 'utf8'),
    'domain,ok,code,credits\r\na.com,TRUE,,1\r\nd.com,TRUE,,1\r\nb.com,FALSE,UNREADABLE,0\r\n,FALSE,UNREADABLE,0\r\nc.com,TRUE,,1\r\n',
  );
  const printed = await run('registration', input, '--skip-invalid', '--unordered');
  assert.equal(printed.out.trimEnd().split('\n').length, 5, printed.out);
});
