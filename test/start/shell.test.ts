// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
/** What a shell meets: completions, and Ctrl-C. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-shell-'));
/** A service that accepts connections and never answers. */
const silent = createServer();
let url = '';
before(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
after(() => {
  silent.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The candidates for the last word, as the scripts of the shells ask for them. */
const completions = (words: readonly string[]): string[] =>
  execFileSync('bin/sightline.mjs', ['complete', '--', ...words], { encoding: 'utf8', env: CHILD_ENVIRONMENT })
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith(':') ? [] : [line.split('\t')[0] ?? '']));

test('the script of each shell is valid where the shell is installed', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = execFileSync('bin/sightline.mjs', ['complete', shell], { encoding: 'utf8', env: CHILD_ENVIRONMENT });
    assert.match(script, /sightline complete --/);
    if (shell === 'bash') execFileSync('bash', ['-n'], { input: script });
  }
});

test('the tab key completes commands, subcommands and values of options', () => {
  assert.deepEqual(completions(['ser']), ['serve']);
  assert.ok(completions(['ledger', '']).includes('verify'));
  assert.deepEqual(completions(['bulk', 'serp', 'file', '--format', '']), ['ndjson', 'csv']);
});

const started: ChildProcess[] = [];
after(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
});
function run(args: readonly string[]): ChildProcess {
  const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: join(folder, `data-${started.length}`), SIGHTLINE_API_KEY: 'sl_x' };
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  started.push(child);
  return child;
}
writeFileSync(join(folder, 'domains.txt'), 'a.com\nb.com\n');

/** Commands, and whether they are at work when they print or when they connect. */
const COMMANDS: readonly (readonly [words: string, args: () => readonly string[], workFrom: 'output' | 'connection'])[] = [
  ['serve', () => ['serve', '--json', '--port', '0'], 'output'],
  ['demo', () => ['demo', '--json'], 'output'],
  ['lookup', () => ['lookup', 'registration', 'a.com', '--url', url], 'connection'],
  ['bulk', () => ['bulk', 'registration', join(folder, 'domains.txt'), '--url', url, '--yes'], 'connection'],
  ['mcp', () => ['mcp'], 'output'],
];
for (const [name, args, workFrom] of COMMANDS)
  test(`Ctrl-C ends ${name} with 130`, async () => {
    const connected = once(silent, 'connection');
    const child = run(args());
    const exit = once(child, 'exit');
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    if (name === 'mcp') child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
    await (workFrom === 'connection' ? connected : once(child.stdout as NodeJS.ReadableStream, 'data'));
    child.kill('SIGINT');
    const [code, signal] = await exit;
    // a shell shows 130 for a program that the signal itself ended
    assert.equal(signal === 'SIGINT' ? 130 : code, 130);
  });
