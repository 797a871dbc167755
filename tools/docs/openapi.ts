import { describe } from '../../src/contract/openapi/document.ts';

/** A schema of the description, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
export interface ParameterObject {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Endpoint {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema; readonly example?: unknown }>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

// the document is made of plain JSON objects of this form
export const description = describe() as unknown as Description;

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

export const resolveSchema = (schema: Schema): Schema & { readonly name?: string } =>
  schema.$ref ? { ...description.components.schemas[nameIn(schema.$ref)], name: nameIn(schema.$ref) } : schema;
export const resolveParameter = (parameter: ParameterObject): ParameterObject =>
  (parameter.$ref ? description.components.parameters[nameIn(parameter.$ref)] : undefined) ?? parameter;
export const resolveResponse = (response: Response): Response =>
  (response.$ref ? description.components.responses[nameIn(response.$ref)] : undefined) ?? response;

export interface Field {
  /** `organic.rank`: without the marks of lists. */
  readonly path: string;
  /** `organic[].rank`. */
  readonly shown: string;
  /** In words: `text`, `list of objects`. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly values: readonly string[];
  readonly description: string;
}

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['text', 'texts'],
  integer: ['whole number', 'whole numbers'],
  number: ['number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  object: ['object', 'objects'],
};

/** The forms that a value may have, without null. */
function formsOf(schema: Schema): readonly (Schema & { readonly name?: string })[] {
  const resolved = resolveSchema(schema);
  if (resolved.anyOf) return resolved.anyOf.flatMap(formsOf);
  const types = typeof resolved.type === 'string' ? [resolved.type] : (resolved.type ?? []);
  return types.filter((type) => type !== 'null').map((type) => ({ ...resolved, type }));
}
const isNull = (schema: Schema): boolean => {
  const { type, anyOf } = resolveSchema(schema);
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some(isNull);
};
function wordsOf(schema: Schema, many = false): string {
  const words = formsOf(schema).map((form) => {
    if (form.type === 'array') return form.items ? `list of ${wordsOf(form.items, true)}` : 'list';
    if (form.format === 'date') return many ? 'dates' : 'date';
    return WORDS[String(form.type)]?.[many ? 1 : 0] ?? String(form.type);
  });
  return [...new Set(words)].join(' or ') || 'any value';
}
const limitsOf = ({ minimum, maximum, default: usual }: Schema): string => {
  const range =
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : minimum !== undefined ? `at least ${minimum}` : '';
  return [range, usual !== undefined && `default ${usual}`].filter(Boolean).join(', ');
};
export const typeOf = (schema: Schema): string => [wordsOf(schema), limitsOf(schema)].filter(Boolean).join(', ');

/** Every field of an object and of the objects in it, in order. Of a value with several forms, a field that they share is one. */
export function fieldsOf(schema: Schema): readonly Field[] {
  return [...Map.groupBy(fieldsIn(schema, '', ''), ({ path }) => path).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const words = new Set([first, ...others].map((field) => field.description).filter(Boolean));
    return [{ ...first, isRequired: [first, ...others].every((field) => field.isRequired), description: [...words].join(' ') }];
  });
}
function fieldsIn(schema: Schema, before: string, shownBefore: string): readonly Field[] {
  return formsOf(schema).flatMap((form) => {
    if (form.type === 'array' && form.items)
      return fieldsIn(form.items, before, shownBefore === '' ? '' : `${shownBefore.slice(0, -1)}[].`);
    return Object.entries(form.properties ?? {}).flatMap(([name, value]): readonly Field[] => {
      const item = resolveSchema(value);
      const path = before + name;
      const shown = shownBefore + name;
      const forms = formsOf(value);
      const own = forms.find(({ description }) => description)?.description;
      const field: Field = {
        ...{ path, shown, type: typeOf(value), isNullable: isNull(value), isRequired: form.required?.includes(name) ?? false },
        values: [
          ...new Set([...forms, ...forms.flatMap((each) => (each.items ? formsOf(each.items) : []))].flatMap((each) => each.enum ?? [])),
        ]
          .filter((each) => each !== null)
          .map(String),
        description: value.description ?? item.description ?? own ?? '',
      };
      return [field, ...fieldsIn(value, `${path}.`, `${shown}.`)];
    });
  });
}
