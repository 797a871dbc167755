import { mustBeOneOf } from './parameters/misspelt.ts';

/** The keywords of JSON Schema that bodies use whose faults are told in words. */
export interface BodySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: BodySchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly BodySchema[];
}

/** What a value would have to be, where it does not match the schema: "must be …". Null: it matches. */
export function misfit(schema: BodySchema, value: unknown): string | null {
  if (matches(schema, value)) return null;
  return schema.enum ? mustBeOneOf(schema.enum, value) : `must be ${nounOf(schema, 'one')}`;
}

function matches(schema: BodySchema, value: unknown): boolean {
  const isWithin = (size: number, least = 0, most = Number.POSITIVE_INFINITY): boolean => size >= least && size <= most;
  if (schema.anyOf) return schema.anyOf.some((option) => matches(option, value));
  if (schema.enum) return schema.enum.some((one) => one === value);
  if (schema.type === 'null') return value === null;
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'integer')
    return Number.isSafeInteger(value) && isWithin(Number(value), schema.minimum ?? Number.NEGATIVE_INFINITY, schema.maximum);
  if (schema.type === 'string')
    return (
      typeof value === 'string' &&
      isWithin([...value].length, schema.minLength, schema.maxLength) &&
      new RegExp(schema.pattern ?? '', 'u').test(value)
    );
  const { items = {} } = schema;
  return Array.isArray(value) && isWithin(value.length, schema.minItems, schema.maxItems) && value.every((one) => matches(items, one));
}

const range = (least: number | undefined, most: number | undefined): string =>
  least === undefined ? `at most ${most}` : `${least} to ${most}`;

function nounOf(schema: BodySchema, number: 'one' | 'many'): string {
  if (schema.anyOf) return schema.anyOf.map((option) => nounOf(option, number)).join(', or ');
  if (schema.type === 'null') return 'null';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer')
    return `${number === 'one' ? 'a whole number' : 'whole numbers'} from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'string')
    return `${number === 'one' ? 'one line' : 'texts'} of ${range(schema.minLength, schema.maxLength)} characters`;
  return `a list of ${range(schema.minItems, schema.maxItems)} ${nounOf(schema.items ?? {}, 'many')}`;
}
