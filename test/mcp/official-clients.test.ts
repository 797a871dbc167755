// Few in a process: it waits for processes that it starts.
// In the gate alone: it runs the clients and the suite of the protocol.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { codeOf, ERRORS, type ErrorName, ServiceError } from '../../src/contract/errors.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createServiceEndpoint } from '../../src/mcp/service.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { KEY, type Rig, refused, rig, settingsOf } from '../contract/fakes.ts';
import type { Running } from '../end-to-end/service.ts';
import { connectWith, contentOf, errorIn, exampleCalls, programOf, SDKS, startSandboxService, type Way } from './mcp-client.ts';

let sandbox: Running;
let service: Rig;
let url = '';
before(async () => {
  sandbox = await startSandboxService();
  service = rig({
    parts: {
      createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), realClock, () => {})),
    },
  });
  await service.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(service.gateway.app.server.address() as AddressInfo).port}`;
});
after(async () => {
  await service.gateway.drain();
  await sandbox.stop();
});

const waysTo = (baseUrl: string, key: string): [string, Way][] => [
  ['HTTP', { url: `${baseUrl}/mcp`, headers: { 'x-api-key': key } }],
  ['stdio', programOf(['--url', baseUrl], { SIGHTLINE_API_KEY: key })],
];

for (const sdk of SDKS)
  for (const how of ['HTTP', 'stdio'])
    test(`client ${sdk} over ${how}: every tool answers within its output schema, and every error is read`, async (t) => {
      const [, way] = waysTo(sandbox.baseUrl, sandbox.key).find(([name]) => name === how) ?? [];
      assert.ok(way);
      const agent = await connectWith(sdk, way);
      t.after(() => agent.close());
      const { tools } = await agent.listTools();
      const priced = { name: 'price', arguments: { operation: 'registration', parameters: { domain: 'a.com' } } };
      const watch = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '1d', creditsPerMonth: 31 };
      const edit = { watch: '', due: [10] };
      const watching = [watch, edit, {}, {}].map((given, i) => ({
        name: ['watch_add', 'watch_edit', 'watch_list', 'watch_changes'][i] ?? '',
        arguments: given,
      }));
      const many = { name: 'lookup_many', arguments: { operation: 'traffic', inputs: [{ domain: 'acme-widgets.com' }, {}] } };
      const calls = [...exampleCalls, many, { name: 'account', arguments: {} }, priced, ...watching];
      assert.deepEqual(new Set(calls.map(({ name }) => name)), new Set(tools.map(({ name }) => name)));
      for (const call of calls) {
        const result = await agent.callTool(call);
        assert.ok(!('isError' in result), `${call.name}: ${JSON.stringify(result)}`);
        assert.ok(Object.keys(contentOf(result)).length > 1, call.name);
        if (call.name === 'watch_add') edit.watch = String(Object(contentOf(result)).watchId);
      }

      const [, failing] = waysTo(url, KEY).find(([name]) => name === how) ?? [];
      assert.ok(failing);
      const unlucky = await connectWith(sdk, failing);
      t.after(() => unlucky.close());
      for (const { name } of calls.filter((call) => call.name !== 'account')) {
        const { code, message } = errorIn(await unlucky.callTool({ name, arguments: { colour: 'red' } }));
        assert.deepEqual([code, message.length > 20], ['INVALID_REQUEST', true], name);
      }
      for (const name of Object.keys(ERRORS) as ErrorName[]) {
        service.script = async () => refused(new ServiceError(name, 'What was wrong, and the cure.', { 'retry-after': '6' }));
        const error = errorIn(await unlucky.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } }));
        assert.deepEqual(
          [error.code, error.message, error.retryable, error.retryAfterSeconds],
          [codeOf(name), 'What was wrong, and the cure.', ERRORS[name].retryable !== false, 6],
        );
      }
    });
