import { type AnyNode, compile, type Element, type Query } from '../../html.ts';

/** CSS lists of compound selectors (no combinators), by name. */
export type Anchors<Name extends string> = Readonly<Record<Name, string>>;

export interface Rule {
  readonly names: readonly string[];
  readonly matches: Query;
}
export interface Plan {
  readonly byId: ReadonlyMap<string, readonly Rule[]>;
  readonly byClass: ReadonlyMap<string, readonly Rule[]>;
  /** Matches a class attribute with any class of the anchors. */
  readonly anyClass: RegExp;
  /** Has every attribute that is relevant to matching, including `id`, `class`, `style` and `hidden`; most attributes are not. */
  readonly byAttribute: ReadonlyMap<string, { readonly glance: RegExp; readonly rules: readonly Rule[] }>;
  readonly byTag: ReadonlyMap<string, readonly Rule[]>;
}

const always: Query = () => true;
const CONDITION = /\[([\w-]+)(?:([*^]?)="([^"]*)")?\]/g;

/** A compound selector of tag and attribute conditions as a plain function; css-select compiles all others. */
function matcher(selector: string): Query {
  const tag = /^[\w-]*/.exec(selector)?.[0] ?? '';
  const conditions = [...selector.matchAll(CONDITION)];
  if (tag.length + conditions.reduce((sum, c) => sum + c[0].length, 0) !== selector.length) return compile<AnyNode, Element>(selector);
  const tests = conditions.map(([, name = '', how, value]) => (attribs: Record<string, string | undefined>): boolean => {
    const given = attribs[name];
    if (given === undefined) return false;
    if (value === undefined) return true;
    return how === '*' ? given.includes(value) : how === '^' ? given.startsWith(value) : given === value;
  });
  return (node) => {
    const { name, attribs } = node as Element;
    return (tag === '' || name === tag) && tests.every((test) => test(attribs));
  };
}

/** Groups the anchors by a required tag, class or attribute, so that most elements are skipped quickly. */
export function plan(anchors: Readonly<Record<string, string>>): Plan {
  const bySelector = new Map<string, string[]>();
  for (const [name, list] of Object.entries(anchors)) {
    for (const selector of list.split(/\s*,\s*(?![^[]*\])/)) bySelector.set(selector, [...(bySelector.get(selector) ?? []), name]);
  }
  const byId = new Map<string, Rule[]>();
  const byClass = new Map<string, Rule[]>();
  const byAttribute = new Map<string, Rule[]>(['id', 'class', 'style', 'hidden'].map((name) => [name, []]));
  const byTag = new Map<string, Rule[]>();
  /** The values that rules require, by attribute name; null: any value. */
  const valuesOf = new Map<string, (string | null)[]>();
  for (const [selector, names] of bySelector) {
    const [, mark = '', key = ''] = /^([#.]?)([\w-]+)$/.exec(selector) ?? [];
    const attributeName = /\[([\w-]+)/.exec(selector)?.[1];
    const map = mark === '#' ? byId : mark === '.' ? byClass : attributeName ? byAttribute : byTag;
    const under = key || attributeName;
    if (!under) throw new Error(`the anchor ${selector} names neither id, class, attribute nor tag`);
    map.set(under, [...(map.get(under) ?? []), { names, matches: key ? always : matcher(selector) }]);
    if (attributeName && !key) {
      const value = /\[[\w-]+[*^$~|]?="([^"]*)"\]/.exec(selector.slice(selector.indexOf('[')))?.[1];
      const first = /^\[[\w-]+\]/.test(selector.slice(selector.indexOf('['))) ? null : (value ?? null);
      valuesOf.set(attributeName, [...(valuesOf.get(attributeName) ?? []), first]);
    }
  }
  const anyClass = new RegExp([...byClass.keys()].join('|') || '(?!)');
  const glanced = [...byAttribute].map(([name, rules]) => [name, { glance: glanceAt(valuesOf.get(name) ?? []), rules }] as const);
  return { byId, byClass, anyClass, byAttribute: new Map(glanced), byTag };
}

/** Matches every value of an attribute that any rule could match: one test instead of one per rule. */
function glanceAt(values: readonly (string | null)[]): RegExp {
  if (values.length === 0) return /(?!)/;
  if (values.includes(null)) return /(?:)/;
  return new RegExp(values.map((value) => (value ?? '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'));
}
