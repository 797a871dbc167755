import { scopesOf, type Target } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { invalid, ServiceError } from '../contract/errors.ts';
import { type OperationId, operationOf } from '../contract/operations/index.ts';
import { ALL_SCOPES } from '../contract/scopes.ts';
import { demandKnownOrigin } from '../gateway/http/cors.ts';
import { demandWellFormedTexts, MAX_JSON_LEVELS } from '../gateway/http/request.ts';
import { leave, type RequestContext } from '../gateway/http/request-context.ts';
import type { ClosingRoute, RouteDependencies } from '../gateway/parts.ts';
import { readMaxCredits } from '../gateway/routes/lookup.ts';
import type { Admitted } from '../lookups/states.ts';
import { exceedsJsonLimits } from '../upstream/answer.ts';
import { smaller, type ToolTarget } from './calls.ts';
import { deliver } from './deliver.ts';
import { createToolCall, type ToolCall } from './http-calls.ts';
import type { McpEndpoint } from './service.ts';

const MCP_PATH = '/mcp';
const REQUEST_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];
const MAX_BODY_BYTES = 65_536;
/** No message of the protocol comes near, and each member costs time in the protocol's library. */
const MAX_MEMBERS = 1_000;
/** Status in usage and metrics of a call whose client was gone before its answer. */
const CLIENT_CLOSED = 499;
/** They are read here, and are no business of the protocol. */
const WITHHELD = new Set(['authorization', 'x-api-key', 'cookie', 'content-length', 'transfer-encoding', 'connection']);

/** A body that is no JSON, as JSON-RPC 2.0 has it. */
const NO_JSON = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: the body must be one JSON-RPC message as UTF-8 JSON, without a byte order mark.' },
};

/** `POST /mcp`. A tool call is admitted, charged and recorded like the same request over HTTP; other messages need credentials and no scope. */
export function createMcpRoute(
  routes: RouteDependencies,
  corsOrigins: ReadonlySet<string>,
  /** Called with the first request: a start does not need the protocol. */
  load: () => Promise<McpEndpoint> = () => loadService(routes),
): ClosingRoute {
  const { admission, responder } = routes;
  const { SIGHTLINE_PUBLIC_URL: publicUrl, SIGHTLINE_MCP_MAX_CREDITS: most } = routes.settings;
  let loaded: Promise<McpEndpoint> | null = null;

  async function serve(context: RequestContext): Promise<void> {
    demandKnownOrigin(context.request.headers.origin, corsOrigins, publicUrl);
    loaded ??= load();
    const endpoint = await loaded;
    const arrived = await admitByHeaders(context, endpoint);
    const text = await admission.readBody(context);
    const message = messageIn(text, endpoint);
    const target = message?.target ?? null;
    if (target) context.operation = target.id;
    const admitted = permitted(context, arrived, target?.id ?? message?.operation ?? null, message?.operation ?? null);
    // a subscription stays open for as long as its client wishes: a shutdown does not wait for it
    if (message?.method === 'subscriptions/listen') leave(context);
    const maxCredits = smaller(readMaxCredits(context.request.headers['x-max-credits']), most);
    const call = createToolCall(routes, context, admitted, maxCredits);
    try {
      const answer = message
        ? await endpoint.answer(protocolRequest(context, text), message.value, call)
        : Response.json(NO_JSON, { status: 400 });
      const delivered = await deliver(responder, context, answer, call);
      if (!delivered) giveUp(context);
      const status = delivered ? (call.error?.status ?? answer.status) : CLIENT_CLOSED;
      end(context, status, call.error, target !== null);
      endParts(call, delivered ? 200 : CLIENT_CLOSED);
    } catch (thrown) {
      giveUp(context);
      endParts(call, CLIENT_CLOSED);
      throw thrown;
    }
  }

  function end(context: RequestContext, status: number, error: ServiceError | null, isLookup: boolean): void {
    responder.conclude(context, status, error);
    const cache = context.lookup?.facts.cache ?? null;
    if (cache !== null && status === 200) routes.metrics.cache(context.operation, cache);
    if (isLookup) responder.report(context, status, error?.message ?? null);
  }

  /** `status`: of those that were answered. */
  function endParts({ parts }: ToolCall, status: number): void {
    for (const { context, error } of parts) {
      if (status !== 200) giveUp(context);
      end(context, error?.status ?? status, error, true);
    }
  }

  /** Limits and credentials, by the headers alone. */
  async function admitByHeaders(context: RequestContext, endpoint: McpEndpoint): Promise<Admitted<Caller>> {
    try {
      return await admission.admitCaller(context, 'any');
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.failure !== 'UNAUTHORIZED') throw thrown;
      throw withScope(thrown, targetInHeaders(context, endpoint));
    }
  }

  /** A tool that these credentials may not use: an HTTP error if a token with another scope would help, otherwise a tool error for the model. */
  function permitted(
    context: RequestContext,
    admitted: Admitted<Caller>,
    target: Target | null,
    named: OperationId | null,
  ): Admitted<Caller> | ServiceError {
    try {
      if (target) admission.demandPermission(context, admitted.caller, target, named);
      return admitted;
    } catch (thrown) {
      const error = responder.refusalOf(context, thrown);
      if (error.headers['www-authenticate'] !== undefined) throw error;
      return error;
    }
  }

  function refuse(context: RequestContext, error: ServiceError): void {
    if (context.response.headersSent) {
      // the hold expired within a stream: the client sees that its answer is not complete
      context.response.destroy();
      responder.conclude(context, error.status, error);
    } else responder.refuse(context, error);
    responder.report(context, error.status, error.message);
  }

  return {
    route: {
      methods: ['POST'],
      path: MCP_PATH,
      operation: 'mcp',
      requestHeaders: REQUEST_HEADERS,
      maxBodyBytes: MAX_BODY_BYTES,
      serve,
      refuse,
    },
    async close() {
      await (await loaded)?.close();
    },
  };
}

