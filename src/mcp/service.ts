import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerContext, ServerEventBus, ServerOptions, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { OpenApiOptions } from '../contract/openapi/document.ts';
import type { Clock } from '../runtime/clock.ts';
import { ROOT, VERSION } from '../runtime/installation.ts';
import type { Settings } from '../settings.ts';
import type { ToolCalls, ToolTarget, Waiting } from './calls.ts';
import { INSTRUCTIONS } from './guidance.ts';
import type { JsonSchema } from './schemas.ts';
import type { Tool } from './tool.ts';
import { createTools } from './tools.ts';

export type McpEndpoint = ReturnType<typeof createMcpEndpoint>;

/** The protocol's handler, with a server for each request that knows its caller. `onError`: failures beside the answers. `bus`: changes of lists. */
export function createMcpEndpoint(
  tools: readonly Tool[],
  createServer: (calls: ToolCalls) => McpServer,
  onError: (error: Error) => void,
  bus?: ServerEventBus,
) {
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
    targetOf: (tool: string): ToolTarget | null => targets.get(tool) ?? null,
    /** Answers one message. `calls` are made for its caller. */
    answer(request: Request, message: unknown, calls: ToolCalls): Promise<Response> {
      callsOf.set(request, calls);
      return handler.fetch(request, message === undefined ? {} : { parsedBody: message });
    },
    close: (): Promise<void> => handler.close(),
  };
}

export function createMcpService(settings: Settings, clock: Clock) {
  const { SIGHTLINE_PRICES: prices, SIGHTLINE_PUBLIC_URL: publicUrl } = settings;
  const tools = createTools(settings);
  return { tools, createServer: createServerFactory(tools, createPages({ publicUrl, prices }), clock) };
}

export function createServiceEndpoint(settings: Settings, clock: Clock, onError: (error: Error) => void): McpEndpoint {
  const { tools, createServer } = createMcpService(settings, clock);
  return createMcpEndpoint(tools, createServer, onError);
}

/** Tools and pages change with the version of the service alone. */
const LIST_TTL_MS = 3_600_000;

/** Publishes a schema without checking arguments against it: the readers of the contract do, with messages that name the cure. */
const published = (schema: JsonSchema): StandardSchemaWithJSON<unknown> => ({
  '~standard': {
    version: 1,
    vendor: 'sightline',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
});

function progressNotifier({ _meta, notify }: ServerContext['mcpReq']): Waiting['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return null;
  // where the client is gone the signal of its call aborts, which stops progress notifications
  return (progress) => notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => undefined);
}

/** Makes servers of the protocol: one for each request over HTTP, or for each connection over stdio. `options`: further ones of the protocol's library. */
export function createServerFactory(
  tools: readonly Tool[],
  pages: ReturnType<typeof createPages>,
  clock: Clock,
  options?: Pick<ServerOptions, 'requestState'>,
) {
  const prepared = tools.map(({ name, description, inputSchema, outputSchema, annotations, run }) => ({
    name,
    run,
    config: { description, inputSchema: published(inputSchema), outputSchema: fromJsonSchema({ ...outputSchema }), annotations },
  }));
  const cacheHint = { ttlMs: LIST_TTL_MS, cacheScope: 'public' as const };
  return (calls: ToolCalls): McpServer => {
    const server = new McpServer(
      { name: 'sightline', title: 'Sightline', version: VERSION },
      {
        ...options,
        instructions: INSTRUCTIONS,
        capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
        cacheHints: { 'tools/list': cacheHint, 'resources/list': cacheHint, 'resources/read': cacheHint, 'server/discover': cacheHint },
      },
    );
    for (const { name, config, run } of prepared)
      server.registerTool(name, config, (given, { mcpReq }) =>
        // only requests since 2026-07-28 have an envelope; the revisions before want the answer as text, too
        run(calls, given, { clock, signal: mcpReq.signal, report: progressNotifier(mcpReq), twice: mcpReq.envelope === undefined }),
      );
    for (const { name, uri, title, mimeType, read } of pages)
      server.registerResource(name, uri, { title, mimeType }, async () => ({ contents: [{ uri, mimeType, text: await read() }] }));
    return server;
  };
}

const DOCS = join(ROOT, 'docs');

function createPages(options: OpenApiOptions) {
  const openApi = {
    name: 'openapi',
    uri: 'sightline://openapi.json',
    title: 'OpenAPI description',
    mimeType: 'application/json',
    read: async () => JSON.stringify((await import('../contract/openapi/document.ts')).describe(options)),
  };
  const docs = readdirSync(DOCS)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.md'.length);
      return {
        name,
        uri: `sightline://docs/${file}`,
        title: `Docs: ${name}`,
        mimeType: 'text/markdown',
        read: () => readFile(join(DOCS, file), 'utf8'),
      };
    });
  return [openApi, ...docs];
}
