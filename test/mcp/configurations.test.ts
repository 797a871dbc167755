// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
/** The configurations of docs/mcp.md, read as the clients read them: only the address, the key and the path of the program are replaced. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Running } from '../end-to-end/service.ts';
import { connectWith, contentOf, startSandboxService, type Way } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startSandboxService();
});
after(() => service.stop());

interface Server {
  readonly type?: 'http' | 'stdio';
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
}
interface Configuration {
  readonly mcpServers?: Readonly<Record<string, Server>>;
  readonly servers?: Readonly<Record<string, Server>>;
  readonly inputs?: readonly { readonly id: string; readonly type: string; readonly password: boolean }[];
}
const [, page = ''] = /^## Connect$([\s\S]*?)^## /m.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
const blocks = [...page.matchAll(/^### (.+)$|^```json\n([\s\S]*?)^```$/gm)].reduce<{ client: string; found: [string, string][] }>(
  ({ client, found }, [, heading, block]) => ({
    client: heading ?? client,
    found: block === undefined ? found : [...found, [client, block] as [string, string]],
  }),
  { client: '', found: [] },
).found;

test('there is a configuration for each client of the table that reads a file', () => {
  assert.deepEqual(
    blocks.map(([client]) => client),
    ['Claude Desktop', 'Cursor', 'VS Code', 'VS Code'],
  );
});

function wayOf(server: Server): Way {
  const { url, command = '' } = server;
  if (url !== undefined) {
    assert.equal(command, '');
    return { url, headers: server.headers ?? {} };
  }
  assert.ok(command.startsWith('/'), 'a client starts the command in a folder of its own: the path is absolute');
  return { command, args: server.args ?? [], env: { PATH: process.env.PATH ?? '', ...server.env } };
}

for (const [n, [client, block]] of blocks.entries())
  test(`${client}, configuration ${n + 1}: pasted with address, key and path it lists the tools and answers`, async (t) => {
    const text = block
      .replaceAll('https://sightline.example', service.baseUrl)
      .replaceAll('sl_…', service.key)
      .replaceAll('/opt/sightline', resolve('.'));
    const { mcpServers, servers, inputs } = JSON.parse(text) as Configuration;
    const server = (mcpServers ?? servers)?.sightline;
    assert.ok(server);
    // VS Code asks for the value of an input
    const [input] = inputs ?? [];
    const asked = input ? (JSON.parse(JSON.stringify(server).replaceAll(`\${input:${input.id}}`, service.key)) as Server) : server;
    if (input) assert.deepEqual([input.type, input.password], ['promptString', true]);
    for (const sdk of ['v1', 'v2'] as const) {
      const agent = await connectWith(sdk, wayOf(asked));
      t.after(() => agent.close());
      assert.equal((await agent.listTools()).tools.length, 21);
      const answer = contentOf(await agent.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } }));
      assert.equal(answer.data.domain, 'acme-widgets.com');
    }
  });
