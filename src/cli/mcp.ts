import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ToolCalls } from '../gateway/mcp/endpoint.ts';
import { createClientCalls } from '../mcp/client-calls.ts';
import { createLocalCalls } from '../mcp/local-calls.ts';
import { createPages } from '../mcp/resources.ts';
import { createServerFactory } from '../mcp/server.ts';
import { withSessionCredits } from '../mcp/session-credits.ts';
import { createTools } from '../mcp/tools.ts';
import { realClock } from '../runtime/clock.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { readSettings } from '../settings.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import { composeLookups } from './service.ts';
import { forTerminal, say } from './terminal.ts';

/** `sightline mcp`: the tools over standard input and output, until the input ends. Standard output belongs to the protocol. */
export async function mcp({ url }: { readonly url?: string }): Promise<void> {
  const { SIGHTLINE_API_KEY: apiKey, SIGHTLINE_URL: _, ...environment } = process.env;
  const settings = readSettings(environment);
  let close = async (): Promise<void> => {};
  let calls: ToolCalls;
  if (url === undefined) {
    const lookups = await composeLookups(settings, (level, message, facts) => say.log(settings.SIGHTLINE_LOG_LEVEL, level, message, facts));
    close = () => lookups.close();
    calls = createLocalCalls(lookups.orchestrator, settings, lookups.clock);
  } else {
    if (!apiKey) throw new OperatorError('SIGHTLINE_API_KEY is not set: --url needs the API key of an account of that service.');
    try {
      calls = createClientCalls(url, apiKey, realClock.now);
    } catch (error) {
      throw new OperatorError((error as Error).message);
    }
  }
  const limit = settings.SIGHTLINE_MCP_MAX_CREDITS;
  if (limit !== null) calls = withSessionCredits(calls, limit);
  const { SIGHTLINE_PRICES: prices, SIGHTLINE_PUBLIC_URL: publicUrl } = settings;
  const createServer = createServerFactory({
    version: VERSION,
    tools: createTools(settings),
    clock: realClock,
    pages: createPages({ publicUrl, prices }),
  });
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
