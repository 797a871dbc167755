import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Given, judge, judgeField } from '../../compare/judge.ts';
import { outcomeOf } from '../../compare/lists.ts';
import { comparisonPage, figuresOf } from '../../compare/page.ts';
import { judgePost } from '../../compare/posts.ts';
import { judgePage, pagesIn } from '../../compare/search-pages.ts';
import { answerSets, type Row, type Stated } from '../../compare/sets.ts';
import { capturesIn, exportCase } from '../../src/captures/read-captures.ts';
import { answerOf, captureOf, exchangeOf, folderOf, sentOf, writerIn } from '../evidence/samples.ts';

const STATED: Stated = {
  available: false,
  registrar: ['Harbor Names, Inc.'],
  registeredOn: '2001-03-19T01:14:32.000Z',
  expiresOn: null,
  nameServers: ['ns1.harbor.example', 'ns2.harbor.example'],
  status: ['ok'],
  statusOptional: ['clientHold'],
  dnssec: false,
};
const row = (stated: Stated): Row => ({
  id: 'a',
  kind: 'whois',
  domain: 'a.example',
  server: '',
  status: 200,
  body: Buffer.alloc(0),
  stated,
});
const RIGHT: Given = {
  available: false,
  registrar: 'HARBOR NAMES INC (https://harbor.example)',
  registeredOn: '19-Mar-2001',
  nameServers: ['NS2.HARBOR.EXAMPLE.', 'ns1.harbor.example 192.0.2.1'],
  status: 'active, clientHold https://icann.org/epp#clientHold',
  dnssec: 'unsigned',
};

test('values are judged by what they mean: spelling, order, case, optional states and a day of time zone do not count', () => {
  const { verdicts, availability, isWhole } = judge(row(STATED), RIGHT);
  assert.deepEqual(verdicts, { registrar: 'right', registeredOn: 'right', nameServers: 'right', status: 'right', dnssec: 'right' });
  assert.deepEqual([availability, isWhole], ['right', true]);
  for (const date of ['2001-03-18', '20010319', '2001/03/20', '19.03.2001', 'March 19, 2001', '2001-Mar-19'])
    assert.equal(judgeField('registeredOn', { ...RIGHT, registeredOn: date }, STATED), 'right', date);
});

test('another value is wrong, none is missing, one that is not stated is invented, and a field that is not judged is none of these', () => {
  const verdictOf = (field: keyof Given & Parameters<typeof judgeField>[0], value: unknown) =>
    judgeField(field, { ...RIGHT, [field]: value }, STATED);
  assert.equal(verdictOf('registeredOn', '2001-03-21'), 'wrong');
  assert.equal(verdictOf('registrar', 'Harbor'), 'wrong');
  assert.equal(verdictOf('nameServers', ['ns1.harbor.example']), 'wrong');
  assert.equal(verdictOf('status', ['ok', 'inactive']), 'wrong');
  assert.equal(verdictOf('dnssec', 'signedDelegation'), 'wrong');
  for (const nothing of [null, undefined, '']) assert.equal(verdictOf('registrar', nothing), 'missing');
  assert.equal(verdictOf('nameServers', []), 'missing');
  assert.equal(verdictOf('expiresOn', '2030-01-01'), 'invented');
  assert.equal(verdictOf('expiresOn', null), null);
  assert.equal(verdictOf('updatedOn', '2030-01-01'), null);
});

test('a taken name that is called free, a free one called taken, data from no answer, and silence are told apart', () => {
  const said = (available: boolean | null, given: Given | null) => judge(row({ available }), given).availability;
  assert.equal(said(false, { available: true }), 'free that was taken');
  assert.equal(said(true, { available: false }), 'taken that was free');
  assert.equal(said(null, { available: true }), 'data from no answer');
  assert.equal(said(null, null), 'right');
  assert.equal(said(true, null), 'not said');
  assert.equal(judge(row({ available: null, availableAlso: [true] }), { available: true }).availability, 'right');
});

