// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** util-linux's `script` runs a command on a terminal of its own. */
const NO_TERMINAL = existsSync('/usr/bin/script') ? false : 'util-linux is not installed';

type Service = Awaited<ReturnType<typeof startService>>;
type Mistake = readonly [environment: Record<string, string>, command: string, code: 1 | 2, says: RegExp];

const folder = mkdtempSync(join(tmpdir(), 'sightline-mistakes-'));
const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const held = join(folder, 'held');
let service: Service;
let apiKey = '';

before(async () => {
  for (const [name, text] of Object.entries({
    empty: '',
    'half.json': '{"a":',
    'list.json': '[1, 2]',
    'utf16.json': Buffer.from('\uFEFF{"relays": []}', 'utf16le'),
    'stray.json': '{"canarys": []}',
    'marked.json': '\uFEFF{"relays": []}',
    'line.ndjson': 'a line\n',
    // é in Windows-1252
    'western.ndjson': Buffer.from('{"operation":"serp","parameters":{"keyword":"th\xe9"},"every":"1d","creditsPerMonth":31}\n', 'latin1'),
    'western.txt': Buffer.from('caf\xe9.com\n', 'latin1'),
    'misspelt.csv': 'domian\nexample.com\n',
    'good.csv': 'domain\nexample.com\n',
  }))
    writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'full'));
  writeFileSync(join(folder, 'full/one'), '');
  // a store that is none, and one that others may read
  for (const [store, file, mode] of [
    ['damaged', 'sightline.db', 0o600],
    ['open', 'secret', 0o644],
  ] as const) {
    mkdirSync(join(folder, store), { mode: 0o700 });
    writeFileSync(join(folder, store, file), 'no database, and no secret');
    chmodSync(join(folder, store, file), mode);
  }
  service = await startService(readSettings({ PORT: '0', SIGHTLINE_DATA_DIR: held, SIGHTLINE_SECRET: SECRET }), { log: silent });
  apiKey = String((await service.accounts.admin.ensureFirstAccount())?.key);
});
after(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(environment: Record<string, string>, command: string): Promise<{ code: number; error: string }> {
  const args = command.match(/"[^"]*"|\S+/g)?.map((one) => one.replaceAll('"', '')) ?? [];
  const env = { ...CHILD_ENVIRONMENT, ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(process.cwd(), 'src/cli/main.ts'), ...args],
      { cwd: folder, env, timeout: 60_000 },
      (failed, _, error) => resolve({ code: failed ? Number(failed.code) : 0, error }),
    );
  });
}

