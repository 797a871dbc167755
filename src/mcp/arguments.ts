import { invalid } from '../contract/errors.ts';
import type { Operation } from '../contract/operations/index.ts';
import { readPasted } from '../contract/parameters/pasted.ts';
import { pathsOf, SHAPING_NAMES } from './schemas.ts';
import { cursorOf, type ShapeOptions } from './shape.ts';

const refuse = (why: string): never => {
  throw invalid(why);
};

function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 80) ?? String(value);
  } catch {
    return 'nested too deeply'; // over stdio: the stack does not suffice for its text
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return refuse(`The arguments are ${shown(value)}, but they must be an object.`);
  return value as Readonly<Record<string, unknown>>;
}

function wholeNumber(name: string, value: unknown, least: number): number | null {
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= 1_000_000_000) return Number(value);
  return refuse(`Argument ${name} is ${shown(value)}, but it must be a whole number, ${least} or more.`);
}

/** Parameters as texts; those that are null are left out, because models send null for what they do not use. */
export function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') refuse(`Argument ${name} is ${shown(value)}, but it must be a text or a number.`);
    texts[name] = String(value);
  }
  return texts;
}

/** The checked arguments of a lookup. Throws INVALID_REQUEST, with a message that names the argument, its value and what it must be. */
export function readArguments(operation: Operation, meant: unknown) {
  const all = objectOf(meant);
  const given = textsOf(Object.fromEntries(Object.entries(all).filter(([name]) => !SHAPING_NAMES.includes(name))));
  const { pairs, understood } = readPasted(operation.parameters, Object.entries(given));
  const read = operation.readInput(pairs);
  const input = read.ok ? read.value : refuse(read.why);
  const { fields, cursor } = all;
  const known = pathsOf(operation.resource);
  let selected: string[] | null = null;
  if (Array.isArray(fields) && fields.length > 0) {
    selected = fields.map((path) => {
      const name = typeof path === 'string' ? path.replace(/^data\./, '') : '';
      return known.has(name)
        ? name
        : refuse(`Argument fields has ${shown(path)}, which is no field of the answer: choose from ${[...known].join(', ')}.`);
    });
  } else if (fields !== undefined && fields !== null && !Array.isArray(fields))
    refuse(`Argument fields is ${shown(fields)}, but it must be a list of dotted paths, such as ["${[...known][0]}"].`);
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string')
    refuse(`Argument cursor is ${shown(cursor)}, but it must be a text.`);
  const seconds = wholeNumber('deadlineSeconds', all.deadlineSeconds, 1);
  const shaping: ShapeOptions = {
    fields: selected,
    maxItems: wholeNumber('maxItems', all.maxItems, 1),
    cursor: typeof cursor === 'string' ? cursorOf(cursor) : null,
  };
  return {
    input,
    texts: Object.fromEntries(pairs),
    understood: Object.fromEntries(understood.map(({ name, value }) => [name, value])),
    maxCredits: wholeNumber('maxCredits', all.maxCredits, 0),
    patienceMs: seconds === null ? null : seconds * 1000,
    shaping,
  };
}
