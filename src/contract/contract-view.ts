import { codeOf, ERRORS, type ErrorName } from './errors.ts';
import { areaList, type Operation, operationList, type Prices, priceInWords } from './operations/index.ts';
import { PRESENTATIONS } from './operations/presentations.ts';
import type { Parameter } from './parameters/parameter.ts';
import type { Shape } from './resource-fields.ts';
import { tableForm } from './tables.ts';

/** What a form field needs of a parameter. Patterns are left out: the price endpoint reads every value with the service's own reader. */
export type ParameterView = ReturnType<typeof parameterView>;
function parameterView({ name, in: place, required, description, example, pasted, default: usual, schema }: Parameter) {
  const { type = 'string', enum: values }: Shape = schema;
  return {
    ...{ name, in: place, required, description, example },
    /** A pasted address may stand for the value: `GET /console/api/pasted` reads it. */
    pasted: pasted !== undefined,
    default: typeof usual === 'string' || typeof usual === 'number' ? usual : null,
    schema: { type, ...(values && { enum: values }) },
  };
}

export type OperationView = ReturnType<typeof operationView>;
const operationView = (operation: Operation, prices: Prices) => ({
  id: operation.id as string,
  name: PRESENTATIONS[operation.id].name,
  icon: PRESENTATIONS[operation.id].icon,
  area: operation.area.id as string,
  path: operation.path,
  summary: operation.summary,
  parameters: operation.parameters.map(parameterView) as readonly ParameterView[],
  price: priceInWords(prices, operation),
  resourceName: operation.resourceName,
  deadlineMs: operation.deadline.ms,
  tables: { entries: tableForm(operation, 'entries'), paid: tableForm(operation, 'paid') },
});

/** The answer of `GET /console/api/contract`: the contract as the forms of the console need it. */
export type ContractView = ReturnType<typeof contractView>;
/** `entrance`: which one serves it; the sign-in asks for its credential. Pure. */
export const contractView = (prices: Prices = {}, entrance: 'account' | 'operator' = 'account') => ({
  entrance,
  areas: areaList.map(({ id }) => ({ id: id as string })),
  operations: operationList.map((operation) => operationView(operation, prices)),
  errors: (Object.keys(ERRORS) as ErrorName[]).map((name) => ({
    code: codeOf(name),
    status: ERRORS[name].status,
    retryable: ERRORS[name].retryable,
    words: ERRORS[name].words,
  })),
});

/** `GET /console/api/session`: the session of the console. Times are RFC 3339. */
export interface ConsoleSession {
  readonly kind: 'account' | 'operator';
  readonly accountId: string | null;
  /** Name of the account; null for the operator. */
  readonly name: string | null;
  /** The key that opened the session and with which it ends; null: opened by a one-time code. */
  readonly keyId: string | null;
  /** The key has limits: the session has them too, and sees this key only. */
  readonly limited: boolean;
  /** It may change keys: a link opened it, or a key that manages keys. */
  readonly manages: boolean;
  readonly createdAt: string;
  /** When it ends unless it is used before. */
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
}

/** `GET /console/api/sessions`: the sessions that this one may end, newest first. */
export interface ConsoleSessions {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly createdAt: string;
    readonly lastUsedAt: string;
    readonly expiresAt: string;
    readonly current: boolean;
  }[];
}
