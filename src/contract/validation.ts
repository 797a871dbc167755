import type { TSchema } from 'typebox';

/** The position of the first mismatch as a JSON pointer ('' for the whole value), and its reason. */
export interface Fault {
  readonly at: string;
  readonly why: string;
}

/** The used part of TypeBox's validator, without the type of its schema. */
interface Validator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [boolean, readonly { readonly instancePath: string; readonly message: string }[]];
}

/** Loads the compiler, which the start does not need: with the first value, or earlier while the process is idle. */
export const loadCompiler = () => import('typebox/schema');

/** A check against a schema: null if the value matches. The schema is compiled with the first value. */
export function faultFinder(schema: TSchema): (value: unknown) => Promise<Fault | null> {
  let validator: Validator | null = null;
  return async (value) => {
    validator ??= (await loadCompiler()).Compile(schema);
    if (validator.Check(value)) return null;
    const [first] = validator.Errors(value)[1];
    return { at: first?.instancePath ?? '', why: first?.message ?? 'does not match the schema' };
  };
}
