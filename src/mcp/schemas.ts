import type { Parameter } from '../contract/parameters/parameter.ts';
import { type Shape, shapeOf } from '../contract/resource-fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a model needs of an input schema: patterns are long, and the reader's own message names the cure. */
const INPUT_WORDS = ['type', 'enum', 'minimum', 'maximum', 'default', 'items'];
/** Of an output schema: the names say what the descriptions say; a shortened answer lacks fields that the contract requires. */
const OUTPUT_WORDS = ['type', 'const'];

const pick = (schema: object, words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([word]) => words.includes(word)));

/** Types, enumerations and nullability of a schema of the contract. */
function compact(schema: Shape, isBrief = false): Record<string, unknown> {
  const [value, nothing] = schema.anyOf ?? [];
  if (value && nothing?.type === 'null') {
    const inner = compact(value, isBrief);
    if (isBrief && (inner.type === 'object' || inner.type === 'array')) return { type: [inner.type, 'null'] };
    return Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : { ...inner, type: [inner.type, 'null'] };
  }
  const { items, properties, enum: values } = schema;
  if (values) return { enum: values };
  return {
    ...pick(schema, OUTPUT_WORDS),
    ...(items && { items: compact(items, isBrief) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, compact(field, isBrief)])),
    }),
  };
}

export function outputSchemaOf(resource: Shape): JsonSchema {
  return { type: 'object', properties: { data: compact(resource) }, required: ['data', 'call'] };
}
/** Of a tool without a source: its answer alone, objects and lists that may be null without their parts. */
export function plainOutputOf(resource: Shape): JsonSchema {
  return { ...compact(resource, true), required: Object.keys(resource.properties ?? {}) };
}

const SHAPING = {
  fields: { type: 'array', items: { type: 'string' }, description: 'Dotted paths of data to keep, lists without indexes.' },
  maxItems: { type: 'integer', description: 'Entries of the main list. Default: 20, or fewer where they are long.' },
  cursor: { type: 'string', description: 'nextCursor of an answer: its next part, free.' },
  maxCredits: { type: 'integer', description: 'Refuse the call if it would cost more.' },
  deadlineSeconds: { type: 'integer', description: 'Give up after so long, below the time that the lookup has.' },
};
/** Names of the arguments that a tool has beside the parameters of its operation. */
export const SHAPING_NAMES = Object.keys(SHAPING);

const sentenceOf = (description: string): string => `${(/^[^.;]+/.exec(description)?.[0] ?? description).trim()}.`;

export function inputSchemaOf(parameters: readonly Parameter[], more: object = SHAPING): JsonSchema {
  const own = parameters.map(({ name, schema, description, pasted, default: usual }) => [
    name,
    {
      ...pick(schema, INPUT_WORDS),
      ...(usual !== undefined && { default: usual }),
      description: `${sentenceOf(description)}${pasted ? ' Or the URL of its page.' : ''}`,
    },
  ]);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(own), ...more },
    required: parameters.filter((p) => p.required).map((p) => p.name),
  };
}

export const PRICE_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: 'Name of a lookup tool.' },
    arguments: { type: 'object', description: 'Those of the call.' },
  },
  required: ['tool', 'arguments'],
};
/** These members of the body of an endpoint; those that may be null may be left out. */
export const bodyInputOf = ({ properties = {}, required = [] }: Shape, names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => {
      const schema = shapeOf(properties[name] ?? {});
      return [name, { ...compact(schema), description: schema.description }];
    }),
  ),
  required,
});

export const toolNameOf = (operation: string): string => operation.replaceAll('-', '_');

/** Every dotted path of a resource, lists without indexes. */
export function pathsOf(schema: Shape): ReadonlySet<string> {
  const paths = new Set<string>();
  const collect = (part: Shape, prefix: string): void => {
    for (const option of part.anyOf ?? []) collect(option, prefix);
    if (part.items) collect(part.items, prefix);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      paths.add(`${prefix}${name}`);
      collect(field, `${prefix}${name}.`);
    }
  };
  collect(schema, '');
  return paths;
}

/** Name of the main list of a resource: its first list of objects; null if it has none. */
export function mainListOf(schema: Shape): string | null {
  for (const [name, field] of Object.entries(schema.properties ?? {})) if (field.items?.properties) return name;
  return null;
}
