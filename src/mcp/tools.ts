import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { Account, AccountPrice } from '../contract/account/schemas.ts';
import { ServiceError } from '../contract/errors.ts';
import { type Operation, operationList } from '../contract/operations/index.ts';
import { type Prices, priceInWords } from '../contract/prices.ts';
import type { ToolCalls, ToolTarget } from '../gateway/mcp/endpoint.ts';
import { type LookupArguments, objectOf, readArguments } from './arguments.ts';
import { ACCOUNT, GUIDANCE, PRICE } from './guidance.ts';
import { answered, failed } from './result.ts';
import { inputSchemaOf, type JsonSchema, mainListOf, NO_INPUT, outputSchemaOf, PRICE_INPUT, plainOutputOf, toolNameOf } from './schemas.ts';
import { shape } from './shape.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly target: ToolTarget;
  /** Never rejects. `signal`: aborted where the client has cancelled the call. */
  run(calls: ToolCalls, given: unknown, signal: AbortSignal): Promise<CallToolResult>;
}

const annotations = (title: string, openWorldHint: boolean): ToolAnnotations => ({
  title,
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint,
});

const orFailure = (work: () => Promise<CallToolResult>): Promise<CallToolResult> => work().catch(failed);

function lookupTool(operation: Operation, prices: Prices): Tool {
  const { title, use, avoid, fresh, limits, fails, nulls } = GUIDANCE[operation.id];
  const list = mainListOf(operation.resource);
  return {
    name: toolNameOf(operation.id),
    description: `${use} ${avoid} Cost: ${priceInWords(prices, operation)}. ${fresh} Limits: ${limits} ${fails} ${nulls}`,
    inputSchema: inputSchemaOf(operation),
    outputSchema: outputSchemaOf(operation.resource),
    annotations: annotations(title, true),
    target: { operation: operation.id },
    run: (calls, given, signal) =>
      orFailure(async () => {
        const { input, texts, understood, maxCredits, wish } = readArguments(operation, given);
        const cachedOnly = wish.cursor !== null;
        const answer = await calls.lookup({ operation, input, texts, maxCredits, cachedOnly, signal }).catch((error: unknown) => {
          if (cachedOnly && isNotCached(error))
            throw new ServiceError('NOT_CACHED', 'The answer that this cursor continues is no longer stored: call again without cursor.');
          throw error;
        });
        const { data, leftOut, nextCursor } = shape(answer.resource, list, wish);
        const { resource: _, unread, ...facts } = answer;
        const call = {
          ...facts,
          ...stated(understood),
          ...(unread.length && { unread: [...unread] }),
          ...(leftOut.length && { leftOut: [...leftOut] }),
          ...(nextCursor !== null && { nextCursor }),
        };
        return answered({ data, call }, true);
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
  run: (calls, given) =>
    orFailure(async () => {
      const { tool, arguments: meant } = objectOf(given);
      const operation = operationList.find(({ id }) => toolNameOf(id) === tool);
      if (!operation)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Argument tool must be one of ${operationList.map(({ id }) => toolNameOf(id)).join(', ')}.`,
        );
      const { texts, input, understood } = readArguments(operation, meant);
      return answered({ ...(await calls.price(operation, texts, input)), ...stated(understood) }, false);
    }),
};

const accountTool: Tool = {
  name: 'account',
  description: ACCOUNT.description,
  inputSchema: NO_INPUT,
  outputSchema: plainOutputOf(Account),
  annotations: annotations(ACCOUNT.title, false),
  target: { endpoint: 'account' },
  run: (calls) => orFailure(async () => answered({ ...(await calls.account()) }, false)),
};

/** Every tool, in the order in which it is listed: the account first, because a first call of it costs nothing. */
export const createTools = (prices: Prices): readonly Tool[] => [
  accountTool,
  priceTool,
  ...operationList.map((o) => lookupTool(o, prices)),
];
