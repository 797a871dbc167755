import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { Account, AccountPrice } from '../contract/account/schemas.ts';
import { ServiceError } from '../contract/errors.ts';
import { type Operation, operationList } from '../contract/operations/index.ts';
import { priceInWords } from '../contract/prices.ts';
import type { ToolCalls, ToolTarget } from '../gateway/mcp/endpoint.ts';
import type { Clock } from '../runtime/clock.ts';
import { deadlineOf, type Settings } from '../settings.ts';
import { type LookupArguments, objectOf, readArguments } from './arguments.ts';
import { ACCOUNT, GUIDANCE, PRICE } from './guidance.ts';
import { answered, failed } from './result.ts';
import { inputSchemaOf, type JsonSchema, mainListOf, NO_INPUT, outputSchemaOf, PRICE_INPUT, plainOutputOf, toolNameOf } from './schemas.ts';
import { shape } from './shape.ts';
import { type Waiting, waitFor } from './waiting.ts';

/** One call of a client. */
export interface ToolContext {
  readonly clock: Clock;
  /** Aborted where the client has cancelled the call. */
  readonly signal: AbortSignal;
  readonly tell: Waiting['tell'];
  /** The result has the answer as an object and as text. */
  readonly twice: boolean;
}
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly target: ToolTarget;
  /** Never rejects. */
  run(calls: ToolCalls, given: unknown, context: ToolContext): Promise<CallToolResult>;
}

const annotations = (title: string, openWorldHint: boolean): ToolAnnotations => ({
  title,
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint,
});

const orFailure = (work: () => Promise<CallToolResult>): Promise<CallToolResult> => work().catch(failed);

function lookupTool(operation: Operation, settings: Settings): Tool {
  const { title, use, avoid, fresh, limits, fails, nulls } = GUIDANCE[operation.id];
  const list = mainListOf(operation.resource);
  const deadlineMs = deadlineOf(operation, settings);
  return {
    name: toolNameOf(operation.id),
    description: `${use} ${avoid} Cost: ${priceInWords(settings.SIGHTLINE_PRICES, operation)}. Takes ${deadlineMs / 1000} s at most. ${fresh} Limits: ${limits} ${fails} ${nulls}`,
    inputSchema: inputSchemaOf(operation),
    outputSchema: outputSchemaOf(operation.resource),
    annotations: annotations(title, true),
    target: { operation: operation.id },
    run: (calls, given, { clock, signal, tell, twice }) =>
      orFailure(async () => {
        const { input, texts, understood, maxCredits, patienceMs, wish } = readArguments(operation, given);
        const cachedOnly = wish.cursor !== null;
        const lookup = { operation, input, texts, maxCredits, cachedOnly, signal };
        const answer = await waitFor(calls, lookup, { clock, deadlineMs, patienceMs, tell }).catch(async (error: unknown) => {
          if (!cachedOnly || !isNotCached(error)) throw error;
          const { charge } = await calls.price(operation, texts, input);
          const cost = charge === 1 ? '1 credit' : `${charge} credits`;
          throw new ServiceError(
            'NOT_CACHED',
            `The answer that this cursor continues is no longer stored: call again without cursor, which costs ${cost}.`,
          );
        });
        const { data, leftOut, nextCursor } = shape(answer.resource, list, wish, twice);
        const { resource: _, unread, ...facts } = answer;
        const call = {
          ...facts,
          ...stated(understood),
          ...(unread.length && { unread: [...unread] }),
          ...(leftOut.length && { leftOut: [...leftOut] }),
          ...(nextCursor !== null && { nextCursor }),
        };
        return answered({ data, call }, { untrusted: true, twice });
      }),
  };
}

const stated = (understood: LookupArguments['understood']) => Object.keys(understood).length > 0 && { understood };

/** Both the error of a service and that of its client have the code. */
const isNotCached = (error: unknown): boolean =>
  error instanceof Error && ('failure' in error ? error.failure === 'NOT_CACHED' : 'code' in error && error.code === 'NOT_CACHED');

const priceTool: Tool = {
  name: 'price',
  description: PRICE.description,
  inputSchema: PRICE_INPUT,
  outputSchema: plainOutputOf(AccountPrice),
  annotations: annotations(PRICE.title, false),
  target: { endpoint: 'account-price' },
  run: (calls, given, { twice }) =>
    orFailure(async () => {
      const { tool, arguments: meant } = objectOf(given);
      const operation = operationList.find(({ id }) => toolNameOf(id) === tool);
      if (!operation)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Argument tool must be one of ${operationList.map(({ id }) => toolNameOf(id)).join(', ')}.`,
        );
      const { texts, input, understood } = readArguments(operation, meant);
      return answered({ ...(await calls.price(operation, texts, input)), ...stated(understood) }, { untrusted: false, twice });
    }),
};

const accountTool: Tool = {
  name: 'account',
  description: ACCOUNT.description,
  inputSchema: NO_INPUT,
  outputSchema: plainOutputOf(Account),
  annotations: annotations(ACCOUNT.title, false),
  target: { endpoint: 'account' },
  run: (calls, _, { twice }) => orFailure(async () => answered({ ...(await calls.account()) }, { untrusted: false, twice })),
};

/** Every tool, in the order in which it is listed: the account first, because a first call of it costs nothing. */
export const createTools = (settings: Settings): readonly Tool[] => [
  accountTool,
  priceTool,
  ...operationList.map((o) => lookupTool(o, settings)),
];
