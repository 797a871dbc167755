import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { type Change, compare, keyed, sameJson, valueAt } from './compare.ts';
import { listHolding } from './counted-fields.ts';
import type { ListRule } from './operations/define.ts';
import { type Operation, operationList } from './operations/index.ts';
import { fieldsUnder, shapeOf } from './resource-fields.ts';

type Json = Record<string, unknown>;
const RUNS = 60;

/** Any value that a schema allows. */
function arbitraryOf(schema: TSchema): fc.Arbitrary<unknown> {
  const { anyOf } = schema as { anyOf?: readonly TSchema[] };
  const of = shapeOf(schema) as { type?: string; enum?: string[]; pattern?: string; items?: TSchema; properties?: Record<string, TSchema> };
  const plain = ((): fc.Arbitrary<unknown> => {
    if (of.properties) return fc.record(Object.fromEntries(Object.entries(of.properties).map(([name, one]) => [name, arbitraryOf(one)])));
    if (of.items) return fc.array(arbitraryOf(of.items), { maxLength: 6 });
    if (of.enum) return fc.constantFrom(...of.enum);
    if (of.type === 'boolean') return fc.boolean();
    if (of.type === 'integer' || of.type === 'number') return fc.integer({ min: 0, max: 20 });
    if (of.pattern) return fc.integer({ min: 10, max: 28 }).map((day) => `2026-01-${day}`);
    return fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  })();
  return anyOf ? fc.option(plain, { nil: null, freq: 4 }) : plain;
}
const groupOf = (key: readonly string[], entry: Json): string =>
  key
    .slice(1)
    .map((flag) => entry[flag] === true)
    .join();
/** Ranks are places in the list, in that of its group. */
function ranked({ watch }: Operation, resource: unknown): unknown {
  for (const [list, { key, rank }] of Object.entries(watch.lists)) {
    const counts = new Map<string, number>();
    const entries = valueAt(resource, list);
    if (rank === undefined || !Array.isArray(entries)) continue;
    for (const entry of entries as Json[]) {
      const group = groupOf(key, entry);
      counts.set(group, (counts.get(group) ?? 0) + 1);
      entry[rank] = counts.get(group);
    }
  }
  return resource;
}
const answerOf = (operation: Operation): fc.Arbitrary<unknown> =>
  arbitraryOf(operation.resource).map((resource) => ranked(operation, structuredClone(resource)));

/** The counted fields of an answer: values by path, and entries in their order by list. */
function countedIn({ watch, resource }: Operation, answer: unknown) {
  const parts = watch.fields.filter((field) => field.endsWith('?')).map((field) => field.slice(0, -1));
  const paths = watch.fields.flatMap((field) => fieldsUnder(resource, field));
  const values = new Map([
    ...paths.filter((path) => listHolding(watch, path) === null).map((path) => [path, valueAt(answer, path)] as const),
    ...parts.map((path) => [`${path}?`, !['null', '[]'].includes(JSON.stringify(valueAt(answer, path)))] as const),
  ]);
  const lists = new Map(
    Object.entries(watch.lists).flatMap(([list, rule]) => {
      const own = paths.filter((path) => listHolding(watch, path) === list).map((path) => path.slice(list.length + 1));
      if (own.length === 0) return [];
      const entries = [...keyed((valueAt(answer, list) ?? []) as Json[], rule)].map(([key, entry]) => ({
        key,
        group: groupOf(rule.key, entry),
        fields: Object.fromEntries(own.filter((name) => name !== rule.rank).map((name) => [name, valueAt(entry, name)])),
      }));
      return [[list, { rule, own, entries: rule.rank ? entries : entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }]];
    }),
  );
  return { values, lists };
}

