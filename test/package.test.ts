// Own process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/** Looks up a page of more than 64 KiB, which is parsed in a thread: prints status and whether a parser thread ran. Then loads the console. */
const LARGE_ANSWER = `
  import { subscribe } from 'node:diagnostics_channel';
  import { appmarket } from './node_modules/sightline/dist/sandbox/appmarket/host.js';
  import { startSandbox } from './node_modules/sightline/dist/sandbox/sandbox.js';
  import { startService } from './node_modules/sightline/dist/src/cli/serve.js';
  import { readSettings } from './node_modules/sightline/dist/src/settings.js';
  import { silent } from './node_modules/sightline/dist/src/telemetry/log.js';
  const threads = [];
  subscribe('worker_threads', ({ worker }) => threads.push(worker.threadName));
  const answer = async (request) => {
    const page = await appmarket.answer(request);
    return { ...page, body: page.body + ' '.repeat(100_000) };
  };
  const sandbox = await startSandbox({ hosts: [{ origins: appmarket.origins, answer }], whois: [] });
  const settings = readSettings({ PORT: '0', SIGHTLINE_DATA_DIR: 'data', SIGHTLINE_HOSTS: sandbox.mapFile, SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000' });
  const service = await startService(settings, { log: silent });
  const { key } = await service.accounts.admin.ensureFirstAccount();
  const response = await fetch(service.baseUrl + '/v1/appmarket/apps/acme-reviews', { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  const page = await (await fetch(service.baseUrl + '/console')).text();
  const script = await fetch(service.baseUrl + page.match(/src="(\\/console\\/assets\\/[^"]+)"/)[1]);
  await script.arrayBuffer();
  await service.stop();
  await sandbox.close();
  console.log(JSON.stringify({ status: response.status, parser: threads.includes('parser'), console: script.headers.get('content-type') }));
`;

/** A program of a user: with types, without those of Node. */
const CLIENT = `
  import { type ErrorCode, Sightline, SightlineError } from 'sightline/client';
  const client = new Sightline({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', maxRetries: 0 });
  // @ts-expect-error there is no such parameter
  client.forum.comments({ post: 'a' }).catch(() => {});
  const found: boolean | ErrorCode = await client.registration.domain({ domain: 'a.example' }).then(
    ({ available }) => available,
    (error: unknown) => (error instanceof SightlineError ? error.code : false),
  );
  console.log(String(found));
`;
const TSC = [
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--moduleResolution',
  'nodenext',
  '--strict',
  '--lib',
  'es2024,dom',
  '--skipLibCheck',
];

test('the published package runs from its tarball, as JavaScript under node_modules', () => {
  const box = mkdtempSync(join(tmpdir(), 'sightline-package-'));
  try {
    // a copy, so that no dist/ stays in the checkout
    const copy = join(box, 'checkout');
    for (const part of [
      'bin',
      'src',
      'sandbox',
      'tsconfig.json',
      'tools',
      'docs',
      'package.json',
      'tsconfig.json',
      '.npmrc',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'openapi.json',
    ])
      cpSync(part, join(copy, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    npm(copy, 'run', '--silent', 'package');
    npm(copy, 'pack', '--pack-destination', box);
    const tarball = readdirSync(box).find((f) => f.endsWith('.tgz'));
    assert.ok(tarball);
    const user = join(box, 'user');
    cpSync('.npmrc', join(user, '.npmrc'));
    writeFileSync(join(user, 'package.json'), '{"private":true}');
    npm(user, 'install', '--prefer-offline', join(box, tarball));
    const files = readdirSync(join(user, 'node_modules/sightline'), { recursive: true }) as string[];
    assert.deepEqual(
      files.filter((f) => /(?<!\.d)\.tsx?$/.test(f)),
      [],
      'no TypeScript is published: Node refuses it there',
    );
    assert.deepEqual(
      files.filter((f) => /\.test\.|fixtures|\/expected\.|(^|\/)test\//.test(f) && !f.includes('node_modules')),
      [],
      'no tests, no fixtures and no helpers of tests are published',
    );
    const run = (...args: string[]) =>
      execFileSync('npx', ['--no-install', 'sightline', ...args], {
        cwd: user,
        encoding: 'utf8',
        env: { ...process.env, SIGHTLINE_DATA_DIR: join(box, 'data') },
      });
    assert.match(run('--version'), /^\d+\.\d+\.\d+/);
    assert.match(run('sources'), /registration\/rdap/);
    const answers = run('demo', '--once');
    assert.match(answers, /registration +200 +1/, answers);
    writeFileSync(join(user, 'client.mts'), CLIENT);
    execFileSync(resolve('node_modules/.bin/tsc'), [...TSC, 'client.mts'], { cwd: user, stdio: ['ignore', 'inherit', 'inherit'] });
    assert.equal(execFileSync('node', ['client.mjs'], { cwd: user, encoding: 'utf8' }), 'CONNECTION_FAILED\n');
    writeFileSync(join(user, 'large-answer.mjs'), LARGE_ANSWER);
    const large = execFileSync(process.execPath, ['large-answer.mjs'], { cwd: user, encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual(JSON.parse(large), { status: 200, parser: true, console: 'text/javascript; charset=utf-8' });
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
});
