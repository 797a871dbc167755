import type { WatchHistory } from '../contract/account/watch-schemas.ts';
import { keyed, listAt, valueAt } from '../contract/compare.ts';
import { countedFields, listHolding } from '../contract/counted-fields.ts';
import type { Operation } from '../contract/operations/index.ts';
import { fieldsUnder } from '../contract/resource-fields.ts';
import type { WatchedField } from '../contract/watched-field.ts';

export type SeriesPoint = WatchHistory['checks'][number]['series'][number];
const numberOf = (value: unknown): number | null => (value === null || value === '' || Number.isNaN(Number(value)) ? null : Number(value));
const seriesFields = ({ watch, resource }: Operation): readonly string[] => watch.series.flatMap((path) => fieldsUnder(resource, path));

interface EntryNumber {
  /** As `fields` names it: `organic[example.com].rank`; of a number outside of lists its path. */
  readonly field: string;
  readonly of: (body: unknown) => number | null;
}
/** The numbers that `fields` names one by one, each once: those of an entry of a list, and those outside of lists. */
function namedNumbers(
  operation: Operation,
  fields: readonly WatchedField[] | null,
): readonly (EntryNumber & { readonly isEntry: boolean })[] {
  const { watch } = operation;
  const series = seriesFields(operation);
  const numbers = (fields ?? [])
    .flatMap((field) => countedFields(operation, field) ?? [])
    .flatMap(({ path, entry, isPresence }) => {
      const list = listHolding(watch, path);
      if (isPresence || !series.includes(path) || (entry === null && list !== null)) return [];
      if (list === null) return [{ field: path, isEntry: false, of: (body: unknown) => numberOf(valueAt(body, path)) }];
      const rest = path.slice(list.length);
      // the first one of a ranked list has the best place
      const entryIn = (body: unknown) => listAt(body, list).find((each) => Object.values(each).includes(entry));
      return [{ field: `${list}[${entry}]${rest}`, isEntry: true, of: (body: unknown) => numberOf(valueAt(entryIn(body), rest.slice(1))) }];
    });
  return [...new Map(numbers.map((number) => [number.field, number])).values()];
}

/** The numbers of an answer that make a series: those of the entries that `fields` names, null where there is no such entry; then all others, of entries in lists with their keys. */
export function seriesOf(operation: Operation, fields: readonly WatchedField[] | null, body: unknown): SeriesPoint[] {
  const { watch } = operation;
  const named = namedNumbers(operation, fields).filter(({ isEntry }) => isEntry);
  return [
    ...named.map(({ field, of }): SeriesPoint => ({ field, key: null, value: of(body) })),
    ...seriesFields(operation).flatMap((field): SeriesPoint[] => {
      const list = listHolding(watch, field);
      const rule = list === null ? undefined : watch.lists[list];
      if (list === null || !rule) return [{ field, key: null, value: numberOf(valueAt(body, field)) }];
      const name = field.slice(list.length + 1);
      return [...keyed(listAt(body, list), rule)].map(([key, entry]) => ({ field, key, value: numberOf(valueAt(entry, name)) }));
    }),
  ];
}

/** The number that the list of watches shows: the first one that `fields` names, else the first one of the operation outside of lists; null: there is none. */
export function firstNumber(operation: Operation, fields: readonly WatchedField[] | null): EntryNumber | null {
  const [first] = namedNumbers(operation, fields);
  const usual = seriesFields(operation).find((path) => listHolding(operation.watch, path) === null);
  return first ?? (usual === undefined ? null : { field: usual, of: (body) => numberOf(valueAt(body, usual)) });
}
