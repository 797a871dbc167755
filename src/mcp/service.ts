import type { McpEndpoint } from '../gateway/mcp/endpoint.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import { createMcpEndpoint } from './endpoint.ts';
import { createPages } from './resources.ts';
import { createServerFactory } from './server.ts';
import { createTools } from './tools.ts';

/** The endpoint of a service with these settings. */
export function createServiceEndpoint(settings: Settings, clock: Clock, onError: (error: Error) => void): McpEndpoint {
  const { SIGHTLINE_PRICES: prices, SIGHTLINE_PUBLIC_URL: publicUrl } = settings;
  const tools = createTools(settings);
  const createServer = createServerFactory({ version: VERSION, tools, clock, pages: createPages({ publicUrl, prices }) });
  return createMcpEndpoint({ tools, createServer, onError });
}
