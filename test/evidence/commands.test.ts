// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WARCParser } from 'warcio';
import { captureFilesIn } from '../../src/captures/capture-files.ts';
import { queryFor } from '../../src/sources/registration/registries.ts';
import { runCommand } from './processes.ts';
import { answerOf, captureOf, exchangeOf, folderOf, foundOf, START, sentOf, writerIn } from './samples.ts';

const idOf = (n: number): string => `33333333-3333-7333-8333-${String(n).padStart(12, '0')}`;
const whoisText = (domain: string): string =>
  `Domain Name: ${domain.toUpperCase()}\r\nRegistrar: Sample Registrar\r\nCreation Date: 2020-01-02T03:04:05Z\r\nName Server: ns1.sample.net\r\n`;

/** A data folder with captures of WHOIS and of an app page, and a function that runs commands on it. */
function prepared(t: TestContext) {
  const data = folderOf(t);
  const writer = writerIn(join(data, 'captures'));
  for (let n = 0; n < 3; n++) {
    const domain = `widgets-${n}.com`;
    const asked = { method: 'WHOIS', url: 'whois://whois.verisign-grs.com', body: queryFor('whois.verisign-grs.com', domain) };
    const answer = answerOf({ headers: {}, text: whoisText(domain), url: asked.url });
    writer.write(
      captureOf({
        id: idOf(n),
        atMs: START + n * 3_600_000,
        source: 'registration/whois',
        operation: 'registration',
        input: { domain },
        requestId: `request-${n}`,
        outcome: n === 1 ? { tag: 'changed', what: 'Unknown shape.' } : foundOf({ domain }, { unread: n === 2 ? ['registrar.name'] : [] }),
        exchanges: [exchangeOf([sentOf({ ...asked, headers: {}, answer })])],
      }),
    );
  }
  const page = answerOf({ url: 'https://apps.shopify.com/widget', text: '<html><body>nothing of an app</body></html>' });
  writer.write(captureOf({ id: idOf(9), exchanges: [exchangeOf([sentOf({ url: page.url, answer: page })])] }));
  const run = (...args: string[]) => runCommand(args, { environment: { SIGHTLINE_DATA_DIR: data } });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { out, error } = await run(...args, '--json');
    assert.equal(error, '');
    return JSON.parse(out) as T;
  };
  return { data, run, json };
}

test('list filters by source, outcome, unread field, request and time', async (t) => {
  const { json, run } = prepared(t);
  const ids = async (...args: string[]) =>
    (await json<{ capture: string }[]>('captures', 'list', ...args)).map((c) => Number(c.capture.slice(-1)));
  const [all, bySource, byOutcome, byField, byRequest, since, until, last] = await Promise.all([
    ids(),
    ids('--source', 'appmarket/page'),
    ids('--outcome', 'changed'),
    ids('--field', 'registrar.name'),
    ids('--request', 'request-0'),
    ids('--since', '2026-11-22T06:00:00Z'),
    ids('--until', '2026-11-22T05:30:00Z'),
    ids('--limit', '2'),
  ]);
  assert.deepEqual(
    [all, bySource, byOutcome, byField, byRequest, since, until, last],
    [[0, 1, 2, 9], [9], [1], [2], [0], [1, 2], [0, 9], [2, 9]],
  );
  for (const noDay of ['2026-02-30', '0000-01-01'])
    assert.match((await run('captures', 'list', '--since', noDay)).error, new RegExp(`--since is "${noDay}": give an age such as 90m`));
  const wrong = await run('captures', 'list', '--since', 'yesterday');
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.error, /--since is "yesterday": give an age such as 90m/);
  const { out } = await run('captures', 'list', '--outcome', 'changed');
  assert.match(out, /registration\/whois +registration +changed +\{"domain":"widgets-1.com"\}/);
});

test('show prints the attempt, its requests and a body', async (t) => {
  const { run } = prepared(t);
  const [shown, body, unknown, beyond] = await Promise.all([
    run('captures', 'show', idOf(1)),
    run('captures', 'show', idOf(1), '--body'),
    run('captures', 'show', 'nothing'),
    run('captures', 'show', idOf(1), '--body', '2'),
  ]);
  assert.match(shown.out, /outcome +changed: Unknown shape/);
  assert.match(shown.out, /1\. WHOIS whois:\/\/whois\.verisign-grs\.com domain widgets-1\.com: 200, \d+ bytes/);
  assert.equal(body.out, whoisText('widgets-1.com'));
  assert.deepEqual(
    [unknown.code, unknown.error],
    [1, `There is no capture "nothing": 'sightline captures list' shows those that there are.\n`],
  );
  assert.deepEqual([beyond.code, beyond.error], [2, '--body is "2": the capture has the answers 1 to 1.\n']);
});

