import type { TSchema } from 'typebox';

/** Where a value does not match, as a JSON pointer ('' for the whole), and why. */
export interface Fault {
  readonly at: string;
  readonly why: string;
}

/** What is used of TypeBox's validator, without its schema's type. */
interface Validator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [boolean, readonly { readonly instancePath: string; readonly message: string }[]];
}

/** The compiler is not needed to start: it is loaded with the first value, or before it while the process is idle. */
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
