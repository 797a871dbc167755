import type { Inputs, Operation, OperationId } from '../../contract/operations/index.ts';
import { good, type Read, readInput } from '../../contract/parameters/parameter.ts';
import { readQuery } from '../http/query.ts';

const MAX_ENTRIES = 2000;
const MAX_URL_CHARACTERS = 512;

type Input = Inputs[OperationId];

/** The input of a request target, path and query as received. The same target always gives the same input. */
function read(operation: Operation, params: Readonly<Record<string, string>>, url: string): Read<Input> {
  const query = readQuery(url);
  if (!query.ok) return query;
  const input = readInput(operation.parameters, [...Object.entries(params), ...query.value]);
  // the parameters of an operation give its input
  return input.ok ? good(Object.freeze(input.value) as Input) : input;
}

/** Reads inputs, and caches those of recent targets, so that a repeated request is not parsed again. Errors are not cached. */
export function createInputReader(): typeof read {
  const known = new Map<string, Input>();
  return (operation, params, url) => {
    const before = known.get(url);
    if (before) return good(before);
    const input = read(operation, params, url);
    if (input.ok && url.length <= MAX_URL_CHARACTERS) {
      if (known.size >= MAX_ENTRIES) known.clear();
      known.set(url, input.value);
    }
    return input;
  };
}