test('export writes a WARC that warcio reads and replay takes, and a case that parse takes', async (t) => {
  const { data, run, json } = prepared(t);
  const warc = join(data, 'out.warc.gz');
  assert.equal((await run('captures', 'export', '--operation', 'registration', '--warc', warc)).code, 0);
  assert.equal(statSync(warc).mode & 0o777, 0o600);
  const types: string[] = [];
  for await (const record of new WARCParser(createReadStream(warc)))
    types.push(`${record.warcType} ${(await record.readFully(false)).length > 0}`);
  assert.deepEqual(types, Array(3).fill(['metadata true', 'resource true']).flat());
  assert.match((await run('captures', 'export', '--warc', warc)).error, /out\.warc\.gz exists already: name another one/);
  const nowhere = join(data, 'none', 'x');
  const refusals = await Promise.all([
    run('captures', 'export', '--warc', nowhere),
    run('captures', 'export', '--case', nowhere),
    run('captures', 'case', idOf(9), '--yes', '--to', nowhere),
  ]);
  const why = `${nowhere} cannot be written: there is no folder ${join(data, 'none')}: name another`;
  assert.deepEqual(
    refusals.map(({ code, error }) => [code, error]),
    [
      [1, `${why} one.\n`],
      [1, `${why} one.\n`],
      [1, `${why} folder by --to.\n`],
    ],
  );
  const replayed = await json<{ captures: number }>('replay', warc);
  assert.equal(replayed.captures, 3);

  const folder = join(data, 'case');
  assert.equal((await run('captures', 'export', idOf(0), '--case', folder)).code, 0);
  const lines = readFileSync(join(folder, 'expected.ndjson'), 'utf8');
  const { out } = await runCommand(['parse', '--ndjson'], { cwd: folder, input: lines });
  const parsed = JSON.parse(out) as { outcome: string; resource: { registrar: { name: string } } };
  assert.deepEqual([parsed.outcome, parsed.resource.registrar.name], ['found', 'Sample Registrar']);
  const neither = await run('captures', 'export', idOf(0));
  assert.deepEqual([neither.code, neither.error], [2, 'Give one of --warc <file> and --case <folder>.\n']);
});

test('the one id of a source, as alarms and explain name it, finds its captures for list and for a case', async (t) => {
  const { data, run, json } = prepared(t);
  const ofSource = ['--source', 'registration/whois'];
  const listed = await json<{ capture: string; source: string }[]>('captures', 'list', ...ofSource);
  assert.deepEqual(
    listed.map(({ capture }) => capture),
    [0, 1, 2].map(idOf),
  );
  const folder = join(data, 'of-source');
  assert.equal((await run('captures', 'export', ...ofSource, '--case', folder)).code, 0);
  const lines = readFileSync(join(folder, 'expected.ndjson'), 'utf8').split('\n').filter(Boolean);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { id: string; reader: string }).id),
    [0, 1, 2].map((n) => `${idOf(n)}-1`),
  );
  const other = await run('captures', 'export', '--source', 'registration', '--case', join(data, 'other'));
  assert.notEqual(other.code, 0, 'a part of an id finds nothing');
});

test('purge erases the captures of one lookup or of an operation; verify passes before and after', async (t) => {
  const { data, run, json } = prepared(t);
  const verify = () => json<{ captures: number; faults: unknown[] }>('captures', 'verify');
  const counts = async () => {
    const { captures, faults } = await verify();
    return [captures, faults.length];
  };
  assert.deepEqual(await counts(), [4, 0]);
  const purge = (...args: string[]) => run('captures', 'purge', '--operation', 'registration', ...args);
  assert.equal((await purge('--input', 'domain=WIDGETS-1.com')).out, '1 capture of registration erased\n');
  assert.deepEqual(await counts(), [3, 0]);
  const left = readdirSync(join(data, 'captures'), { recursive: true }).join(' ');
  assert.ok(!left.includes(idOf(1)) && left.includes(idOf(2)), 'its file is gone, whatever its name');
  const wrong = await purge('--input', 'domain=localhost');
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.equal((await purge()).out, '2 captures of registration erased\n');
  assert.deepEqual(await counts(), [1, 0]);
});

