import { SNIPPETS } from '../../src/console/workbench/snippets.ts';
import { type Operation, operationList } from '../../src/contract/operations/index.ts';
import { codeBlock } from './html.ts';

/** Address of the demo, and of a service that listens as it is shipped; the script of the site puts its own in its place. */
const BASE = 'http://127.0.0.1:8080';

/** Values of parameters, by name. */
export type Values = Readonly<Record<string, string>>;

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** The lookup that a path with its query asks for; null: none. */
export function lookupAt(address: string): { readonly operation: Operation; readonly values: Values } | null {
  const { pathname, searchParams } = new URL(address, BASE);
  // a path without a parameter comes first: `/apps/keywords` is no app
  const operation = operationList
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
    .find((o) => patternOf(o).test(pathname));
  if (!operation) return null;
  const inPath = Object.entries(patternOf(operation).exec(pathname)?.groups ?? {}).map(([name, value]) => [
    name,
    decodeURIComponent(value),
  ]);
  return { operation, values: Object.fromEntries([...inPath, ...searchParams]) };
}

export const exampleOf = ({ parameters }: Operation): Values =>
  Object.fromEntries(parameters.filter((p) => p.required).map((p) => [p.name, String(p.example)]));

/** The Workbench with the form filled; it does not run. */
export const workbenchAt = (console: string, { id }: Operation, values: Values): string =>
  `${console}/w/${id}?${new URLSearchParams(values)}`;

/** A lookup as code, a block for each language. */
export function snippetsOf(operation: Operation, values: Values): readonly (readonly [name: string, html: string])[] {
  const query = new URLSearchParams(
    Object.fromEntries(operation.parameters.flatMap((p) => (p.in === 'query' && values[p.name] ? [[p.name, values[p.name] ?? '']] : []))),
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const input = operation.parameters.flatMap((p) => {
    const value = values[p.name];
    const isWhole = 'type' in p.schema && p.schema.type === 'integer';
    return value === undefined ? [] : [[p.name, isWhole ? Number(value) : value] as const];
  });
  const request = {
    operation: operation.id,
    baseUrl: BASE,
    path: query.size ? `${path}?${query}` : path,
    input,
    headers: {},
    apiKey: null,
  };
  const languages: Readonly<Record<string, string>> = { curl: 'sh', TypeScript: 'ts', Python: 'python', MCP: 'json' };
  return Object.entries(SNIPPETS).map(([name, write]) => [name, codeBlock(write(request), languages[name] ?? '')]);
}
