import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { toolNameOf } from '../../src/mcp/schemas.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** The service with every source of the sandbox. */
export const startSandboxService = (more: Record<string, string> = {}, options: { readonly apps?: boolean } = {}): Promise<Running> =>
  startWhole({ ...SANDBOX_SETTINGS, ...more }, options);

export type Revision = 'legacy' | 'auto';

/** The SDK's own client. `mode`: `legacy` speaks 2025-11-25, `auto` the newest revision that the server has. */
export async function connect(baseUrl: string, headers: Record<string, string>, mode: Revision = 'auto'): Promise<Client> {
  const client = new Client({ name: 'sightline-test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  return client;
}

/** An official client: the SDK of version 1 speaks 2025-11-25 and checks results against output schemas, that of version 2 speaks both revisions. */
export type Sdk = 'v1' | 'v2' | 'v2 of 2025-11-25';
export const SDKS: readonly Sdk[] = ['v1', 'v2', 'v2 of 2025-11-25'];
export type Way =
  | { readonly url: string; readonly headers: Record<string, string> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
/** What a host does with a client. */
export interface Agent {
  listTools(): Promise<{ tools: { name: string; description?: string | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }, onprogress?: (progress: Progress) => void): Promise<object>;
  close(): Promise<void>;
}

/** Connects as a host does: the tools are listed before one is called. */
export async function connectWith(sdk: Sdk, way: Way): Promise<Agent> {
  const self = { name: 'sightline-test', version: '1' };
  let agent: Agent;
  if (sdk === 'v1') {
    const client = new ClientOfV1(self);
    await client.connect(
      'url' in way
        ? new HttpOfV1(new URL(way.url), { requestInit: { headers: way.headers } })
        : new StdioOfV1({ ...way, stderr: 'ignore' }),
    );
    agent = {
      listTools: () => client.listTools(),
      callTool: (call, onprogress) => client.callTool(call, undefined, onprogress && { onprogress }),
      close: () => client.close(),
    };
  } else {
    const client = new Client(self, { versionNegotiation: { mode: sdk === 'v2' ? 'auto' : 'legacy' } });
    await client.connect(
      'url' in way
        ? new StreamableHTTPClientTransport(new URL(way.url), { requestInit: { headers: way.headers } })
        : new StdioClientTransport({ ...way, stderr: 'ignore' }),
    );
    agent = {
      listTools: () => client.listTools(),
      callTool: (call, onprogress) => client.callTool(call, onprogress && { onprogress }),
      close: () => client.close(),
    };
  }
  await agent.listTools();
  return agent;
}

/** `sightline mcp` as a program that a client starts. */
export const programOf = (args: readonly string[], env: Record<string, string>): Way => ({
  command: process.execPath,
  args: ['src/cli/main.ts', 'mcp', ...args],
  env: { ...CHILD_ENVIRONMENT, ...env },
});

/** Every operation as a tool call with the examples of the contract. */
export const exampleCalls = operationList.map(({ id, parameters }) => ({
  name: toolNameOf(id),
  arguments: Object.fromEntries(parameters.filter((p) => p.required).map((p) => [p.name, p.example])),
}));

export interface Answered {
  readonly data: Readonly<Record<string, unknown>>;
  readonly call: Readonly<Record<string, unknown>> & { readonly credits: number; readonly receipt: string | null };
}
/** The structured content of an answer. */
export const contentOf = (result: { structuredContent?: unknown }): Answered => result.structuredContent as Answered;

export interface Failed {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  readonly charged: number | null;
}
/** The error of a result, as a model reads it: one text and nothing else. */
export function errorIn(result: unknown): Failed {
  const { isError, content, structuredContent } = result as { isError?: boolean; content: { text: string }[]; structuredContent?: unknown };
  assert.deepEqual([isError, content.length, structuredContent], [true, 1, undefined]);
  return JSON.parse(content[0]?.text ?? '');
}

/** Credits that the service says were charged; asked again while a charge or its row is still being written. */
export async function chargedAt(service: Running, expected: number): Promise<number> {
  let sum = -1;
  for (let tries = 0; tries < 200 && sum !== expected; tries++) {
    const { body } = await service.get('/v1/account/ledger?limit=1000');
    sum = body.entries.reduce(
      (total: number, { kind, credits }: { kind: string; credits: number }) => (kind === 'capture' ? total - credits : total),
      0,
    );
  }
  return sum;
}
