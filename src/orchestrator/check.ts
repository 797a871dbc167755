import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { OPERATIONS, type OperationId } from '../contract/operations.ts';

/** Checks resources against the contract's schemas, compiled on first use. Null where it fits, else where and why it does not (for the log). */
export function createCheck(): (operation: OperationId, resource: unknown) => string | null {
  const validators = new Map<TSchema, Validator>();
  return (operation, resource) => {
    const schema = OPERATIONS[operation].resource;
    let validator = validators.get(schema);
    if (!validator) {
      validator = Compile(schema) as unknown as Validator;
      validators.set(schema, validator);
    }
    if (validator.Check(resource)) return null;
    const [first] = validator.Errors(resource);
    return first ? `${first.instancePath || '/'} ${first.message}` : 'does not fit the schema';
  };
}
