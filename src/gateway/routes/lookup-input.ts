import type { Input, Operation } from '../../contract/operations/index.ts';
import { good, type Read } from '../../contract/parameters/value-types.ts';
import { readQuery } from '../http/query.ts';

/** Of each of two generations. */
const MAX_ENTRIES = 10_000;
const MAX_URL_CHARACTERS = 512;

/** The input of one request target, from its path and query. The same target always gives the same input. */
function read(operation: Operation, params: Readonly<Record<string, string>>, url: string): Read<Input> {
  const query = readQuery(url);
  if (!query.ok) return query;
  const input = operation.readInput([...Object.entries(params), ...query.value]);
  return input.ok ? good(Object.freeze(input.value)) : input;
}

/** Reads inputs, and remembers those of recent request targets: of the last 10,000 at least. Errors are not remembered. */
export function createInputReader(): typeof read {
  let recent = new Map<string, Input>();
  let older = new Map<string, Input>();
  function remember(url: string, input: Input): void {
    if (recent.size >= MAX_ENTRIES) {
      older = recent;
      recent = new Map();
    }
    recent.set(url, input);
  }
  return (operation, params, url) => {
    const before = recent.get(url);
    if (before) return good(before);
    const remembered = older.get(url);
    const input = remembered ? good(remembered) : read(operation, params, url);
    if (input.ok && url.length <= MAX_URL_CHARACTERS) remember(url, input.value);
    return input;
  };
}