test('the page says where another reader is right and ours is not, and keeps sets apart by whether ours was developed against them', () => {
  const ours = [judge(row(STATED), { ...RIGHT, dnssec: true })];
  const theirs = [judge(row(STATED), RIGHT)];
  const reader = (name: string) => ({ name, version: '1.2.3', note: '' });
  const readers = [figuresOf(reader('Sightline'), ours, ours), figuresOf(reader('other'), theirs, ours)];
  const page = comparisonPage(
    [
      { set: 'unseen', isDevelopedAgainst: false, kind: 'whois', answers: 1, readers },
      { set: 'known', isDevelopedAgainst: true, kind: 'whois', answers: 1, readers },
    ],
    [],
    '2026-11-26',
  );
  const [unseen = '', known = ''] = page.split('## Answers that Sightline was ').slice(1);
  for (const [part, set] of [
    [unseen, 'unseen'],
    [known, 'known'],
  ] as const) {
    assert.match(part, new RegExp(`### WHOIS, ${set}: 1 answer\n`));
    assert.match(part, /\| Sightline 1\.2\.3 \| 0 of 1 \| 0 of 1 \| 4 \| 1 \| 0 \| 0 \|/);
    assert.match(part, /\| other 1\.2\.3 \| 1 of 1 \| 1 of 1 \| 5 \|/);
    assert.match(part, /- other: `dnssec` in 1\n?/);
  }
});

test('a folder of cases is a set that others can fill; one without answers of registries is refused by name', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-compare-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.txt'), 'Domain Name: SHOP.COM\n');
  const rows = [
    { id: 'a', reader: 'registration/whois', file: 'a.txt', url: 'whois://whois.nic.com', input: { domain: 'shop.com' } },
    { id: 'b', reader: 'forum/listing', file: 'a.txt', input: { community: 'x' } },
  ].map((one) => ({ ...one, expected: { outcome: 'found', fields: { available: false, 'registrar.name': 'Harbor', nameServers: [] } } }));
  writeFileSync(join(folder, 'cases.ndjson'), rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const [set] = answerSets([folder]).slice(-1);
  assert.equal(set?.isDevelopedAgainst, false);
  const [only, ...others] = set?.rows ?? [];
  assert.deepEqual([only?.id, only?.server, others.length], ['a', 'whois.nic.com', 0]);
  assert.deepEqual(only?.stated, { available: false, registrar: ['Harbor'], nameServers: [] });
  assert.throws(() => answerSets([join(folder, 'none')]), /--set .*none: the folder has no expected\.json/);
});

test('an entry is right in its place, wrong in another or with another address, else missing or invented; optional ones do not count', () => {
  const organic = ['a', 'b', 'c'].map((name) => ({ title: `About ${name}`, url: `https://www.${name}.example/` }));
  const page = { id: 'p', said: 'data' as const, organic, may: ['https://box.example/'] };
  const at = (url: string, title = '') => ({ url, title });
  const [a, b, c] = [at('https://a.example'), at('http://www.b.example/'), at('https://c.example/')];
  const countsOf = (...values: readonly { url: string; title: string }[]) => {
    const { right, wrong, missing, invented } = judgePage(page, { values });
    return [right, wrong, missing, invented];
  };
  assert.deepEqual(countsOf(a, b, c, at('https://box.example')), [3, 0, 0, 0]);
  assert.deepEqual(countsOf(a, c, b), [1, 2, 0, 0]);
  assert.deepEqual(countsOf(a, at('https://engine.example/ck?u=b', 'About B')), [1, 1, 1, 0]);
  assert.deepEqual(countsOf(a, at('https://d.example', 'Another')), [1, 0, 2, 1]);
  const replaced = organic.map(({ title }) => at('http://test.test', title));
  assert.equal(
    judgePage({ ...page, organic: replaced }, { values: [at('x', 'about a'), at('y', 'About b'), at('z', 'About C')] }).right,
    3,
  );
});

