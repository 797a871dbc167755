import type { TSchema } from 'typebox';
import { type InputOf, type Parameter, readInput } from '../parameters/parameter.ts';
import type { Read } from '../parameters/value-types.ts';
import type { DescribedParameter } from './operation-parameters.ts';

export type Pair = readonly [string, string];

/** An endpoint of the caller's own account. `readInput` is declared as a method, so that every endpoint is assignable to `Endpoint`. */
export interface Endpoint<Id extends string, Input> {
  readonly id: Id;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Further query parameters, which the endpoint reads itself. */
  readonly rest?: readonly DescribedParameter[];
  /** An example of the CSV response (RFC 4180), if the endpoint has one. */
  readonly csv?: string;
  /** Name of the resource's schema in the OpenAPI description. */
  readonly resourceName: string;
  readonly resource: TSchema;
  readInput(given: readonly Pair[]): Read<Input>;
}

type Definition<Id extends string, P extends readonly Parameter[], R extends TSchema> = Omit<Endpoint<Id, unknown>, 'readInput'> & {
  readonly parameters: P;
  readonly resource: R;
};
/** The input of an endpoint: its parameters, and the further ones as `rest`. */
export type EndpointInput<P extends readonly Parameter[]> = InputOf<P[number]> & { readonly rest: readonly Pair[] };

export const defineEndpoint = <const Id extends string, const P extends readonly Parameter[], const R extends TSchema>(
  definition: Definition<Id, P, R>,
): Endpoint<Id, EndpointInput<P>> => ({
  ...definition,
  readInput(given) {
    const isRest = ([name]: Pair) => definition.rest !== undefined && !definition.parameters.some((p) => p.name === name);
    const input = readInput(
      definition.parameters,
      given.filter((pair) => !isRest(pair)),
    );
    return input.ok ? { ok: true, value: { ...input.value, rest: given.filter(isRest) } } : input;
  },
});
