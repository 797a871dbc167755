import type { TSchema } from 'typebox';
import { OPERATIONS, type OperationId } from '../contract/operations/index.ts';
import { faultFinder } from '../contract/validation.ts';

export type Check = (operation: OperationId, resource: unknown) => Promise<string | null>;

/** Checks resources against the contract's schemas, compiled on first use. Null if valid, else the fault with its path (for the log). */
export function createCheck(): Check {
  const finders = new Map<TSchema, ReturnType<typeof faultFinder>>();
  return async (operation, resource) => {
    const schema = OPERATIONS[operation].resource;
    let faultOf = finders.get(schema);
    if (!faultOf) {
      faultOf = faultFinder(schema);
      finders.set(schema, faultOf);
    }
    const fault = await faultOf(resource);
    return fault && `${fault.at || '/'} ${fault.why}`;
  };
}
