import type { OperationView } from '../../contract/contract-view.ts';

/** Values of a form, by the name of the parameter or header; empty texts are not sent. */
export type Values = Readonly<Record<string, string>>;

/** The path and query of a lookup. Parameters that are not given are left to their defaults. */
export function pathOf(operation: OperationView, values: Values): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = queryOf(operation, values);
  return query.size ? `${path}?${query}` : path;
}

const queryOf = (operation: OperationView, values: Values): URLSearchParams =>
  new URLSearchParams(operation.parameters.flatMap((p) => (p.in === 'query' && values[p.name] ? [[p.name, values[p.name] ?? '']] : [])));

/** All parameters that are given, those of the path included. */
export const givenOf = (operation: OperationView, values: Values): Values =>
  Object.fromEntries(operation.parameters.flatMap((p) => (values[p.name] ? [[p.name, values[p.name] ?? '']] : [])));

/** The address of the playground with this request, without credentials. */
export const linkOf = (operation: OperationView, values: Values): string => {
  const query = new URLSearchParams(givenOf(operation, values));
  return `/console/playground/${operation.id}${query.size ? `?${query}` : ''}`;
};

/** The values that the contract gives as examples, for the parameters that are required. */
export const examplesOf = (operation: OperationView): Values =>
  Object.fromEntries(operation.parameters.filter((p) => p.required).map((p) => [p.name, String(p.example)]));
