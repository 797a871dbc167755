// Own process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts';
import { createServerFactory } from '../../src/mcp/server.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { KEY, type Rig, rig, settingsOf } from '../contract/fakes.ts';
import { addFixtures, createAnswerRouting, verifyState } from './conformance-fixtures.ts';

let service: Rig;
let url = '';
const folder = mkdtempSync(join(tmpdir(), 'sightline-mcp-'));

before(async () => {
  const bus = new InMemoryServerEventBus();
  const tools = createTools(settingsOf());
  const ours = createServerFactory({
    version: '0.0.0',
    tools,
    clock: realClock,
    pages: [],
    options: { requestState: { verify: verifyState } },
  });
  const routed = createAnswerRouting();
  const changed = (list: 'tools' | 'prompts') => bus.publish({ kind: `${list}_list_changed` });
  const endpoint = createMcpEndpoint({ tools, createServer: (calls) => routed(addFixtures(ours(calls), changed)), onError: () => {}, bus });
  service = rig({ parts: { loadMcp: async () => endpoint } });
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
function suite(revision: string): Promise<{ code: number | null; printed: string }> {
  const bin = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(process.execPath, [bin, 'server', '--url', url, '--requirements', revision, '--output-dir', join(folder, revision)]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })));
}

/** The scenarios of a server in the suite's own list. */
function requiredScenarios(revision: string): readonly string[] {
  const list = readFileSync(
    join(import.meta.dirname, `../../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`),
    'utf8',
  );
  const [, servers = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(list) ?? [];
  return servers.split('\n').flatMap((line) => (line ? [line.slice('  - '.length)] : []));
}

for (const [revision, scenarios] of [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const)
  test(`every scenario that conformance to ${revision} requires passes, without a file of expected failures`, async () => {
    const { code, printed } = await suite(revision);
    assert.equal(code, 0, printed);
    const required = requiredScenarios(revision);
    assert.equal(required.length, scenarios);
    assert.deepEqual(
      required.filter((name) => !new RegExp(`^✓ ${name}: \\d+ passed, 0 failed$`, 'm').test(printed)),
      [],
    );
  });
