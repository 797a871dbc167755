import type { TSchema } from 'typebox';
import { type Named, named } from '../operations/define.ts';
import { type Operation, operationList } from '../operations/index.ts';
import type { InputOf, Parameter, Read, ValueType } from '../parameters/parameter.ts';
import { integerOf, oneOfTexts, optional, readInput, unknownParameter, withDefault } from '../parameters/parameter.ts';
import { record } from '../schema.ts';
import type { EndpointId } from './demands.ts';

export type Pair = readonly [string, string];

/** An endpoint of the caller's own account. `readInput` is declared as a method, so that every endpoint is assignable to `Endpoint`. */
export interface Endpoint<Id extends string, Input> {
  readonly id: Id;
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly rest?: readonly DescribedParameter[];
  /** Schema of the JSON body, by its name in the OpenAPI description, and its size where it may be larger than others; default: no body. */
  readonly body?: { readonly name: string; readonly schema: TSchema; readonly maxBytes?: number };
  /** It makes a lookup, which is charged like any other. Default: the endpoint is free. */
  readonly isCharged?: true;
  /** An example of each form of the answer beside JSON: CSV (RFC 4180), NDJSON, a page. `Accept` or `format` chooses. */
  readonly texts?: { readonly [type in 'text/csv' | 'application/x-ndjson' | 'text/html']?: string };
  /** Parameters of the answer as JSON alone, and of the page alone: beside another form they are refused. */
  readonly jsonOnly?: readonly string[];
  readonly htmlOnly?: readonly string[];
  /** Status of the answer; default: 200. A 201 says in `Location` where the new resource is; a 204 has no body. */
  readonly status?: 201 | 204;
  /** Headers of the answer beside those of all account endpoints. */
  readonly headers?: readonly string[];
  /** The endpoint with whose answer the description shows this one; default: its own. */
  readonly exampleOf?: string;
  readonly resourceName: string;
  readonly resource: TSchema;
  readInput(given: readonly Pair[]): Read<Input>;
}

type Definition<Id extends string, P extends readonly Parameter[]> = Omit<
  Endpoint<Id, unknown>,
  'readInput' | 'resource' | 'resourceName'
> & { readonly parameters: P; readonly resource: Named<TSchema> };
export type EndpointInput<P extends readonly Parameter[]> = InputOf<P[number]> & { readonly rest: readonly Pair[] };

export const defineEndpoint = <const Id extends EndpointId, const P extends readonly Parameter[]>({
  resource,
  ...definition
}: Definition<Id, P>): Endpoint<Id, EndpointInput<P>> => ({
  ...definition,
  ...named(resource),
  readInput(given) {
    const isRest = ([name]: Pair) => definition.rest !== undefined && !definition.parameters.some((p) => p.name === name);
    const input = readInput(
      definition.parameters,
      given.filter((pair) => !isRest(pair)),
    );
    if (input.ok) return { ok: true, value: { ...input.value, rest: given.filter(isRest) } };
    // most likely one of its own, misspelt
    const known = [...definition.parameters, ...(definition.rest ?? [])].map(({ name }) => name);
    const [stray] = given.find((pair) => isRest(pair) && !known.includes(pair[0])) ?? [];
    return stray === undefined ? input : unknownParameter(stray, known);
  },
});

export type DescribedParameter = Pick<Parameter, 'name' | 'in' | 'required' | 'description' | 'example' | 'schema' | 'default'>;

interface Use {
  readonly operation: Operation;
  readonly parameter: Parameter;
}
const distinct = <T>(values: readonly T[]): readonly T[] => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];

function schemaOfAny(schemas: readonly Parameter['schema'][]): Parameter['schema'] {
  const [first = {}, ...others] = distinct(schemas);
  if (others.length === 0) return first;
  const enums = [first, ...others].map((schema) => (schema as { readonly enum?: readonly string[] }).enum);
  if (enums.every((values) => values !== undefined)) return { type: 'string', enum: distinct(enums.flat()) };
  const { type } = first as { readonly type?: string };
  return { ...(type !== undefined && { type }), anyOf: [first, ...others] };
}

const parameterDescriptions = (uses: readonly Use[]): string =>
  distinct(uses.map(({ parameter }) => parameter.description))
    .map((words) => {
      const ids = uses.filter(({ parameter }) => parameter.description === words).map(({ operation }) => `\`${operation.id}\``);
      return `${ids.join(', ')}: ${words}`;
    })
    .join(' ');

const uses = operationList.flatMap((operation) => operation.parameters.map((parameter): Use => ({ operation, parameter })));

/** The parameters of all operations as query parameters, one for each name: its schema accepts what one of the operations accepts. */
export const operationParameters: readonly DescribedParameter[] = distinct(uses.map(({ parameter }) => parameter.name)).map((name) => {
  const named = uses.filter(({ parameter }) => parameter.name === name);
  const example = named[0]?.parameter.example ?? '';
  const schema = schemaOfAny(named.map(({ parameter }) => parameter.schema));
  return { name, in: 'query', required: false, description: parameterDescriptions(named), example, schema };
});

/** The resource of an endpoint whose answer has no body. */
export const NoContent = record({});

export const limit = (maximum: number, usual: number) => withDefault('limit', integerOf(1, maximum), usual, 'Entries of a page.');
export const format = <const V extends readonly string[]>(...values: V) => {
  const description = 'Format of the answer; without it `Accept` decides.';
  return optional('format', oneOfTexts(values), description, 'csv');
};
export const MUST_BE_AFTER = 'must be the after of the page before';
export const afterOf = <T>(type: ValueType<T>, example: string, description = 'Cursor: `after` of the page before.') =>
  optional('after', type, description, example);
