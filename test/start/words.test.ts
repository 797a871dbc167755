// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-words-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'one.txt'), 'example.com\n');
/** No hosts are mapped, and tests have no network. */
const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: unknown; out: string; error: string }>((done) => {
    const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: join(folder, 'data'), SIGHTLINE_API_KEY: 'sl_x', ...environment };
    execFile(process.execPath, ['src/cli/main.ts', ...args], { env, timeout: 120_000 }, (error, out, words) =>
      done({ code: error?.code ?? 0, out, error: words }),
    );
  });

/** What was typed, and what was meant. */
const MISSPELT: readonly (readonly [args: readonly string[], meant: string, environment?: Readonly<Record<string, string>>])[] = [
  [['sorces'], 'sources'],
  [['lookup', 'regisration', 'example.com'], 'registration'],
  [['lookup', 'serp', '--keywrod', 'x'], '--keyword'],
  [['lookup', 'serp', 'x', '--device', 'mobil'], 'mobile'],
  [['lookup', 'serp', 'x', '--format', 'tabel'], 'table'],
  [['bulk', 'srep', 'one.txt'], 'serp'],
  [['bulk', 'serp', 'one.txt', '--rows', 'entires'], 'entries'],
  [['bulk', 'registration', join(folder, 'one.txt'), '--columns', 'domian', '--local', '--yes'], 'domain'],
  [['watch', 'import', join(folder, 'one.txt'), '--operation', 'trafic', '--every', '1d', '--url', 'http://127.0.0.1:9'], 'traffic'],
  [['ranks', 'update', '--list', 'tronco'], 'tranco'],
  [['sources'], 'debug', { SIGHTLINE_LOG_LEVEL: 'debgu' }],
  [['sources'], 'SIGHTLINE_LOG_LEVEL', { SIGHTLINE_LOG_LEVLE: 'debug' }],
];
for (const [args, meant, environment] of MISSPELT)
  test(`${[...Object.entries(environment ?? {}).map((pair) => pair.join('=')), ...args].join(' ')}: ${meant}`, async () => {
    const { code, error } = await run(args, environment);
    assert.ok(code === 1 || code === 2, error);
    assert.match(error, new RegExp(`did you mean ${meant}\\?|looks like ${meant} misspelt`, 'i'));
  });

test('what a command offers as an example is there in the world, too', async () => {
  const lacks = await run(['lookup', 'registration']);
  assert.match(lacks.error, /Parameter domain is missing: .*, such as 'example\.com'/);
  for (const [operation, example] of Object.entries({ registration: 'example.com', traffic: 'wikipedia.org', app: 'judgeme' }))
    assert.match((await run(['lookup', operation, '--help'])).out, new RegExp(`lookup ${operation} --\\w+ '${example}'`));
});

test('a file that is not there is named, in words', async () => {
  const missing = join(folder, 'missing.txt');
  const commands: readonly (readonly [readonly string[], Readonly<Record<string, string>>?])[] = [
    [['bulk', 'registration', missing, '--local']],
    [['relay', 'try', missing]],
    [['doctor', '--facts', missing]],
    [['sources'], { SIGHTLINE_RELAYS: missing }],
    [['watch', 'import', missing, '--url', 'http://127.0.0.1:9']],
  ];
  for (const [args, environment] of commands) {
    const { code, error } = await run(args, environment);
    assert.ok(code === 1 || code === 2, `${args.join(' ')}: ${error}`);
    assert.match(error, /missing\.txt does not exist/, args.join(' '));
    assert.doesNotMatch(error, /ENOENT|at async/, args.join(' '));
  }
});

test('without a network a lookup says one sentence, and with --verbose what each attempt met', async () => {
  const offline = { SIGHTLINE_HOSTS: '', http_proxy: '', https_proxy: '' };
  const plain = await run(['lookup', 'registration', 'sightline-tests.invalid'], offline);
  assert.match(plain.error, /^[A-Z_]+: [^\n]+\n$/, 'one line');
  const { code, out, error } = await run(['lookup', 'registration', 'example.com'], offline);
  if (!/seems to have no network/.test(error)) return console.log('this machine has a network: the sentence is not seen here');
  assert.deepEqual([code, out], [1, '']);
  assert.match(error, /^UPSTREAM_UNREACHABLE: No source could be reached: [^\n]+\n$/);
  const verbose = await run(['lookup', 'registration', 'example.com', '--verbose'], offline);
  assert.match(verbose.error, /registration\/rdap: .*ENOTFOUND|EAI_AGAIN/);
  assert.ok(verbose.error.endsWith(error), 'the sentence comes last');
  const json = await run(['lookup', 'registration', 'example.com', '--json'], offline);
  assert.equal(JSON.parse(json.out || json.error).error.code, 'UPSTREAM_UNREACHABLE');
});
