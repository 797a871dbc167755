import { createMcpHandler, type McpServer, type ServerEventBus } from '@modelcontextprotocol/server';
import type { McpEndpoint, ToolCalls } from '../gateway/mcp/endpoint.ts';
import type { Tool } from './tools.ts';

export interface EndpointParts {
  readonly tools: readonly Tool[];
  readonly createServer: (calls: ToolCalls, request: Request) => McpServer;
  /** What the protocol's library reports beside its answers. */
  readonly onError: (error: Error) => void;
  /** Changes of lists, for clients that listen; default: there are none. */
  readonly bus?: ServerEventBus;
}

/** The endpoint of the gateway: the protocol's own handler, with a server for each request that knows its caller. */
export function createMcpEndpoint({ tools, createServer, onError, bus }: EndpointParts): McpEndpoint {
  const targets = new Map(tools.map(({ name, target }) => [name, target]));
  const callsOf = new WeakMap<Request, ToolCalls>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const calls = requestInfo && callsOf.get(requestInfo);
      if (!calls) throw new Error('a request of the protocol has no caller');
      return createServer(calls, requestInfo);
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
