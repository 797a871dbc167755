import { codeOf, ERRORS, type ErrorName } from '../src/contract/errors.ts';
import { USUAL_DEADLINE } from '../src/contract/operations/define.ts';
import { areaList, type Operation, operationList } from '../src/contract/operations/index.ts';
import { formatted } from './formatted.ts';

const FILE = 'src/client/methods.ts';

function rowOf({ id, path, parameters, pages, rows, deadline }: Operation): object {
  const needs = parameters.filter((p) => p.required && p.in === 'query').map((p) => p.name);
  const takes = parameters.filter((p) => !p.required).map((p) => p.field);
  const renamed = parameters.filter((p) => p.field !== p.name).map((p) => [p.field, p.name]);
  return {
    id,
    path,
    ...(needs.length && { needs }),
    ...(takes.length && { takes }),
    ...(renamed.length && { renamed: Object.fromEntries(renamed) }),
    ...(pages && { items: rows?.entries, next: pages }),
    ...(deadline.ms !== USUAL_DEADLINE.ms && { deadlineMs: deadline.ms }),
  };
}

/** The part of the TypeScript client that the contract gives: methods by area, and which errors may be retried. */
export function clientMethods(): string {
  const areas = areaList.map(({ id }) => [
    id,
    Object.fromEntries(operationList.filter(({ area }) => area.id === id).map((operation) => [operation.method, rowOf(operation)])),
  ]);
  const errors = (Object.keys(ERRORS) as ErrorName[]).map((name) => [codeOf(name), ERRORS[name].retryable]);
  const text = `// Written by npm run generate from src/contract.

export const USUAL_DEADLINE_MS = ${USUAL_DEADLINE.ms};
/** The operations by area and method. */
export const METHODS = ${JSON.stringify(Object.fromEntries(areas))} as const;
/** Codes of the service, and whether a retry may help within minutes. */
export const RETRYABLE = ${JSON.stringify(Object.fromEntries(errors))} as const;
`;
  return formatted(FILE, text);
}
