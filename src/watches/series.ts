import type { WatchHistory } from '../contract/account/watch-schemas.ts';
import { countedFields, keyed, listAt, listOf, valueAt } from '../contract/compare.ts';
import type { Operation } from '../contract/operations/index.ts';
import { fieldsUnder } from '../contract/resource-fields.ts';
import type { WatchedField } from '../contract/watched-field.ts';

export type SeriesPoint = WatchHistory['checks'][number]['series'][number];
const numberOf = (value: unknown): number | null => (value === null || value === '' || Number.isNaN(Number(value)) ? null : Number(value));
const seriesFields = ({ watch, resource }: Operation): readonly string[] => watch.series.flatMap((path) => fieldsUnder(resource, path));

/** The numbers of an answer that make a series; of entries in lists with their keys. */
export function seriesOf(operation: Operation, body: unknown): SeriesPoint[] {
  const { watch } = operation;
  return seriesFields(operation).flatMap((field): SeriesPoint[] => {
    const list = listOf(watch, field);
    const rule = list === null ? undefined : watch.lists[list];
    if (list === null || !rule) return [{ field, key: null, value: numberOf(valueAt(body, field)) }];
    const name = field.slice(list.length + 1);
    return [...keyed(listAt(body, list), rule)].map(([key, entry]) => ({ field, key, value: numberOf(valueAt(entry, name)) }));
  });
}

/** The number that the list of watches shows: of the entry that `fields` names, else the first one outside of lists; null: there is none. */
export function firstNumber(operation: Operation, fields: readonly WatchedField[] | null) {
  const { watch } = operation;
  const series = seriesFields(operation);
  const asked = (fields ?? []).flatMap((field) => countedFields(operation, field) ?? []);
  const isOne = ({ path, entry }: { path: string; entry: string | null }): boolean =>
    series.includes(path) && (entry !== null || listOf(watch, path) === null);
  const one = [...asked, ...series.map((path) => ({ path, entry: null }))].find(isOne);
  if (!one) return null;
  const { path, entry } = one;
  const list = listOf(watch, path);
  if (list === null) return { field: path, of: (body: unknown) => numberOf(valueAt(body, path)) };
  const rest = path.slice(list.length);
  const entryIn = (body: unknown) => listAt(body, list).find((each) => Object.values(each).includes(entry));
  return { field: `${list}[${entry}]${rest}`, of: (body: unknown) => numberOf(valueAt(entryIn(body), rest.slice(1))) };
}