/** Applies changes to the counted fields of an answer. */
function applied(operation: Operation, before: unknown, changes: readonly Change[]) {
  const { values, lists } = countedIn(operation, before);
  for (const { field, after, kind, key } of changes) if (kind === 'changed' && key === null) values.set(field, after);
  for (const [list, part] of lists) {
    const { rule, own } = part;
    const mine = changes.filter(({ field }) => field === list || field.startsWith(`${list}.`));
    const gone = mine.filter(({ kind }) => kind === 'removed').map(({ key }) => key);
    const moved = new Map(mine.filter(({ kind }) => kind === 'moved').map(({ key, after }) => [key, Number(after)]));
    for (const { kind, key, field, after } of mine)
      if (kind === 'changed')
        Object.assign(part.entries.find((one) => one.key === key)?.fields ?? {}, { [field.slice(list.length + 1)]: after });
    const added = mine.flatMap(({ kind, key, after }) => {
      const entry = after as Json;
      const fields = () => Object.fromEntries(own.filter((name) => name !== rule.rank).map((name) => [name, valueAt(entry, name)]));
      return kind === 'added'
        ? [{ key: String(key), group: groupOf(rule.key, entry), fields: fields(), place: Number(entry[rule.rank ?? '']) }]
        : [];
    });
    const placed = [...added, ...part.entries.flatMap((one) => (moved.has(one.key) ? [{ ...one, place: moved.get(one.key) ?? 0 }] : []))];
    const unmoved = part.entries.filter(({ key }) => !gone.includes(key) && !moved.has(key));
    const groups = [...new Set([...unmoved, ...placed].map(({ group }) => group))];
    const inGroups = groups.map((group) => {
      const result = unmoved.filter((one) => one.group === group);
      const own = placed.filter((one) => one.group === group).sort((a, b) => a.place - b.place);
      for (const { place, ...one } of own) result.splice(rule.rank ? place - 1 : result.length, 0, one);
      return result;
    });
    part.entries = rule.rank ? inGroups.flat() : inGroups.flat().toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
  return { values, lists };
}
/** In groups, and without the order of texts. */
const comparable = ({ values, lists }: ReturnType<typeof countedIn>) => ({
  values: [...values].map(([path, value]) => [path, Array.isArray(value) ? value.toSorted() : value]),
  lists: [...lists].map(([list, { entries }]) => {
    const groups = Map.groupBy(entries, ({ group }) => group);
    const sorted = (fields: Json) => Object.entries(fields).map(([k, v]) => [k, Array.isArray(v) ? v.toSorted() : v]);
    return [list, [...groups].sort().map(([group, all]) => [group, all.map(({ key, fields }) => [key, sorted(fields)])])];
  }),
});

/** Whole lists, so that nothing is hidden by a page. */
const whole = ({ watch, ...rest }: Operation): Operation => ({
  ...rest,
  watch: {
    lists: Object.fromEntries(
      Object.entries(watch.lists).map(([list, { key, rank }]) => [list, rank === undefined ? { key } : { key, rank }]),
    ),
    fields: watch.fields,
    never: watch.never,
    series: watch.series,
  },
});
const REVERSE = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const;
const reversed = ({ kind, field, key, before, after }: Change): Change => ({
  kind: REVERSE[kind],
  field,
  key,
  before: after,
  after: before,
});
const inOrder = (changes: readonly Change[]) => changes.map((change) => JSON.stringify(change)).sort();

for (const operation of operationList) {
  test(`${operation.id}: equal answers give no change; changes applied to the first give the second; comparing back gives the reverse`, () => {
    const pair = fc.tuple(answerOf(operation), answerOf(operation));
    fc.assert(
      fc.property(pair, ([before, after]) => {
        assert.deepEqual(compare(operation, before, structuredClone(before)), []);
        assert.deepEqual(compare(operation, before, structuredClone(before), { fields: 'every' }), []);
        const changes = compare(whole(operation), before, after);
        assert.deepEqual(comparable(applied(whole(operation), before, changes)), comparable(countedIn(whole(operation), after)));
        assert.deepEqual(inOrder(compare(whole(operation), after, before).map(reversed)), inOrder(changes));
      }),
      { numRuns: RUNS },
    );
  });

  for (const [list, rule] of Object.entries(operation.watch.lists))
    test(`${operation.id}, ${list}: a new entry gives one added; another order gives moved only where entries are ranked`, () => {
      const fields = [list];
      const lists = arbitraryOf(operation.resource).filter((resource) => Array.isArray(valueAt(resource, list)));
      fc.assert(
        fc.property(lists, fc.nat(), fc.nat(), (generated, from, to) => {
          const before = ranked(operation, structuredClone(generated));
          const inserted = structuredClone(before);
          const [name = ''] = rule.key;
          const entries = valueAt(inserted, list) as Json[];
          entries.splice(to % (entries.length + 1), 0, { ...newEntry(operation, list), [name]: 'new' });
          ranked(operation, inserted);
          const counts = compare(whole(operation), before, inserted, { fields }).map(({ kind }) => kind);
          assert.deepEqual(counts, ['added']);

          const shuffled = structuredClone(before);
          const own = valueAt(shuffled, list) as Json[];
          // entries of the same key are told apart by their order
          if ([...keyed(own, rule).keys()].some((key) => key.includes('#'))) return;
          own.splice(to % (own.length || 1), 0, ...own.splice(from % (own.length || 1), 1));
          ranked(operation, shuffled);
          const kinds = new Set(compare(whole(operation), before, shuffled, { fields }).map(({ kind }) => kind));
          const isSame = rule.rank === undefined || ranksOf(shuffled, list, rule) === ranksOf(before, list, rule);
          assert.deepEqual([...kinds], isSame ? [] : ['moved']);
        }),
        { numRuns: RUNS },
      );
    });
}
const newEntry = ({ resource }: Operation, list: string): Json => {
  const items = shapeOf(list.split('.').reduce<TSchema>((at, name) => shapeOf(at).properties?.[name] ?? at, resource)).items;
  return fc.sample(arbitraryOf(items ?? assert.fail(list)), { numRuns: 1, seed: 1 })[0] as Json;
};
const ranksOf = (answer: unknown, list: string, rule: ListRule): string =>
  JSON.stringify([...keyed(valueAt(answer, list) as Json[], rule)].map(([key, entry]) => [key, entry[rule.rank ?? '']]).sort());

test('two values are the same in whatever order their members, and the texts of a list, stand', () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, one]) => [name, reversed(one)]),
          )
        : value;
  fc.assert(fc.property(fc.jsonValue(), (value) => sameJson(value, reversed(value))));
  assert.equal(sameJson(['a', 'b'], ['b', 'a']), true);
  assert.equal(sameJson([1, 2], [2, 1]), false);
  assert.equal(sameJson({ a: { b: 1, c: 2 } }, { a: { c: 1, b: 2 } }), false);
});
