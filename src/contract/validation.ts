import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/schema';

/** Where a value does not fit, as a JSON pointer ('' for the whole), and why. */
export interface Fault {
  readonly at: string;
  readonly why: string;
}

/** A start needs no compiler: it is loaded with the first value, or before it while nobody waits. */
export const loadCompiler = () => import('typebox/schema');

/** A check against a schema, null where the value fits. Compiled with the first value. */
export function faultFinder(schema: TSchema): (value: unknown) => Promise<Fault | null> {
  let validator: Validator | null = null;
  return async (value) => {
    validator ??= (await loadCompiler()).Compile(schema) as unknown as Validator;
    if (validator.Check(value)) return null;
    const [first] = validator.Errors(value)[1];
    return { at: first?.instancePath ?? '', why: first?.message ?? 'does not fit the schema' };
  };
}
