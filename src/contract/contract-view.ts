import { codeOf, ERRORS, type ErrorName } from './errors.ts';
import { areaList, type Operation, operationList, type Prices, priceInWords } from './operations/index.ts';
import { PRESENTATIONS } from './operations/presentations.ts';
import type { Parameter } from './parameters/parameter.ts';
import type { Shape } from './resource-fields.ts';
import { tableForm } from './tables.ts';

/** What a form field needs of a parameter. Patterns are left out: the price endpoint reads every value with the service's own reader. */
export type ParameterView = ReturnType<typeof parameterView>;
function parameterView({ name, in: place, required, description, example, pasted, codes, default: usual, schema }: Parameter) {
  const { type = 'string', enum: values }: Shape = schema;
  return {
    ...{ name, in: place, required, description, example },
    /** A pasted address may stand for the value: `GET /console/api/pasted` reads it. */
    pasted: pasted !== undefined,
    codes: codes ?? null,
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
  /** Fields that a watch counts unless others are asked for. */
  watched: operation.watch.fields as readonly string[],
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

/** Of `GET /console/api/ways`: an operation and the sources that may answer it, in the order in which they are asked. */
export interface OperationWays {
  readonly id: string;
  /** Whether one of them is configured. */
  readonly ready: boolean;
  /** Parameters of a lookup whose thing exists here: at the platforms, or on the simulated platforms; null: none is known. */
  readonly example: Readonly<Record<string, string>> | null;
  readonly sources: readonly {
    readonly name: string;
    readonly about: string;
    /** Settings that keep it from being asked; none: it is in use. */
    readonly lacking: readonly string[];
    /** Whether all that it lacks can be entered in the operator's console. */
    readonly byKey: boolean;
    /** Its name for people. */
    readonly provider: string;
    /** What its provider gives free, `always` where it costs nothing, and what it takes; null: not known. */
    readonly free: string | null;
    readonly price: string | null;
    /** Fields that its documented example states; empty: not compared. */
    readonly states: readonly string[];
    /** Day on which the platform ends its interface; null: none is announced. */
    readonly endsOn: string | null;
    /** Why it is off until a setting switches it on; null: for no reason but what it lacks. */
    readonly offBecause: string | null;
  }[];
}

/** `GET /setup`, as long as nobody claimed the installation. */
export interface SetupState {
  /** RFC 3339; null: the code is that of SIGHTLINE_SETUP_CODE, which does not expire. */
  readonly expiresAt: string | null;
  /** The code expired, or too many wrong ones were tried. */
  readonly over: boolean;
  /** Credits that the first account begins with. */
  readonly freeCredits: number;
}
/** `POST /setup`: what the claim made. Each key is in this answer alone. */
export interface SetupResult {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly operatorKey: string;
  /** Address of the operator's console, as the service knows it. */
  readonly operatorUrl: string;
}

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
