import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../contract/json-object.ts';
import { OPERATIONS, operationOf } from '../contract/operations/index.ts';
import { didYouMean } from '../contract/parameters/misspelt.ts';
import { fieldsUnder } from '../contract/resource-fields.ts';
import { readJsonText } from '../runtime/json-text.ts';
import { SettingError } from '../settings.ts';

/** A lookup of the operator's file with facts that must hold. */
export interface Canary {
  readonly name: string;
  readonly operation: string;
  /** As in a request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Expected values by dotted path; `{"exists": true}` matches any value but null. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const fail = (place: string, why: string): never => {
  throw new SettingError(`${place} ${why}`);
};
const NAME = /^[\w][\w .:/-]{0,79}$/;
/** The place in a list, or how long that is: no part of the path of a field. */
const PLACE_IN_LIST = /\.(?:\d+|length)(?=\.|$)/g;
const FIELDS = ['name', 'operation', 'parameters', 'facts'];

/**
 * Parses the operator's file: `{"canaries": [{"name", "operation", "parameters", "facts"}], "registries": ["com"]}`. A registry means
 * the lookup of `nic.<tld>`, which every registry holds itself. Throws a SettingError with the path of the field; `file`: what names it there.
 */
export function parseCanaries(text: string, file = 'SIGHTLINE_CANARIES'): readonly Canary[] {
  const inFile = (place: string): string => `${file}: ${place}`;
  let root: unknown;
  try {
    root = readJsonText(text);
  } catch (error) {
    return fail(inFile('the file'), `is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(root)) return fail(inFile('the file'), 'must be an object with canaries, registries or both');
  const stray = Object.keys(root).find((name) => name !== 'canaries' && name !== 'registries');
  if (stray !== undefined) fail(inFile(`/${stray}`), 'is not known: the file has canaries and registries');
  const { canaries = [], registries = [] } = root;
  if (!Array.isArray(canaries)) return fail(inFile('/canaries'), 'must be a list');
  if (!Array.isArray(registries)) return fail(inFile('/registries'), 'must be a list of top-level domains');
  const all = [
    ...canaries.map((one: unknown, i) => canaryOf(one, inFile(`/canaries/${i}`))),
    ...registries.map((tld: unknown, i) =>
      canaryOf(
        { name: `nic.${tld}`, operation: 'registration', parameters: { domain: `nic.${tld}` }, facts: { available: false } },
        inFile(`/registries/${i}`),
      ),
    ),
  ];
  const twice = all.find((canary, i) => all.findIndex((other) => other.name === canary.name) !== i);
  if (twice) fail(inFile('the name'), `${JSON.stringify(twice.name)} is given twice: give each canary its own`);
  return all;
}

function canaryOf(one: unknown, place: string): Canary {
  if (!isObject(one)) return fail(place, 'must be an object');
  const stray = Object.keys(one).find((name) => !FIELDS.includes(name));
  if (stray !== undefined) fail(`${place}/${stray}`, `is not known${didYouMean(stray, FIELDS)}: a canary has ${FIELDS.join(', ')}`);
  const { name, parameters, facts } = one;
  if (typeof name !== 'string' || !NAME.test(name))
    return fail(`${place}/name`, 'must be 1 to 80 letters, digits, blanks and the characters . : / - _');
  const operation = typeof one.operation === 'string' ? operationOf(one.operation) : undefined;
  if (!operation)
    return fail(
      `${place}/operation`,
      `is ${JSON.stringify(one.operation)}, which is no operation${didYouMean(one.operation, Object.keys(OPERATIONS))}`,
    );
  if (!isObject(parameters)) return fail(`${place}/parameters`, 'must be an object of parameters and texts');
  const texts = Object.entries(parameters).map(([parameter, value]): [string, string] => [parameter, String(value)]);
  const read = operation.readInput(texts);
  if (!read.ok) return fail(`${place}/parameters`, `are no input of ${operation.id}: ${read.why}`);
  if (!isObject(facts) || Object.keys(facts).length === 0)
    return fail(`${place}/facts`, 'must be an object of paths and values, such as {"available": false}');
  const { id, resource } = operation;
  const unknown = Object.keys(facts).find((path) => path === '' || fieldsUnder(resource, path.replace(PLACE_IN_LIST, '')).length === 0);
  if (unknown !== undefined)
    fail(`${place}/facts/${unknown.slice(0, 100)}`, `is no field of ${id}${didYouMean(unknown, fieldsUnder(resource, ''))}`);
  return { name, operation: id, parameters: Object.fromEntries(texts), facts };
}

/** The first fact that does not hold, as a sentence; null where all do. */
export function unmetFact(resource: unknown, facts: Canary['facts']): string | null {
  for (const [path, expected] of Object.entries(facts)) {
    const value = path
      .split('.')
      .reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), resource);
    const holds = isDeepStrictEqual(expected, { exists: true })
      ? value !== null && value !== undefined
      : isDeepStrictEqual(value, expected);
    if (!holds) return `${path} is ${JSON.stringify(value) ?? 'missing'}, expected ${JSON.stringify(expected)}`;
  }
  return null;
}
