import type { Test } from './element.ts';

/** CSS lists of compound selectors without combinators, by name: `#tads, .ad, a[href*="/aclk?"], [role="heading"]:not([aria-level])`. */
export type Selectors<Name extends string> = Readonly<Record<Name, string>>;

interface Rule<Name> {
  readonly name: Name;
  readonly matches: Test;
}
interface AttributeRules<Name> {
  /** Matches each value of the attribute that a rule may match: one test instead of one for each rule. */
  readonly glance: RegExp;
  /** Names of the selectors that are a class or an id alone. */
  readonly byWord: ReadonlyMap<string, readonly Name[]>;
  readonly rules: readonly Rule<Name>[];
}
/** Selectors by a tag or attribute that they require, so that most elements are skipped quickly. */
export interface Plan<Name> {
  readonly names: readonly Name[];
  readonly byTag: ReadonlyMap<string, readonly Rule<Name>[]>;
  readonly byAttribute: ReadonlyMap<string, AttributeRules<Name>>;
}

const OPERATORS: Readonly<Record<string, (given: string, value: string) => boolean>> = {
  '': (given, value) => given === value,
  '~': (given, value) => given.split(/\s+/).includes(value),
  '*': (given, value) => given.includes(value),
  '^': (given, value) => given.startsWith(value),
  $: (given, value) => given.endsWith(value),
};
const CONDITION = /(:not\()?\[([\w-]+)(?:([~*^$]?)="([^"]*)")?\]\)?/g;

function matcher(selector: string): Test {
  const tag = /^[\w-]*/.exec(selector)?.[0] ?? '';
  const conditions = [...selector.matchAll(CONDITION)];
  if (tag.length + conditions.reduce((sum, [whole]) => sum + whole.length, 0) !== selector.length)
    throw new Error(`the selector ${selector} has a form that is not supported`);
  const tests = conditions.map(([, not, name = '', how = '', value]) => ({ not: not !== undefined, name, holds: OPERATORS[how], value }));
  return ({ name, attribs }) =>
    (tag === '' || name === tag) &&
    tests.every((test) => {
      const given = attribs[test.name];
      return (given !== undefined && (test.value === undefined || test.holds?.(given, test.value) === true)) !== test.not;
    });
}

export function planOf<Name extends string>(selectors: Selectors<Name>): Plan<Name> {
  const names = Object.keys(selectors) as Name[];
  const byTag = new Map<string, Rule<Name>[]>();
  const byAttribute = new Map<string, { values: string[]; byWord: Map<string, Name[]>; rules: Rule<Name>[] }>();
  for (const name of names)
    for (const selector of selectors[name].split(/\s*,\s*(?![^[]*\])/)) {
      const [, mark, word = ''] = /^([#.])([\w-]+)$/.exec(selector) ?? [];
      // the value that an attribute must hold: the empty string where any will do
      const [, attribute = mark && (mark === '#' ? 'id' : 'class'), value = word] =
        /\[([\w-]+)(?:[~*^$]?="([^"]*)")?\]/.exec(selector) ?? [];
      if (attribute === undefined) {
        byTag.set(selector, [...(byTag.get(selector) ?? []), { name, matches: matcher(selector) }]);
        continue;
      }
      const known = byAttribute.get(attribute) ?? { values: [], byWord: new Map<string, Name[]>(), rules: [] as Rule<Name>[] };
      byAttribute.set(attribute, known);
      known.values.push(value);
      if (mark) known.byWord.set(word, [...(known.byWord.get(word) ?? []), name]);
      else known.rules.push({ name, matches: matcher(selector) });
    }
  const glanced = [...byAttribute].map(([attribute, { values, ...rules }]) => [attribute, { ...rules, glance: anyOf(values) }] as const);
  return { names, byTag, byAttribute: new Map(glanced) };
}
const anyOf = (values: readonly string[]): RegExp =>
  new RegExp(values.map((value) => value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'));
