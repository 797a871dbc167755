import { shownAddress } from './account/shown.ts';
import { isObject } from './json-object.ts';
import type { Fault } from './operations/define.ts';
import { didYouMean, mustBeOneOf } from './parameters/misspelt.ts';

/** The keywords of JSON Schema that bodies of requests use. */
export interface BodySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: BodySchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  /** The values of a map. False or absent: an object of a body has no fields but its properties. */
  readonly additionalProperties?: boolean | BodySchema;
  readonly anyOf?: readonly BodySchema[];
}

export interface Misfit extends Fault {
  readonly value: unknown;
}

/**
 * Where a value of a body does not match its schema (`notify/0/to`; '' for the whole value), and what it must be there, in words: "must be …".
 * Null: it matches. Bodies are read by this; answers, which are large, are checked by the compiled `faultFinder`.
 */
export function misfit(schema: BodySchema, value: unknown, pointer = ''): Misfit | null {
  if (schema.anyOf) {
    const faults = schema.anyOf.map((option) => misfit(option, value, pointer));
    if (faults.includes(null)) return null;
    return faults.find((fault) => fault && fault.pointer !== pointer) ?? { pointer, value, why: `must be ${nounOf(schema, 'one')}` };
  }
  if (schema.type === 'object' && isObject(value)) return fieldMisfit(schema, value, pointer);
  if (!matches(schema, value))
    return {
      pointer,
      value: schema.format === 'uri' && typeof value === 'string' ? shownAddress(value) : value,
      why: schema.enum ? mustBeOneOf(schema.enum, value) : `must be ${nounOf(schema, 'one')}`,
    };
  const { items } = schema;
  if (!items || !holdsObjects(items) || !Array.isArray(value)) return null;
  const faults = value.map((one: unknown, i) => misfit(items, one, below(pointer, String(i))));
  return faults.find((fault) => fault !== null) ?? null;
}

const mustBeLeftOut = (name: string, fields: readonly string[]): string =>
  fields.length === 0 ? 'must be left out' : `must be left out${didYouMean(name, fields)}: the fields are ${fields.join(', ')}`;
const below = (pointer: string, name: string): string => (pointer === '' ? name : `${pointer}/${name}`);

function fieldMisfit({ properties = {}, required = [], additionalProperties }: BodySchema, value: object, pointer: string): Misfit | null {
  const others = typeof additionalProperties === 'object' ? additionalProperties : null;
  const fields = Object.entries({ ...Object.fromEntries(required.map((name) => [name, undefined])), ...value });
  for (const [name, field] of fields) {
    const place = below(pointer, name.slice(0, 100));
    const schema = Object.hasOwn(properties, name) ? properties[name] : others;
    if (!schema) return { pointer: place, value: field, why: mustBeLeftOut(name, Object.keys(properties)) };
    const fault = field === undefined && !required.includes(name) ? null : misfit(schema, field, place);
    if (fault) return fault;
  }
  return null;
}

/** Whether a value other than an object matches; entries of a list that are objects are not looked into. */
function matches(schema: BodySchema, value: unknown): boolean {
  const isWithin = (size: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean =>
    size >= least && size <= most;
  if (schema.enum) return schema.enum.some((one) => one === value);
  if (schema.type === 'null') return value === null;
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'integer') return Number.isSafeInteger(value) && isWithin(Number(value), schema.minimum, schema.maximum);
  if (schema.type === 'number') return Number.isFinite(value);
  if (schema.type === 'string') {
    const { minLength, maxLength, pattern, format } = schema;
    return (
      typeof value === 'string' &&
      // characters of a text without limits, which may be large, are not counted
      ((minLength ?? maxLength) === undefined || isWithin([...value].length, minLength, maxLength)) &&
      (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
      (format !== 'uri' || URL.canParse(value))
    );
  }
  if (schema.type === 'array') {
    const { items } = schema;
    const isPlain = items && !holdsObjects(items);
    return (
      Array.isArray(value) &&
      isWithin(value.length, schema.minItems, schema.maxItems) &&
      (!isPlain || value.every((one) => misfit(items, one) === null))
    );
  }
  return schema.type === undefined && value !== undefined;
}

const holdsObjects = ({ type, anyOf = [] }: BodySchema): boolean => type === 'object' || anyOf.some(holdsObjects);

/** ` of 1 to 5 characters`, ` of at most 5 characters`, or nothing where there is no limit. */
const sized = (least: number | undefined, most: number | undefined, unit: string): string => {
  if (most === undefined) return least === undefined ? '' : ` of at least ${least} ${unit}`;
  return least === undefined ? ` of at most ${most} ${unit}` : ` of ${least} to ${most} ${unit}`;
};

function nounOf(schema: BodySchema, number: 'one' | 'many'): string {
  const pick = (one: string, many: string): string => (number === 'one' ? one : many);
  const { type, minimum, maximum } = schema;
  if (schema.anyOf) return schema.anyOf.map((option) => nounOf(option, number)).join(', or ');
  if (schema.enum) return `${pick('', 'texts ')}${schema.enum.join(', ')}`;
  if (type === 'null') return 'null';
  if (type === 'boolean') return 'true or false';
  if (type === 'number') return pick('a number', 'numbers');
  if (type === 'integer') {
    const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
    return pick('a whole number', 'whole numbers') + range;
  }
  if (type === 'string') {
    const name =
      schema.format === 'uri'
        ? pick('an absolute URL', 'absolute URLs')
        : pick(schema.maxLength === undefined ? 'a text' : 'one line', 'texts');
    return name + sized(schema.minLength, schema.maxLength, 'characters');
  }
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    const names = Object.keys(properties).map((name) => `"${name}"${required.includes(name) ? '' : '?'}`);
    return names.length === 0 ? pick('an object', 'objects') : `${pick('', 'objects ')}{${names.join(', ')}}`;
  }
  if (type === 'array')
    return `${pick('a list', 'lists')}${sized(schema.minItems, schema.maxItems, '').trimEnd()} ${schema.items ? nounOf(schema.items, 'many') : 'values'}`;
  return pick('a value', 'values');
}
