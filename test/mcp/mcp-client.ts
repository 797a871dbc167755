import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { toolNameOf } from '../../src/mcp/schemas.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

/** The service with every source of the sandbox. */
export const startSandboxService = (more: Record<string, string> = {}): Promise<Running> => startWhole({ ...SANDBOX_SETTINGS, ...more });

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