async function loadService({ settings, clock, log }: RouteDependencies): Promise<McpEndpoint> {
  const { createServiceEndpoint } = await import('./service.ts');
  return createServiceEndpoint(settings, clock, (error) =>
    log.debug({ err: error }, 'a message of the Model Context Protocol was refused'),
  );
}

/** The answer was not delivered, and is not charged. */
function giveUp(context: RequestContext): void {
  context.charged = null;
  if (context.lookup) context.remaining = context.lookup.cancel();
}

/** The tool that the headers name (revision 2026-07-28); null: another message, or an earlier revision. */
function targetInHeaders({ request: { headers } }: RequestContext, endpoint: McpEndpoint): ToolTarget | null {
  const name = headers['mcp-name'];
  return headers['mcp-method'] === 'tools/call' && typeof name === 'string' ? endpoint.targetOf(name) : null;
}

/** The scopes that the message needs as far as its headers say, for the client's next token request (RFC 6750, 3). */
function withScope(error: ServiceError, target: ToolTarget | null): ServiceError {
  const challenge = error.headers['www-authenticate'] ?? 'Bearer';
  const scope = target === null ? ALL_SCOPES.join(' ') : scopesOf(target.id).join(' ');
  return new ServiceError('UNAUTHORIZED', error.message, { ...error.headers, 'www-authenticate': `${challenge}, scope="${scope}"` });
}

function messageIn(text: string, endpoint: McpEndpoint) {
  if (exceedsJsonLimits(text, MAX_JSON_LEVELS, MAX_MEMBERS))
    throw invalid(`A message has ${MAX_JSON_LEVELS} levels and ${MAX_MEMBERS} members and elements at most.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  demandWellFormedTexts(text, value);
  if (Array.isArray(value)) throw invalid('The body is a batch: send one JSON-RPC message in each request (no batches since 2025-06-18).');
  const { method, params } = (value ?? {}) as {
    method?: unknown;
    params?: { name?: unknown; arguments?: { operation?: unknown; tool?: unknown } };
  };
  const tool = method === 'tools/call' && typeof params?.name === 'string' ? params.name : null;
  // models know operations by the names of their tools; `tool` is the name of an earlier version
  const { operation: named, tool: namedBefore } = params?.arguments ?? {};
  const meant = named ?? namedBefore;
  const operation = typeof meant === 'string' ? (operationOf(meant.replaceAll('_', '-'))?.id ?? null) : null;
  return { value, method, target: tool === null ? null : endpoint.targetOf(tool), operation };
}

/** The request without its credentials. Its signal aborts where the client closes the connection before the end of the answer. */
function protocolRequest({ request, response }: RequestContext, body: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !WITHHELD.has(name)) headers.set(name, value);
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
  if (response.destroyed) closed.abort();
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, body, signal: closed.signal });
}
