import { type Input, OPERATIONS, type OperationId } from '../../src/contract/operations/index.ts';

/** The input that an operation makes of the examples of its required parameters, with the defaults of the others. */
export function exampleInput<Id extends OperationId>(id: Id): Input<Id> {
  const required = OPERATIONS[id].parameters.filter((parameter) => parameter.required);
  const read = OPERATIONS[id].readInput(required.map(({ name, example }) => [name, String(example)] as const));
  if (!read.ok) throw new Error(`${id}: ${read.why}`);
  return read.value as Input<Id>;
}
