import { ServiceError } from '../contract/errors.ts';
import type { Input, Operation } from '../contract/operations/index.ts';
import { readPasted } from '../contract/parameters/pasted.ts';
import { pathsOf, SHAPING_NAMES } from './schemas.ts';
import { cursorOf, type Wish } from './shape.ts';

/** The arguments of a lookup, checked. */
export interface LookupArguments {
  readonly input: Input;
  /** Parameters of the operation by their names, as they would stand in a URL. */
  readonly texts: Readonly<Record<string, string>>;
  /** What was read from values that were given as addresses, by their names. */
  readonly understood: Readonly<Record<string, string>>;
  readonly maxCredits: number | null;
  /** deadlineSeconds; null: not given. */
  readonly patienceMs: number | null;
  readonly wish: Wish;
}

const refuse = (why: string): never => {
  throw new ServiceError('INVALID_REQUEST', why);
};

/** A value as a message quotes it. */
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

/** Throws INVALID_REQUEST, with a message that names the argument, its value and what it must be. */
export function readArguments(operation: Operation, meant: unknown): LookupArguments {
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
        : refuse(`Argument fields has ${shown(path)}, which is no field of the answer: choose from ${choices(known)}.`);
    });
  } else if (fields !== undefined && fields !== null && !Array.isArray(fields))
    refuse(`Argument fields is ${shown(fields)}, but it must be a list of dotted paths, such as ["${[...known][0]}"].`);
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string')
    refuse(`Argument cursor is ${shown(cursor)}, but it must be a text.`);
  return {
    input,
    texts: Object.fromEntries(pairs),
    understood: Object.fromEntries(understood.map(({ name, value }) => [name, value])),
    maxCredits: wholeNumber('maxCredits', all.maxCredits, 0),
    patienceMs: inMs(wholeNumber('deadlineSeconds', all.deadlineSeconds, 1)),
    wish: {
      fields: selected,
      maxItems: wholeNumber('maxItems', all.maxItems, 1),
      cursor: typeof cursor === 'string' ? cursorOf(cursor) : null,
    },
  };
}

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);
const choices = (known: ReadonlySet<string>): string => [...known].join(', ');
