import type { Input, Operation } from '../../contract/operations/index.ts';
import { good, type Read } from '../../contract/parameters/value-types.ts';
import { readQuery } from '../http/query.ts';

const MAX_ENTRIES = 2000;
const MAX_URL_CHARACTERS = 512;

/** The input of one request target, from its path and query. The same target always gives the same input. */
function read(operation: Operation, params: Readonly<Record<string, string>>, url: string): Read<Input> {
  const query = readQuery(url);
  if (!query.ok) return query;
  const input = operation.readInput([...Object.entries(params), ...query.value]);
  return input.ok ? good(Object.freeze(input.value)) : input;
}

/** Reads inputs, and caches those of recent request targets. Errors are not cached. */
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
