/**
 * The contract's part of the client's declarations, written from its JSON schemas: the compiler's own import TypeBox, which users of the client
 * do not have. Paths are those of the modules, below `src/contract/`.
 */
import { type AccountEndpoint, accountEndpoints } from '../src/contract/account/endpoints.ts';
import { type Operation, operationList } from '../src/contract/operations/index.ts';
import type { Parameter } from '../src/contract/parameters/parameter.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}
const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;
/** A value that may be null is described by its other form. */
const descriptionOf = (schema: Schema): string | undefined => schema.description ?? schema.anyOf?.[0]?.description;
const comment = (description: string | undefined, indent: string): string =>
  description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : '';

/** The TypeScript type of the values that a schema of the contract accepts. Throws for a keyword that the contract did not use so far. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.type === 'array' && schema.items) return `Array<${typeOf(schema.items, indent)}>`;
  if (schema.type === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties);
    const { additionalProperties: others } = schema;
    if (fields.length === 0 && typeof others === 'object') return `Readonly<Record<string, ${typeOf(others, indent)}>>`;
    const inner = `${indent}  `;
    const lines = fields.map(
      ([name, field]) =>
        `${comment(descriptionOf(field), inner)}${inner}${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field, inner)};\n`,
    );
    return `{\n${lines.join('')}${indent}}`;
  }
  // a schema without a type takes every value
  if (schema.type === undefined) return 'unknown';
  const simple = SIMPLE[schema.type];
  if (simple === undefined) throw new Error(`a schema of an unknown form: ${JSON.stringify(schema)}`);
  return simple;
}

const inputOf = (parameters: readonly Parameter[]): string =>
  `{\n${parameters
    .map((p) => `${comment(p.description, '    ')}    readonly ${p.field}${p.present ? '' : '?'}: ${typeOf(p.schema as Schema)};\n`)
    .join('')}  }`;
const inputs = (all: readonly (Operation | AccountEndpoint)[]): string =>
  `interface Inputs {\n${all.map(({ id, parameters }) => `  readonly ${literal(id)}: ${inputOf(parameters)};\n`).join('')}}\n`;
const resources = (all: readonly (Operation | AccountEndpoint)[]): string =>
  [...new Map(all.map(({ resourceName, resource }) => [resourceName, resource as Schema]))]
    .map(([name, schema]) => `${comment(schema.description, '')}export interface ${name} ${typeOf(schema)}\n`)
    .join('\n');

const watchNames = [...new Set(accountEndpoints.map(({ resourceName }) => resourceName))]
  .filter((name) => name.startsWith('Watch') || name === 'Calendar')
  .join(', ');

const watchEdit = accountEndpoints.find(({ body }) => body?.name === 'WatchEdit')?.body?.schema as Schema;

/** Declaration files by path. */
export function contractDeclarations(): Readonly<Record<string, string>> {
  const ids = operationList.map(({ id, resourceName }) => `  readonly ${literal(id)}: ${resourceName};\n`).join('');
  return {
    'operations/index.d.ts': `${resources(operationList)}
${inputs(operationList)}
interface Resources {
${ids}}
export type OperationId = keyof Resources;
/** The input of an operation. */
export type Input<Id extends OperationId = OperationId> = Inputs[Id];
/** The resource of an operation. */
export type Resource<Id extends OperationId = OperationId> = Resources[Id];
`,
    'account/schemas.d.ts': resources(accountEndpoints),
    'account/watch-schemas.d.ts': `import type { WatchChanges } from './schemas.ts';
export type { ${watchNames} } from './schemas.ts';
export type WatchChange = WatchChanges['changes'][number];
export type WatchEdit = Partial<${typeOf(watchEdit)}>;
`,
    'account/watch-list-schemas.d.ts': `export type { WatchImport } from './schemas.ts';
`,
    'account/notify-schemas.d.ts': `import type { Notify } from './schemas.ts';
export type { Notify, NotifyTestResult } from './schemas.ts';
export type NewTarget = Readonly<Pick<Notify['notify'][number], 'to' | 'as' | 'digest'>>;
`,
    'account/ranking-schemas.d.ts': `export type { AccountSites, AppRankings, Rankings } from './schemas.ts';
`,
    'account/endpoints.d.ts': `${inputs(accountEndpoints)}
export type AccountInput<Id extends keyof Inputs> = Inputs[Id];
`,
  };
}
