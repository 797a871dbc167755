import { invalid } from '../contract/errors.ts';
import { type Operation, operationList } from '../contract/operations/index.ts';
import { codeNamed } from '../contract/parameters/code-names.ts';
import { didYouMean, mustBeOneOf } from '../contract/parameters/misspelt.ts';
import { readPasted } from '../contract/parameters/pasted.ts';
import { pathsOf, SHAPING_NAMES, toolNameOf } from './schemas.ts';
import { cursorOf, type ShapeOptions } from './shape.ts';

/** An operation by the name of its tool, or by its id. */
export function operationMeant(named: unknown): Operation {
  const names = operationList.map(({ id }) => toolNameOf(id));
  const found = operationList.find(({ id }) => typeof named === 'string' && toolNameOf(id) === toolNameOf(named));
  if (!found) throw invalid(`Argument operation ${mustBeOneOf(names, named)}.`);
  return found;
}

const failArgument = (why: string): never => {
  throw invalid(why);
};

function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 80) ?? String(value);
  } catch {
    return 'nested too deeply'; // over stdio: the stack does not suffice for its text
  }
}

export function demandObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    return failArgument(`The arguments are ${shown(value)}, but they must be an object.`);
  return value as Readonly<Record<string, unknown>>;
}

/** Refuses an argument that a tool has not, in the names of the tool. */
export function demandKnown(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    failArgument(`Unknown argument "${unknown.slice(0, 100)}"${didYouMean(unknown, known)}: this tool knows ${known.join(', ')}.`);
}

export function wholeNumber(name: string, value: unknown, least: number): number | null {
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= 1_000_000_000) return Number(value);
  return failArgument(`Argument ${name} is ${shown(value)}, but it must be a whole number, ${least} or more.`);
}

/** Parameters as texts; those that are null are left out, because models send null for what they do not use. */
export function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') failArgument(`Argument ${name} is ${shown(value)}, but it must be a text or a number.`);
    texts[name] = String(value);
  }
  return texts;
}

/** Why these are not the arguments of the tool, in its own names: a path parameter of the HTTP interface is an argument like others. Null: they may be. */
function misnamed({ id, parameters }: Operation, given: Readonly<Record<string, string>>): string | null {
  const tool = toolNameOf(id);
  const own = parameters.map(({ name }) => name);
  const [lacking] = parameters.filter(({ name, required }) => required && given[name] === undefined);
  const lacks = lacking && `${tool} lacks ${lacking.name}: ${lacking.description} For example ${JSON.stringify(lacking.example)}.`;
  const unknown = Object.keys(given).find((name) => !own.includes(name));
  if (unknown === undefined) return lacks ?? null;
  const all = [...own, ...SHAPING_NAMES];
  const what = `${tool} has no argument ${shown(unknown)}${didYouMean(unknown, all)}: it takes ${all.join(', ')}.`;
  return lacks ? `${what} ${lacks}` : what;
}

/** The parameters of a lookup, and what was read of pasted ones. Throws INVALID_REQUEST, with a message that names the argument, its value and what it must be. */
export function readParameters(operation: Operation, meant: Readonly<Record<string, unknown>>) {
  const given = textsOf(meant);
  const wrong = misnamed(operation, given);
  if (wrong !== null) failArgument(wrong);
  const { pairs, understood } = readPasted(operation.parameters, Object.entries(given), codeNamed);
  const read = operation.readInput(pairs);
  return {
    input: read.ok ? read.value : failArgument(read.why),
    texts: Object.fromEntries(pairs),
    understood: Object.fromEntries(understood.map(({ name, value }) => [name, value])),
  };
}

/** What a call says of its answer, price and time. Throws INVALID_REQUEST. */
export function readShaping({ resource }: Operation, all: Readonly<Record<string, unknown>>) {
  const { fields, cursor } = all;
  const known = pathsOf(resource);
  let selected: string[] | null = null;
  if (Array.isArray(fields) && fields.length > 0) {
    selected = fields.map((path) => {
      const name = typeof path === 'string' ? path.replace(/^data\./, '') : '';
      return known.has(name)
        ? name
        : failArgument(
            `Argument fields has ${shown(path)}, which is no field of the answer${didYouMean(path, [...known])}: choose from ${[...known].join(', ')}.`,
          );
    });
  } else if (fields !== undefined && fields !== null && !Array.isArray(fields))
    failArgument(`Argument fields is ${shown(fields)}, but it must be a list of dotted paths, such as ["${[...known][0]}"].`);
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string')
    failArgument(`Argument cursor is ${shown(cursor)}, but it must be a text.`);
  const seconds = wholeNumber('deadlineSeconds', all.deadlineSeconds, 1);
  const shaping: ShapeOptions = {
    fields: selected,
    maxItems: wholeNumber('maxItems', all.maxItems, 1),
    cursor: typeof cursor === 'string' ? cursorOf(cursor) : null,
  };
  return { maxCredits: wholeNumber('maxCredits', all.maxCredits, 0), patienceMs: seconds === null ? null : seconds * 1000, shaping };
}

/** The checked arguments of a lookup. Throws INVALID_REQUEST. */
export function readArguments(operation: Operation, meant: unknown) {
  const all = demandObject(meant);
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !SHAPING_NAMES.includes(name)));
  return { ...readParameters(operation, own), ...readShaping(operation, all) };
}
