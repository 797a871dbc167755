import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { toolNameOf } from '../../src/mcp/schemas.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

/** The service with every source of the sandbox. */
export const startHouse = (more: Record<string, string> = {}): Promise<Running> => startWhole({ ...SANDBOX_SETTINGS, ...more });

export type Revision = 'legacy' | 'auto';

/** The SDK's own client. `mode`: `legacy` speaks 2025-11-25, `auto` the newest revision that the server has. */
export async function connect(baseUrl: string, headers: Record<string, string>, mode: Revision = 'auto'): Promise<Client> {
  const client = new Client({ name: 'sightline-test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  return client;
}

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