test('a page that says "no results" counts as nothing found, unless its recorder knows that there were results: then it is a wall', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const record = (name: string, notes: string): void => {
    const meta = { engine: 'engine_b', device: 'desktop', status: 200, url: 'https://www.bing.com/search', params: { q: 'tea' } };
    writeFileSync(join(folder, `${name}.html`), '<li class="b_no"><h1>There are no results for <strong>tea</strong></h1></li>');
    writeFileSync(join(folder, `${name}.meta.json`), JSON.stringify(meta));
    writeFileSync(join(folder, `${name}.expected.json`), JSON.stringify({ pageType: 'no_results', organic: [], notes }));
  };
  record('a-true', 'nobody writes of it');
  record('b-false', 'false no-results served to a crawler');
  assert.deepEqual(
    pagesIn(folder).map(({ id, said }) => [id, said]),
    [
      ['a-true', 'nothing'],
      ['b-false', 'no answer'],
    ],
  );
});

test('a wall is no answer: read as nothing or as data it is a fault, and a refusal of data is not said', () => {
  const said = (stated: 'data' | 'nothing' | 'no answer', made: Parameters<typeof outcomeOf>[1]) => outcomeOf(stated, made);
  assert.equal(said('no answer', null), 'right');
  assert.equal(said('no answer', 'nothing'), 'nothing from no answer');
  assert.equal(said('no answer', { values: [] }), 'data from no answer');
  assert.equal(said('data', 'nothing'), 'nothing that was there');
  assert.equal(said('nothing', { values: [] }), 'data that was not there');
  assert.equal(said('data', null), 'not said');
});

test('a post is judged by what its answer states: texts apart from addresses and markup, a field that is not stated by nobody', () => {
  const stated = { id: '20', text: 'a &amp; b https://t.co/x', likes: 3, hashtags: [], handle: 'ann' };
  const counts = (post: object) => {
    const { right, wrong, missing, invented } = judgePost({ id: 'p', said: 'data', stated }, { values: { ...post } });
    return [right, wrong, missing, invented];
  };
  const right = { id: '20', text: 'a & b https://long.example/x', likes: 3, hashtags: [], handle: 'ann', name: 'Ann' };
  assert.deepEqual(counts(right), [5, 0, 0, 0]);
  assert.deepEqual(counts({ ...right, likes: 4, text: null, hashtags: ['made'] }), [2, 1, 1, 1]);
});

test('what captures export writes is a set as soon as somebody states in it what is right; before that it judges nobody', (t) => {
  const home = folderOf(t);
  const writer = writerIn(join(home, 'captures'));
  const asked = { method: 'WHOIS', url: 'whois://whois.verisign-grs.com', body: 'domain shop.com' };
  const text = 'Domain Name: SHOP.COM\r\nRegistrar: Harbor Names\r\nCreation Date: 2001-03-19T01:14:32Z\r\n';
  const answer = answerOf({ headers: {}, text, url: asked.url });
  writer.write(
    captureOf({
      source: 'registration/whois',
      operation: 'registration',
      input: { domain: 'shop.com' },
      exchanges: [exchangeOf([sentOf({ ...asked, headers: {}, answer })])],
    }),
  );
  const folder = join(home, 'set');
  assert.equal(
    exportCase([...capturesIn(join(home, 'captures'), () => assert.fail('a file of captures cannot be read'))], folder, () => [
      'registration/whois',
    ]),
    1,
  );
  const rowsOf = () => answerSets([folder]).at(-1)?.rows ?? [];
  assert.deepEqual(rowsOf(), []);
  const file = join(folder, 'expected.ndjson');
  const line = JSON.parse(readFileSync(file, 'utf8'));
  const fields = { available: false, 'registrar.name': 'Harbor Names', registeredOn: '2001-03-19', expiresOn: null };
  writeFileSync(file, `${JSON.stringify({ ...line, expected: { outcome: 'found', fields } })}\n`);
  const [only, ...others] = rowsOf();
  assert.ok(only && others.length === 0);
  assert.deepEqual([only.domain, only.server, only.body.toString()], ['shop.com', 'whois.verisign-grs.com', text]);
  const given = { available: false, registrar: 'Harbor Names', registeredOn: '2001-03-19T01:14:32Z' };
  assert.equal(judge(only, given).isWhole, true);
  assert.deepEqual(judge(only, { ...given, expiresOn: '2030-01-01' }).verdicts.expiresOn, 'invented');
});
