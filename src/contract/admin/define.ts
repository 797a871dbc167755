import type { Static, TSchema, TUnsafe } from 'typebox';
import { list, text } from '../schema.ts';

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;
export type ValueOf<S extends TSchema> = Frozen<Static<S>>;

type Fields = Readonly<Record<string, TSchema>>;
type InputOf<R extends Fields, O extends Fields> = { readonly [K in keyof R]: ValueOf<R[K]> } & { readonly [K in keyof O]?: ValueOf<O[K]> };

/** JSON Schema of an action's fields: no others are accepted. */
export interface FieldsSchema {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Fields;
  readonly additionalProperties: false;
}

/** The fields of an action. Path parameters, such as `{accountId}`, are fields too. */
export const fields = <const R extends Fields, const O extends Fields = Record<never, never>>(required: R, optional = {} as O) =>
  ({
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  }) as FieldsSchema as FieldsSchema & TUnsafe<InputOf<R, O>>;
/** Fields that may all be left out. */
export const options = <const O extends Fields>(optional: O) => fields({}, optional);
export const NO_FIELDS = fields({});
/** A text without control characters: PostgreSQL stores no NUL. */
export const line = (description: string) => ({ ...text(description), maxLength: 500, pattern: '^\\P{Cc}*$' });
export const lines = (description: string) => ({ ...list(line(''), description), maxItems: 200 });
/** Field of an action on the only account, or on the one that it names. */
export const ACCOUNT = { accountId: line('account; may be left out where there is only one') };

export interface AdminAction {
  /** One sentence for help and documentation, lower case. */
  readonly summary: string;
  /** Requests of the admin API, such as `GET /accounts/{accountId}`: clients send the first one whose path parameters they have. */
  readonly requests: readonly string[];
  /** The command, with its arguments: `accounts rename <accountId> <name>`. Other fields are options. Without it: none, or one of its own. */
  readonly command?: string;
  readonly input: TSchema & FieldsSchema;
  readonly answer: TSchema;
  readonly maxBytes?: number;
  /** Who may, beside the operator: a session, on the keys of its account. `manager`: its key manages keys, or a link opened it; `unlimited manager`: without limits. */
  readonly session?: 'any' | 'manager' | 'unlimited manager';
  readonly operatorFields?: readonly string[];
}

export const defineActions = <const T extends Readonly<Record<string, AdminAction>>>(table: T): T => table;

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly inPath: readonly string[];
  /** The other fields: the body, or the query of GET. */
  readonly fields: FieldsSchema;
}

export const without = ({ required, properties, ...rest }: FieldsSchema, names: readonly string[]): FieldsSchema => ({
  ...rest,
  required: required.filter((name) => !names.includes(name)),
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
});

export const requestsOf = ({ requests, input }: AdminAction): readonly AdminRequest[] =>
  requests.map((request) => {
    const [method, path] = request.split(' ') as [AdminRequest['method'], string];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
    return { method, path, inPath, fields: without(input, inPath) };
  });
