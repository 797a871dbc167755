import { createMcpHandler, type McpServer, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { ToolCalls, ToolTarget } from './calls.ts';
import { createPages } from './resources.ts';
import { createServerFactory } from './server.ts';
import { createTools, type Tool } from './tools.ts';

/** Turns messages of the protocol into tool calls. */
export interface McpEndpoint {
  /** Null: there is no such tool. */
  targetOf(tool: string): ToolTarget | null;
  /** Answers one message. `calls` are made for its caller. */
  answer(request: Request, message: unknown, calls: ToolCalls): Promise<Response>;
  /** Ends open streams. */
  close(): Promise<void>;
}

/**
 * The protocol's own handler, with a server for each request that knows its caller. `onError`: what the protocol's library reports beside its
 * answers. `bus`: changes of lists, for clients that listen; default: there are none.
 */
export function createMcpEndpoint(
  tools: readonly Tool[],
  createServer: (calls: ToolCalls) => McpServer,
  onError: (error: Error) => void,
  bus?: ServerEventBus,
): McpEndpoint {
  const targets = new Map(tools.map(({ name, target }) => [name, target]));
  const callsOf = new WeakMap<Request, ToolCalls>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const calls = requestInfo && callsOf.get(requestInfo);
      if (!calls) throw new Error('a request of the protocol has no caller');
      return createServer(calls);
    },
    { onerror: onError, ...(bus && { bus }) },
  );
  return {
    targetOf: (tool) => targets.get(tool) ?? null,
    answer(request, message, calls) {
      callsOf.set(request, calls);
      return handler.fetch(request, message === undefined ? {} : { parsedBody: message });
    },
    close: () => handler.close(),
  };
}

/** Tools, and servers of the protocol, of a service with these settings. */
export function createMcpService(settings: Settings, clock: Clock) {
  const { SIGHTLINE_PRICES: prices, SIGHTLINE_PUBLIC_URL: publicUrl } = settings;
  const tools = createTools(settings);
  return { tools, createServer: createServerFactory(tools, createPages({ publicUrl, prices }), clock) };
}

/** The endpoint of a service with these settings. */
export function createServiceEndpoint(settings: Settings, clock: Clock, onError: (error: Error) => void): McpEndpoint {
  const { tools, createServer } = createMcpService(settings, clock);
  return createMcpEndpoint(tools, createServer, onError);
}
