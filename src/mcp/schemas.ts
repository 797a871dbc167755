import type { Parameter } from '../contract/parameters/parameter.ts';
import { type Shape, shapeOf } from '../contract/resource-fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a model needs of an input schema: patterns are long, and the reader's own message names the cure. */
const INPUT_WORDS = ['type', 'enum', 'minimum', 'maximum', 'default', 'items'];
/** Of an output schema: the names say what the descriptions say; a shortened answer lacks fields that the contract requires. */
const OUTPUT_WORDS = ['type', 'const'];

const pick = (schema: object, words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([word]) => words.includes(word)));

/** What is empty says nothing. */
const hasWords = <T extends object>(part: T | undefined): part is T => part !== undefined && Object.keys(part).length > 0;

/** Types and nullability of a schema of the contract; `isInput`: enumerations too, which an answer shows itself. */
function compact(schema: Shape, { isBrief = false, isInput = false } = {}): Record<string, unknown> {
  const [value, nothing] = schema.anyOf ?? [];
  if (value && nothing?.type === 'null') {
    const inner = compact(value, { isBrief, isInput });
    if (isBrief && (inner.type === 'object' || inner.type === 'array')) return { type: [inner.type, 'null'] };
    return Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : { ...inner, type: [inner.type, 'null'] };
  }
  const { items, properties, enum: values } = schema;
  if (values) return isInput ? { enum: values } : { type: 'string' };
  return {
    ...pick(schema, OUTPUT_WORDS),
    ...(hasWords(items) && { items: compact(items, { isBrief, isInput }) }),
    ...(hasWords(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, compact(field, { isBrief, isInput })])),
    }),
  };
}

export function outputSchemaOf(resource: Shape): JsonSchema {
  return { type: 'object', properties: { data: compact(resource) } };
}
/** Of a tool without a source: its answer alone, or these members of it; objects and lists that may be null without their parts. */
export function plainOutputOf({ properties = {}, ...resource }: Shape, names: readonly string[] = Object.keys(properties)): JsonSchema {
  const selected = Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
  return compact({ ...resource, properties: selected }, { isBrief: true });
}

/** The instructions of the server say the same at length, once. */
const SHAPING = {
  fields: { type: 'array', items: { type: 'string' }, description: 'Dotted paths to keep.' },
  maxItems: { type: 'integer', description: 'Entries. Default: 20.' },
  cursor: { type: 'string', description: 'nextCursor: free.' },
  maxCredits: { type: 'integer', description: 'Refuse a dearer call.' },
  deadlineSeconds: { type: 'integer', description: 'Give up sooner.' },
};
/** Names of the arguments that a tool has beside the parameters of its operation. */
export const SHAPING_NAMES = Object.keys(SHAPING);

const sentenceOf = (description: string): string => `${(/^[^.;]+/.exec(description)?.[0] ?? description).trim()}.`;

const requiring = (required: readonly string[]) => required.length > 0 && { required };

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
    ...requiring(parameters.filter((p) => p.required).map((p) => p.name)),
  };
}

export const PRICE_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'Name of a lookup tool.' },
    parameters: { type: 'object', description: 'Arguments of the call.' },
  },
  required: ['operation', 'parameters'],
};
const { cursor: _, ...SHARED } = SHAPING;
export const MANY_INPUT = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'Name of a lookup tool.' },
    inputs: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'object' }, description: 'Arguments of each lookup.' },
    ...SHARED,
  },
  required: ['operation', 'inputs'],
};
export const MANY_OUTPUT: JsonSchema = {
  type: 'object',
  properties: {
    answers: {
      type: 'array',
      items: { type: 'object', properties: { data: { type: 'object' }, call: { type: 'object' }, error: { type: 'object' } } },
    },
    call: {
      type: 'object',
      properties: { credits: { type: 'integer' }, answered: { type: 'integer' }, failed: { type: 'integer' } },
    },
  },
};
/** `first`, these members of the body of an endpoint, and `last`; those that may be null may be left out. `brief`: of these only the type is said. */
export const bodyInputOf = (
  { properties = {}, required = [] }: Shape,
  names: readonly string[],
  brief: Readonly<Record<string, string>> = {},
  first: Readonly<Record<string, JsonSchema>> = {},
  last: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => ({
  type: 'object',
  properties: {
    ...first,
    ...Object.fromEntries(
      names.map((name) => {
        const schema = shapeOf(properties[name] ?? {});
        const { description, ...whole } = { ...compact(schema, { isInput: true }), description: brief[name] ?? schema.description };
        const type = brief[name] && schema.items ? { type: 'array', items: pick(schema.items, OUTPUT_WORDS) } : whole;
        return [name, { ...type, description }];
      }),
    ),
    ...last,
  },
  ...requiring([...Object.keys(first), ...required]),
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
