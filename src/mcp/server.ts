import {
  fromJsonSchema,
  McpServer,
  type ServerContext,
  type ServerOptions,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Clock } from '../runtime/clock.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import type { ToolCalls } from './calls.ts';
import { INSTRUCTIONS } from './guidance.ts';
import type { Page } from './resources.ts';
import type { JsonSchema } from './schemas.ts';
import type { Tool } from './tools.ts';
import type { Waiting } from './waiting.ts';

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

/** Tells the client of progress where it asks for it. */
function progressNotifier({ _meta, notify }: ServerContext['mcpReq']): Waiting['report'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return null;
  // where the client is gone the signal of its call aborts, which ends the telling
  return (progress) => notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => undefined);
}

/** Makes servers of the protocol: one for each request over HTTP, or for each connection over stdio. `options`: further ones of the protocol's library. */
export function createServerFactory(
  tools: readonly Tool[],
  pages: readonly Page[],
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