test('a mistake of the operator gets one line that says what to do, and no stack', { concurrency: 3 }, async (t) => {
  const store = { SIGHTLINE_DATA_DIR: held, SIGHTLINE_SECRET: SECRET };
  const fresh = { SIGHTLINE_DATA_DIR: 'fresh' };
  const client = { SIGHTLINE_URL: service.baseUrl, SIGHTLINE_API_KEY: apiKey };
  const mistakes: readonly Mistake[] = [
    [{}, 'serv', 2, /unknown command 'serv'\n\(Did you mean serve\?\)/],
    [{}, 'sources --jso', 2, /unknown option '--jso'\n\(Did you mean --json\?\)/],
    [{}, 'keys creat', 2, /Did you mean create\?/],
    [{}, 'keys create --lable x', 2, /Did you mean --label\?/],
    [{}, 'serve --port abc', 2, /'--port <n>' argument 'abc' is invalid\. It must be a whole number from 0 to 65535/],
    [{}, 'demo --port 70000', 2, /'--port <n>' argument '70000' is invalid/],
    [{}, 'sandbox --port x', 2, /'--port <n>' argument 'x' is invalid/],
    [{ PORT: '80x' }, 'serve', 1, /^PORT is "80x", but it must be a whole number/],
    [{ HOST: '0.0.0.0' }, 'serve', 1, /^SIGHTLINE_PUBLIC_URL is required where HOST is not loopback/],
    [{ SIGHTLINE_PUBLIC_URL: 'a.example' }, 'serve', 1, /^SIGHTLINE_PUBLIC_URL is "a\.example", but it must be an http\(s\) URL/],
    [{ SIGHTLINE_DATA_DIR: held }, 'serve --port 0', 1, /is held by another Sightline process/],
    [{ SIGHTLINE_DATA_DIR: 'damaged' }, 'serve --port 0', 1, /^The store in .* is damaged: file is not a database\. Put back a backup/m],
    [{ SIGHTLINE_DATA_DIR: 'open' }, 'serve --port 0', 1, /secret can be read by others: chmod 600 it/],
    [{ SIGHTLINE_DATA_DIR: 'none' }, 'keys list', 1, /none", where there is no store: set it to the folder of the service/],
    [{ DATABASE_URL: 'mysql://a/b' }, 'serve', 1, /^DATABASE_URL must be a URL that begins with postgresql:\/\//],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/a' }, 'serve --port 0', 1, /^PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\) refuses/m],
    [
      { DATABASE_URL: 'postgres://nosuch.invalid/a' },
      'keys list',
      1,
      /nosuch\.invalid \(DATABASE_URL\) has a host name that cannot be resolved/,
    ],
    [{ REDIS_URL: 'http://a' }, 'serve', 1, /^REDIS_URL must be a URL that begins with redis:\/\//],
    [fresh, 'serve --gateway --port 0', 1, /^REDIS_URL is required/],
    [fresh, 'worker', 1, /^REDIS_URL is required/],
    [{ SIGHTLINE_PRICES: '{"serp":' }, 'serve', 1, /^SIGHTLINE_PRICES is .*must be a JSON object such as/],
    [{ SIGHTLINE_PRICES: '{"trafic": 2}' }, 'serve', 1, /"trafic", which is no operation \(did you mean traffic\?\)/],
    [{ SIGHTLINE_DAILY_CAPS: '{"serpap": {}}' }, 'sources', 1, /"serpap" \(did you mean serpapi\?\)/],
    [{ SIGHTLINE_SERP_SOURCES: 'serpapy' }, 'sources', 1, /has "serpapy" \(did you mean serpapi\?\)/],
    [{ SIGHTLINE_SOURCES_OFF: 'traffic/modl' }, 'sources', 1, /which is no source \(did you mean traffic\/model\?\)/],
    [{ SIGHTLINE_LOG_LEVEL: 'loud' }, 'sources', 1, /^SIGHTLINE_LOG_LEVEL is "loud", but it must be one of/],
    [{ SIGHTLINE_LOGLEVEL: 'info' }, 'sources', 1, /looks like SIGHTLINE_LOG_LEVEL misspelt/],
    [{ ...fresh, SIGHTLINE_SECRET: 'short' }, 'serve --port 0', 1, /^SIGHTLINE_SECRET must have 16 characters/m],
    [{ SERPAPI_KEY: 'two\nlines' }, 'sources', 1, /^SERPAPI_KEY must be one line/],
    [{ DATAFORSEO_LOGIN: 'me' }, 'sources', 1, /^DATAFORSEO_LOGIN is set without DATAFORSEO_PASSWORD: set both/],
    [{ SEARXNG_URL: 'none' }, 'sources', 1, /^SEARXNG_URL is "none", but it must be an http\(s\) URL/],
    [{ SIGHTLINE_RELAYS: 'none.json' }, 'sources', 1, /^SIGHTLINE_RELAYS names a file that is not read: none\.json does not exist/],
    [{ SIGHTLINE_RELAYS: 'half.json' }, 'sources', 1, /^SIGHTLINE_RELAYS: the file is not JSON/],
    [{ SIGHTLINE_RELAYS: 'utf16.json' }, 'sources', 1, /the file is not JSON: it is not UTF-8: save it as UTF-8/],
    [{ SIGHTLINE_RELAYS: 'list.json' }, 'sources', 1, /^SIGHTLINE_RELAYS: \/relays must be a list/],
    [
      { SIGHTLINE_HOSTS: 'none.json' },
      'lookup registration a.com',
      1,
      /^SIGHTLINE_HOSTS names a file that is not read: none\.json does not exist\./,
    ],
    [{ SIGHTLINE_HOSTS: 'half.json' }, 'lookup registration a.com', 1, /^SIGHTLINE_HOSTS names half\.json, which is no JSON file/],
    [{ ...fresh, SIGHTLINE_CANARIES: 'stray.json' }, 'serve --port 0', 1, /^SIGHTLINE_CANARIES: \/canarys is not known/m],
    [{}, 'doctor --facts none.json', 1, /none\.json does not exist/],
    [{}, 'doctor --source registration/rdpa', 1, /did you mean registration\/rdap\?\): sightline sources/],
    [{}, 'relay try half.json', 1, /^half\.json: the file is not JSON/],
    [{}, 'relay try marked.json', 2, /^The file has no relay/],
    [{}, 'ranks update --list trnco', 2, /did you mean tranco\?/],
    [{}, 'ranks update --min-rows many', 2, /must be a whole number/],
    [{}, 'ranks update --list crux --file none.gz', 1, /^The list was not changed: none\.gz does not exist/],
    [{}, 'ranks update --list crux --file empty', 1, /^The list was not changed: the list holds only 0 rows: it is cut/],
    [{}, 'upgrade', 2, /--from FILE/],
    [store, 'export --for-audit empty', 1, /^--for-audit empty: that is a file\. Name a new folder\.$/m],
    [store, 'replay full', 1, /^full is a folder: name WARC files that/],
    [store, 'replay empty', 1, /^No capture is in empty: name WARC files that/],
    [store, 'export --for-audit full', 1, /the folder is not empty\. Name a new one/],
    [store, 'ledger verify --anchor none', 2, /^none does not exist/],
    [store, 'captures list --operation trafic', 2, /did you mean traffic\?/],
    [store, 'captures list --since yesterday', 2, /^--since is "yesterday": give an age/],
    [store, 'accounts rename acc_none x', 1, /^There is no account acc_none\.$/m],
    [store, 'accounts suspend ""', 1, /^accountId is "": give an id\.$/m],
    [store, 'accounts delete ..', 1, /^accountId is "\.\.": give an id\.$/m],
    [store, 'keys create --account ""', 1, /^There is no account "": its id begins with acc_\.$/m],
    [store, 'credits show --account " acc_1"', 1, /^There is no account " acc_1": its id begins with acc_\.$/m],
    [store, 'accounts usage key_1', 1, /^There is no account "key_1": its id begins with acc_, and this is the id of a key\.$/m],
    [store, 'keys revoke wat_1', 1, /^There is no key "wat_1": its id begins with key_, and this is the id of a watch\.$/m],
    [store, 'keys edit acc_1 --rate 5', 1, /^There is no key "acc_1": its id begins with key_, and this is the id of an account\.$/m],
    [store, 'clients revoke key_1', 1, /^There is no client "key_1": its id begins with cli_, and this is the id of a key\.$/m],
    [store, 'accounts create ""', 1, /needs a name of one line/],
    [store, 'keys create --account acc_none', 1, /^There is no account acc_none\.$/m],
    [store, 'keys create --credits-per-day -5', 1, /must be a whole number from 1 to/],
    [store, 'keys create --operations trafic', 1, /There is no operation "trafic" \(did you mean traffic\?\)/],
    [store, 'keys create --expires yesterday', 1, /yesterday is no date: write 2027-01-31/],
    [store, 'keys revoke key_none', 1, /^There is no key key_none\.$/m],
    [store, 'clients create --scopes forums', 1, /There is no scope "forums" \(did you mean forum\?\)/],
    [store, 'explain none', 1, /no request with the id or label none/],
    [store, 'console --account acc_none', 1, /^There is no account acc_none\.$/m],
    [{}, 'watch list', 2, /^Name the service: --url, or SIGHTLINE_URL/],
    [{ SIGHTLINE_URL: service.baseUrl }, 'watch list', 2, /^Set SIGHTLINE_API_KEY/],
    [{ ...client, SIGHTLINE_API_KEY: 'sl_no' }, 'watch list', 1, /^The credentials are not valid/],
    [{ SIGHTLINE_API_KEY: 'x' }, 'watch list --url 127.0.0.1:80', 2, /address of the service \(--url or SIGHTLINE_URL\) is not valid/],
    [{ ...client, SIGHTLINE_URL: 'http://nosuch.invalid' }, 'watch list', 1, /^No answer from http:\/\/nosuch\.invalid: ENOTFOUND/],
    [client, 'watch add registration domian=a.com --every 1d', 1, /"domian" \(did you mean domain\?\): this operation knows domain/],
    [client, 'watch add registration a.com --every 1d', 2, /write parameters as name=value/],
    [
      client,
      'watch add registration domain=a.com domain=b.com --every 1d',
      2,
      /^Parameter domain is given more than once: give it once\.$/m,
    ],
    [client, 'watch add registration domain=a.com --every 1d --budget abc', 2, /'--budget <credits>' argument 'abc' is invalid/],
    [client, 'watch add registration domain=a.com --every 1d --daily', 2, /^--daily says how targets are told: name them beside it\.$/m],
    [client, 'watch edit wat_1 --daily --notify none', 2, /^--daily says how targets are told/],
    [client, 'watch notify --daily', 2, /^--daily says how targets are told/],
    [client, 'watch notify --none https://a.example', 2, /^--none sends no messages: leave out the targets\.$/m],
    [client, 'watch import western.ndjson', 2, /^western\.ndjson is not valid UTF-8: save it as UTF-8\.$/m],
    [client, 'watch import western.txt --operation registration --every 7d', 2, /^western\.txt is not valid UTF-8/],
    [client, 'watch import line.ndjson --every 7d', 2, /^Without --operation each line is the body of a watch/],
    [client, 'watch import line.ndjson', 1, /^line\.ndjson, line 1: it is not JSON, .*a line is the body of a watch/],
    [client, 'watch show ""', 2, /^"" is no watch: give its id, wat_…\.$/m],
    [client, 'watch remove ..', 2, /^"\.\." is no watch: give its id/m],
    [client, 'watch show key_1', 1, /^Parameter watchId is "key_1", but it must be the id of a watch\.$/m],
    [client, 'watch changes --after zzz', 2, /"zzz" is not a whole number/],
    [client, 'watch notify slak=https://a.example', 1, /did you mean slack\?/],
    [{}, 'lookup serp keyword=shoes', 2, /^Parameters are options here: write --keyword "shoes"/],
    [
      {},
      'lookup serp keywrd=shoes',
      2,
      /^Parameters are options here: write --keyword "shoes" .* If it is the keyword itself: --keyword "keywrd=shoes"\.$/m,
    ],
    [{}, 'lookup serp shoes location=DE', 2, /parameters are options, written --name value/],
    [
      {},
      'lookup registration --domain a.com --domain b.com',
      2,
      /'--domain <domain>' argument 'b\.com' is invalid\. It is given more than once/,
    ],
    [
      store,
      'captures purge --operation registration --input domain=a.com --input domain=b.com',
      2,
      /^Parameter domain is given more than once/,
    ],
    [{}, 'lookup serp shoes --location Germany', 2, /did you mean DE\?/],
    [{}, 'bulk registration none.csv --local', 2, /^none\.csv does not exist\.$/m],
    [{}, 'bulk registraton good.csv --local', 2, /did you mean registration\?/],
    [{}, 'bulk registration misspelt.csv --local', 2, /"domian", which looks like domain misspelt/],
    [{}, 'bulk registration good.csv --local --yes -o good.csv', 2, /is the input itself/],
    [{}, 'bulk registration good.csv --local --yes -o ""', 2, /^--output is "": name a file/],
    [{}, 'bulk registration good.csv --local --yes -o none/a.csv', 2, /there is no folder/],
  ];
  assert.ok(mistakes.length >= 60);
  await Promise.all(
    mistakes.map(([environment, command, code, says]) =>
      t.test(command, async () => {
        const ran = await run(environment, command);
        assert.match(ran.error, says);
        assert.equal(ran.code, code, ran.error);
        assert.doesNotMatch(ran.error, /^\s+at .*:\d+|^\w*Error\b/m);
        const lines = ran.error.split('\n').filter((line) => line !== '' && !line.startsWith('{"level"') && !line.startsWith('('));
        assert.equal(lines.length, 1, ran.error);
      }),
    ),
  );
});

test('names that are near a variable of a provider are one line of warning, and a pasted key is read without its blanks', async () => {
  const { error, code } = await run({ SERPER_KYE: 'x', SIGHTLINE_PORT: '80' }, 'sources');
  assert.equal(code, 0);
  assert.match(error, /^warn: SERPER_KYE has no effect here, and looks like SERPER_KEY misspelt$/m);
  assert.match(error, /^warn: SIGHTLINE_PORT has no effect here: the setting is called PORT$/m);
  assert.equal(readSettings({ SERPAPI_KEY: ' abc\n' }).SERPAPI_KEY, 'abc');
  assert.equal(readSettings({ SERPAPI_KEY: ' \n' }).SERPAPI_KEY, null);
});

test('of two sources of one name each has its own state, also where a server says it', async () => {
  const lines = await new Promise<string>((resolve) => {
    const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: held };
    execFile(process.execPath, ['src/cli/main.ts', 'sources'], { env }, (_, out) => resolve(out));
  });
  assert.match(lines, /^appmarket\/page +app app-reviews .* In use /m);
  assert.match(lines, /^appmarket\/page +app-keywords +Off: SIGHTLINE_APPMARKET_SEARCH /m);
});

test('on a terminal the key is the last that serve prints', { skip: NO_TERMINAL }, async () => {
  const main = join(process.cwd(), 'src/cli/main.ts');
  const child = spawn('script', ['-qec', `${process.execPath} ${main} serve --port 0`, '/dev/null'], {
    cwd: folder,
    env: { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: join(folder, 'seen') },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let seen = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    seen += part;
    // Ctrl-C, once the key is there: what follows is its end
    if (/sl_\w+\s*\n/.test(seen)) child.stdin.end('\x03');
  }
  const [, after = ''] = /sl_\w+\s*\n([\s\S]*)$/.exec(seen) ?? [];
  assert.match(seen, /^ {2}sl_\w+\s*$/m);
  assert.doesNotMatch(after, /listening|registration\/rdap/, seen);
});
