/** Checks that every form must pass on a machine with nothing else installed; one function for all forms. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { filesIn } from './app-folder.ts';
import { VERSION } from './checksums.ts';

/** How a form is started: the command before the arguments of sightline, and the environment without ours. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

const DOMAINS = 'acme-widgets.com\nnever-asked-before.com\n';

export function runOnce(
  { command: [program, ...before], env }: Launch,
  args: readonly string[],
  input = '',
  more: Readonly<Record<string, string>> = {},
) {
  const { status, stdout, stderr } = spawnSync(program, [...before, ...args], {
    encoding: 'utf8',
    input,
    env: { ...env, ...more },
    timeout: 180_000,
  });
  return { status, stdout, stderr };
}

/** Starts a command that prints one JSON line once it listens. */
export async function start<T>(
  { command: [program, ...before], env }: Launch,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<{ facts: T; child: ChildProcess }> {
  const child = spawn(program, [...before, ...args, '--json'], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) return { facts: JSON.parse(line) as T, child };
  throw new Error(`${args.join(' ')} ended without a line`);
}

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], 'SIGTERM ends it with exit code 0');
}

const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer.status;
};

async function tryService(launch: Launch): Promise<void> {
  const { facts, child } = await start<{ baseUrl: string; apiKey: string }>(launch, ['serve'], {
    PORT: '0',
    SIGHTLINE_ADMIN_PORT: '0',
    SIGHTLINE_LOG_LEVEL: 'warn',
  });
  const page = await (await fetch(`${facts.baseUrl}/console`)).text();
  const script = /src="(\/console\/assets\/[^"]+)"/.exec(page)?.[1] ?? '/no-script';
  for (const path of ['/healthz', '/readyz', script, '/docs', '/openapi.json'])
    assert.equal(await statusOf(facts.baseUrl + path), 200, path);
  assert.equal(await statusOf(`${facts.baseUrl}/v1/account`, { 'x-api-key': facts.apiKey }), 200);
  await stop(child);
}

/** A client of this command lists the tools, calls one and reads a guide. */
export async function tryTools({ command: [program, ...args], env }: Launch): Promise<void> {
  const client = new Client({ name: 'try', version: '1' });
  await client.connect(new StdioClientTransport({ command: program, args, env: { ...env } }));
  const { tools } = await client.listTools();
  assert.ok(tools.length > 14, `${tools.length} tools`);
  const answer = await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } });
  assert.ok(!answer.isError, JSON.stringify(answer));
  const { resources } = await client.listResources();
  const guide = resources.find(({ uri }) => uri === 'sightline://docs/install.md');
  assert.ok(guide, 'the guides are inside');
  const { contents } = await client.readResource({ uri: guide.uri });
  assert.ok(JSON.stringify(contents).length > 1000);
  await client.close();
}

/** The bill of materials lists every package below the folder, and no other but the Node that the form brings. */
export function checkBill(text: string, folder: string, node: string | null): void {
  const { components } = JSON.parse(text) as { readonly components: readonly { readonly name: string; readonly version: string }[] };
  const listed = components.map(({ name, version }) => `${name}@${version}`).sort();
  const inside = filesIn(folder).flatMap((path) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path) ?? [];
    return name ? [`${name}@${(JSON.parse(readFileSync(join(folder, path), 'utf8')) as { version: string }).version}`] : [];
  });
  assert.ok(inside.length > 50, `${inside.length} packages`);
  assert.deepEqual(listed, [...new Set([...inside, ...(node ? [node] : [])])].sort());
}

/** Prints a line for each step, with its time. Throws where one fails. */
export async function tryProgram(name: string, launch: Launch): Promise<void> {
  const step = async (what: string, run: () => unknown): Promise<void> => {
    const begun = performance.now();
    await run();
    console.log(`${name}: ${what}, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  };
  const check = (args: readonly string[]): string => {
    const ran = runOnce(launch, args);
    assert.equal(ran.status, 0, `${args.join(' ')}\n${ran.stdout}\n${ran.stderr}`);
    return ran.stdout;
  };
  await step('first start', () => assert.equal(check(['--version']).trim(), VERSION));
  await step('later start', () => assert.equal(check(['--version']).trim(), VERSION));
  await step('demo --once', () => assert.match(check(['demo', '--once']), /registration +200/));
  await step('serve', () => tryService(launch));
  const { facts, child } = await start<{ baseUrl: string; apiKey: string }>(launch, ['demo'], {});
  await step('bulk', () => {
    const ran = runOnce(launch, ['bulk', 'registration', '-', '--yes'], DOMAINS, {
      SIGHTLINE_URL: facts.baseUrl,
      SIGHTLINE_API_KEY: facts.apiKey,
    });
    assert.equal(ran.status, 0, ran.stderr);
    assert.equal(ran.stdout.trim().split('\n').length, 2, ran.stdout);
  });
  await step('MCP over stdio', () =>
    tryTools({ command: [...launch.command, 'mcp', '--url', facts.baseUrl], env: { ...launch.env, SIGHTLINE_API_KEY: facts.apiKey } }),
  );
  await stop(child);
}
