// Few in a process: it waits for processes that it starts.
// In the gate alone: packages of test/outside with a lock file of their own.
/** The conformance suite of the Model Context Protocol. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createMcpEndpoint, createServerFactory } from '../../src/mcp/service.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { KEY, type Rig, rig, settingsOf } from '../contract/fakes.ts';
import { addFixtures, createAnswerRouting, verifyState } from '../mcp/conformance-fixtures.ts';
import { startSandboxService } from '../mcp/mcp-client.ts';

const skip = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "outside": the suite has a lock file of its own';

let service: Rig;
let url = '';
const folder = mkdtempSync(join(tmpdir(), 'sightline-mcp-'));

before(async () => {
  const bus = new InMemoryServerEventBus();
  const tools = createTools(settingsOf());
  const ours = createServerFactory(tools, [], realClock, { requestState: { verify: verifyState } });
  const routed = createAnswerRouting();
  const changed = (list: 'tools' | 'prompts') => bus.publish({ kind: `${list}_list_changed` });
  const endpoint = createMcpEndpoint(
    tools,
    (calls) => routed(addFixtures(ours(calls), changed)),
    () => {},
    bus,
  );
  service = rig({ parts: { createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => endpoint) } });
  // the suite sends no credentials
  service.gateway.app.server.prependListener('request', (request) => {
    request.headers['x-api-key'] = KEY;
  });
  await service.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://localhost:${(service.gateway.app.server.address() as AddressInfo).port}/mcp`;
});
after(async () => {
  await service.gateway.drain();
  rmSync(folder, { recursive: true, force: true });
});

/** The suite's own program: exit code and what it printed. */
function suite(at: string, choice: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const bin = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(process.execPath, [bin, 'server', '--url', at, ...choice, '--output-dir', join(folder, choice.join('-'))]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })));
}

/** The scenarios of a server in the suite's own list. */
function requiredScenarios(revision: string): readonly string[] {
  const list = readFileSync(
    join(import.meta.dirname, `node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`),
    'utf8',
  );
  const [, servers = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(list) ?? [];
  return servers.split('\n').flatMap((line) => (line ? [line.slice('  - '.length)] : []));
}

for (const [revision, scenarios] of [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const)
  test(`every scenario that conformance to ${revision} requires passes, without a file of expected failures`, { skip }, async () => {
    const { code, printed } = await suite(url, ['--requirements', revision]);
    assert.equal(code, 0, printed);
    const required = requiredScenarios(revision);
    assert.equal(required.length, scenarios);
    assert.deepEqual(
      required.filter((name) => !new RegExp(`^✓ ${name}: \\d+ passed, 0 failed$`, 'm').test(printed)),
      [],
    );
  });

/** Scenarios that ask for no tool, resource or prompt by a fixed name. */
const WITHOUT_FIXTURES = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
test('the service as it is passes the scenarios that need no fixture, with its own tools', { skip }, async (t) => {
  const whole = await startSandboxService();
  t.after(() => whole.stop());
  const { hostname, port } = new URL(whole.baseUrl);
  // the suite sends no credentials: they are added on the way
  const relay = createHttpServer((asked, answer) => {
    const headers = { ...asked.headers, 'x-api-key': whole.key };
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  t.after(() => relay.close());
  const at = `http://localhost:${(relay.address() as AddressInfo).port}/mcp`;
  for (const scenario of WITHOUT_FIXTURES) {
    const { code, printed } = await suite(at, ['--scenario', scenario]);
    assert.equal(code, 0, `${scenario}\n${printed}`);
    assert.match(printed, /0 failed/, printed);
  }
});
