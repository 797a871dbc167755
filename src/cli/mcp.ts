import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ToolCalls } from '../mcp/calls.ts';
import { createMcpService } from '../mcp/service.ts';
import { CLIENT, createClientCalls, createLocalCalls, withSessionCredits } from '../mcp/stdio-calls.ts';
import { realClock } from '../runtime/clock.ts';
import { readSettings } from '../settings.ts';
import { composeLookups } from './service.ts';
import { serviceClient } from './service-client.ts';
import { forTerminal, sayFrom } from './terminal.ts';

/** `sightline mcp`: the tools over standard input and output, until the input ends. Standard output belongs to the protocol. */
export async function mcp({ url }: { readonly url?: string }): Promise<void> {
  const { SIGHTLINE_API_KEY: apiKey, SIGHTLINE_URL: _, ...environment } = process.env;
  const settings = readSettings(environment);
  let close = async (): Promise<void> => {};
  let calls: ToolCalls;
  if (url === undefined) {
    const lookups = await composeLookups(settings, sayFrom(settings.SIGHTLINE_LOG_LEVEL));
    close = () => lookups.close();
    calls = createLocalCalls(lookups.orchestrator, settings, lookups.clock);
  } else {
    calls = createClientCalls(serviceClient(url, { SIGHTLINE_API_KEY: apiKey }, CLIENT), realClock.now);
  }
  const limit = settings.SIGHTLINE_MCP_MAX_CREDITS;
  if (limit !== null) calls = withSessionCredits(calls, limit);
  const { createServer } = createMcpService(settings, realClock);
  const session = serveStdio(() => createServer(calls), { onerror: (error) => process.stderr.write(`${forTerminal(error.message)}\n`) });
  const stop = async () => {
    await session.close();
    await close();
  };
  process.stdin.once('close', () => void stop());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 0));
    });
}
