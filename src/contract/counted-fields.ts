import type { WatchRules } from './operations/define.ts';
import type { Operation } from './operations/index.ts';
import { fieldsUnder, isNullable, isNumeric, type Shape } from './resource-fields.ts';
import { type Threshold, thresholdOf, type WatchedField } from './watched-field.ts';

export const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

/** The list whose entries a path is of; null: it is outside of lists. */
export const listHolding = ({ lists }: WatchRules, path: string): string | null =>
  Object.keys(lists).find((list) => isBelow(path, list)) ?? null;

export interface Counted {
  readonly path: string;
  readonly threshold: Threshold | null;
  readonly entry: string | null;
  /** Whether it is there at all counts, not what is in it. */
  readonly isPresence: boolean;
}

/** Ends a field whose presence counts: `aiOverview?`, `paid?`. */
export const PRESENCE = '?';
/** A list, or an object that may be null. */
function presenceOf(resource: Shape, { never }: WatchRules, path: string): readonly Counted[] | null {
  const isPart = path !== '' && !fieldsUnder(resource, path).includes(path) && isNullable(resource, path);
  return isPart && !never.includes(path) && !path.includes(PRESENCE) ? [{ path, threshold: null, entry: null, isPresence: true }] : null;
}

/** The fields that a watch counts, each as a path of its own; a list is counted by its key. Null: there is no such field. */
export function countedFields({ resource, watch }: Operation, field: WatchedField): readonly Counted[] | null {
  const given = typeof field === 'string' ? field : field.path;
  const threshold = thresholdOf(field);
  if (given.endsWith(PRESENCE)) return presenceOf(resource, watch, given.slice(0, -PRESENCE.length));
  const [, list, entry, rest = ''] = /^([\w.]+)\[(.+)\](\.[\w.]+)?$/.exec(given) ?? [];
  if (given === '' || (list !== undefined && !watch.lists[list])) return null;
  const path = list === undefined ? given : list + rest;
  const usual = watch.fields.filter((one) => isBelow(one, path));
  const paths = (usual.length > 0 ? usual : [path])
    .flatMap((one) => fieldsUnder(resource, one))
    .filter((one) => !watch.never.some((never) => isBelow(one, never)));
  return paths.length === 0 ? null : paths.map((one) => ({ path: one, threshold, entry: entry ?? null, isPresence: false }));
}

/** Whether every path that a field counts is a number, or a number that the source writes as text. */
export function countsNumbers(operation: Operation, field: WatchedField): boolean {
  const { series } = operation.watch;
  const paths = countedFields(operation, field) ?? [];
  return paths.every(
    ({ path, isPresence }) => !isPresence && (isNumeric(operation.resource, path) || series.some((above) => isBelow(path, above))),
  );
}