test('verify exits with 1 and names the capture of a flipped byte; the other commands leave a damaged file out and say so', async (t) => {
  const { data, run, json } = prepared(t);
  const flip = (at: (length: number) => number): string => {
    const file = captureFilesIn(join(data, 'captures')).at(-1)?.file ?? '';
    const bytes = readFileSync(file);
    bytes[at(bytes.length)] = (bytes[at(bytes.length)] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    return file;
  };
  const file = flip((length) => length - 100);
  const { code, out } = await run('captures', 'verify');
  assert.equal(code, 1);
  assert.match(out, new RegExp(`capture ${idOf(9)}: `));
  assert.match(out, /1 damaged/);
  const replayed = await json<{ captures: number; skipped: number; lost: number }>('replay', '--source', 'appmarket/page');
  assert.deepEqual([replayed.captures, replayed.skipped, replayed.lost], [1, 1, 1]);
  // now its metadata too
  flip(() => 100);
  const listed = await run('captures', 'list', '--json');
  assert.deepEqual([listed.code, (JSON.parse(listed.out) as unknown[]).length], [0, 3]);
  assert.match(listed.error, new RegExp(`^${file} is damaged and left out: `));
  const purged = await run('captures', 'purge', '--operation', 'app');
  assert.deepEqual([purged.code, purged.out], [1, '0 captures of app erased\n'], 'what it holds is not known');
  assert.match(purged.error, new RegExp(`^${file} is damaged and left out: `));
});

test('replay exits with 1 where a found becomes something else, and says what differs', async (t) => {
  const { run, json } = prepared(t);
  const { code, out } = await run('replay');
  assert.equal(code, 1, 'the page of nothing was found once');
  assert.match(out, /appmarket\/page +outcome +found → changed +1/);
  assert.match(out, /registration\/whois +field +registrar/);
  const summary = await json<{ captures: number; lost: number; healed: number; captured: { capture: string }[] }>(
    'replay',
    '--operation',
    'registration',
  );
  assert.deepEqual([summary.captures, summary.lost], [3, 0]);
  const missing = await run('replay', 'nowhere.warc.gz');
  assert.deepEqual([missing.code, missing.out], [1, '']);
  assert.match(missing.error, /nowhere\.warc\.gz does not exist/);
});

test('case prints all that it would write and writes nothing without a yes; with it the folder holds a case that fails alike', async (t) => {
  const data = folderOf(t);
  const asked = { method: 'WHOIS', url: 'whois://whois.verisign-grs.com', body: queryFor('whois.verisign-grs.com', 'okonkwo-shop.com') };
  const text = `${whoisText('okonkwo-shop.com')}Registry Expiry Date: a day in spring\r\nRegistrant Name: Marlene Okonkwo\r\n`;
  const answer = answerOf({ headers: {}, text, url: asked.url });
  const outcome = foundOf({ domain: 'okonkwo-shop.com' }, { unread: ['expiresOn'] });
  const whois = { source: 'registration/whois', operation: 'registration', input: { domain: 'okonkwo-shop.com' } } as const;
  const exchanges = [exchangeOf([sentOf({ ...asked, headers: {}, answer })])];
  writerIn(join(data, 'captures')).write(captureOf({ id: idOf(1), atMs: START, ...whois, outcome, exchanges }));
  const run = (...args: string[]) => runCommand(['captures', 'case', ...args], { environment: { SIGHTLINE_DATA_DIR: data } });
  const folder = join(data, 'case');
  const [shown, unread, missing] = await Promise.all([
    run(idOf(1), '--to', folder),
    run(idOf(1), '--field', 'registrar.name'),
    run(idOf(7)),
  ]);
  assert.equal(shown.code, 1);
  assert.match(shown.out, /Registry Expiry Date: [\s\S]*Nothing was written/);
  assert.doesNotMatch(shown.out, /okonkwo|marlene/i);
  assert.match(unread.error, /No case can be made of capture .*: no single answer leaves registrar\.name unread by today's readers/);
  assert.match(missing.error, /There is no capture/);
  const { code, out, error } = await run(idOf(1), '--to', folder, '--yes', '--json');
  assert.deepEqual([code, error], [0, '']);
  const row = JSON.parse(readFileSync(join(folder, 'cases.ndjson'), 'utf8'));
  const body = readFileSync(join(folder, row.file), 'utf8');
  assert.equal(JSON.parse(out).body, body);
  assert.ok(body.length < text.length / 2, body);
  assert.deepEqual(row.expected, { outcome: 'found', notUnread: ['expiresOn'] });
  assert.doesNotMatch(JSON.stringify(row) + body, /okonkwo|marlene/i);
  const line = JSON.stringify({ ...row, body: join(folder, row.file) });
  const parsed = await runCommand(['parse', '--ndjson'], { environment: {}, input: `${line}\n` });
  assert.deepEqual(JSON.parse(parsed.out).unread, ['expiresOn']);
  const again = await run(idOf(1), '--to', folder, '--yes');
  assert.deepEqual([again.code, again.error.includes('exists already')], [1, true]);
});
