import { Parser } from 'htmlparser2';
import { readTable } from '../../runtime/table.ts';
import { UnreadFields } from '../unread-fields.ts';
import { type Element, type Test, within } from './element.ts';
import type { PageSource } from './markup.ts';

/** Limits of work per element and per ancestor. Recorded pages of 2015 to 2026 have at most 61 levels and 13,200 elements. */
export const MAX_HTML_DEPTH = 256;
export const MAX_HTML_ELEMENTS = 100_000;

/** Counts the elements of a page during parsing and stops the parser at the first beyond the limits. */
export class Nesting {
  #depth = 0;
  #elements = 0;
  #exceeded = false;
  #parser: Parser | null = null;

  opened(): void {
    if (++this.#depth <= MAX_HTML_DEPTH && ++this.#elements <= MAX_HTML_ELEMENTS) return;
    this.#exceeded = true;
    this.#parser?.pause();
  }
  closed(): void {
    this.#depth--;
  }
  /** Parses the whole page; false if it exceeds the limits, and the result is then incomplete. */
  parse(parser: Parser, html: string): boolean {
    this.#parser = parser;
    parser.write(html);
    if (!this.#exceeded) parser.end();
    return !this.#exceeded;
  }
}

interface Rule {
  readonly name: string;
  readonly matches: Test;
}
interface AttributeRules {
  /** Matches each value of the attribute that a rule may match: one test instead of one for each rule. */
  readonly glance: RegExp;
  /** Names of the selectors that are a class or an id alone. */
  readonly byWord: ReadonlyMap<string, readonly string[]>;
  readonly rules: readonly Rule[];
}
/** Selectors by a tag or attribute that they require, so that most elements are skipped quickly. */
export interface Plan {
  readonly names: readonly string[];
  readonly byTag: ReadonlyMap<string, readonly Rule[]>;
  readonly byAttribute: ReadonlyMap<string, AttributeRules>;
}
/** CSS lists of compound selectors without combinators, by name: `#tads, .ad, a[href*="/aclk?"], [role="heading"]:not([aria-level])`. */
export type Selectors = Readonly<Record<string, string>>;
/** Reads selectors from a TSV file. Each row defines one name. */
export const selectorsIn = (file: URL): Selectors => Object.fromEntries(readTable(file));

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

export function planOf(selectors: Selectors): Plan {
  const byTag = new Map<string, Rule[]>();
  const byAttribute = new Map<string, { values: string[]; byWord: Map<string, string[]>; rules: Rule[] }>();
  for (const [name, list] of Object.entries(selectors))
    for (const selector of list.split(/\s*,\s*(?![^[]*\])/)) {
      const [, mark, word = ''] = /^([#.])([\w-]+)$/.exec(selector) ?? [];
      // the value that an attribute must hold: the empty string where any will do
      const [, attribute = mark && (mark === '#' ? 'id' : 'class'), value = word] =
        /\[([\w-]+)(?:[~*^$]?="([^"]*)")?\]/.exec(selector) ?? [];
      if (attribute === undefined) {
        byTag.set(selector, [...(byTag.get(selector) ?? []), { name, matches: matcher(selector) }]);
        continue;
      }
      const known = byAttribute.get(attribute) ?? { values: [], byWord: new Map<string, string[]>(), rules: [] as Rule[] };
      byAttribute.set(attribute, known);
      known.values.push(value);
      if (mark) known.byWord.set(word, [...(known.byWord.get(word) ?? []), name]);
      else known.rules.push({ name, matches: matcher(selector) });
    }
  const glanced = [...byAttribute].map(([attribute, { values, ...rules }]) => [attribute, { ...rules, glance: anyOf(values) }] as const);
  return { names: Object.keys(selectors), byTag, byAttribute: new Map(glanced) };
}
const anyOf = (values: readonly string[]): RegExp =>
  new RegExp(values.map((value) => value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'));

/** A page after one traversal: its elements by the names of the selectors that match them, so that it is searched once. */
export type Page = NonNullable<ReturnType<typeof indexPage>>;
interface Undisplayed {
  readonly parent: Element;
  text: string;
  readonly links: Element['attribs'][];
}

const UNDRAWN = new Set(['script', 'style', 'template', 'noscript']);
/** Roles of controls and of what lies over the page: their text is no content. */
export const OVERLAID = /^(button|dialog|alert|tooltip|menu)$/;
export const isHidden = ({ hidden, style }: Element['attribs']): boolean =>
  hidden !== undefined || (style?.includes('none') === true && /display\s*:\s*none/i.test(style));

/** Indexes a page in one pass; null beyond the limits. `displayed`: without scripts, drawings and hidden elements, most of the bytes. */
export function indexPage(source: PageSource, plan: Plan, displayed: boolean) {
  const nesting = new Nesting();
  const lists = new Map<string, Element[]>(plan.names.map((name) => [name, []]));
  const undisplayed: Undisplayed[] = [];
  let place = 0;
  let open: Element | null = null;
  /** The last element at each depth of the open one. */
  const last: (Element | null)[] = [null];
  /** Number of open elements within one that is left out, itself included. */
  let hiddenDepth = 0;
  /** The text that is left out; null within scripts and drawings. */
  let dropped: Undisplayed | null = null;
  /** Number of open elements down to a control or dialog within the text that is left out; 0 outside of one. */
  let mutedDepth = 0;

  const note = (name: string, element: Element): void => {
    const list = lists.get(name);
    if (list && list.at(-1) !== element) list.push(element);
  };
  const select = (element: Element): void => {
    const { attribs } = element;
    const tagged = plan.byTag.get(element.name);
    if (tagged) for (const rule of tagged) if (rule.matches(element)) note(rule.name, element);
    for (const attribute in attribs) {
      const known = plan.byAttribute.get(attribute);
      const value = attribs[attribute] ?? '';
      if (!known?.glance.test(value)) continue;
      if (known.byWord.size > 0)
        for (const word of attribute === 'class' ? value.split(/\s+/) : [value])
          for (const name of known.byWord.get(word) ?? []) note(name, element);
      for (const rule of known.rules) if (rule.matches(element)) note(rule.name, element);
    }
  };
  /** Of each open `<font>`, whether it is no element here: translators put one around every text, which says how it is drawn. */
  const unmeant: boolean[] = [];
  const isUnmeant = (attribs: Element['attribs']): boolean => {
    const is = hiddenDepth === 0 && !(displayed && isHidden(attribs));
    unmeant.push(is);
    return is;
  };
  const parser = new Parser({
    onopentag(name, attribs) {
      nesting.opened();
      if (name === 'font' && isUnmeant(attribs)) return;
      const from = ++place;
      if (displayed) {
        const isUndrawn = UNDRAWN.has(name);
        if (hiddenDepth > 0 || name === 'svg' || isUndrawn) {
          hiddenDepth++;
          if (name === 'a') dropped?.links.push(attribs);
          if (isUndrawn || name === 'button' || OVERLAID.test(attribs.role ?? '')) mutedDepth ||= hiddenDepth;
          return;
        }
        if (isHidden(attribs)) {
          hiddenDepth = 1;
          if (OVERLAID.test(attribs.role ?? '')) mutedDepth = 1;
          dropped = open && { parent: open, text: '', links: [] };
          if (dropped) undisplayed.push(dropped);
          return;
        }
      }
      const element: Element = { name, attribs, parent: open, children: [], next: null, from, end: Number.POSITIVE_INFINITY };
      const before = last[last.length - 1];
      if (before) before.next = element;
      last[last.length - 1] = element;
      last.push(null);
      open?.children.push(element);
      open = element;
      select(element);
    },
    onclosetag(name) {
      nesting.closed();
      if (name === 'font' && unmeant.pop()) return;
      if (hiddenDepth === 0) {
        if (open) open.end = place + 1;
        open = open?.parent ?? null;
        last.pop();
        return;
      }
      if (hiddenDepth === mutedDepth) mutedDepth = 0;
      if (--hiddenDepth === 0) dropped = null;
    },
    ontext(text) {
      if (hiddenDepth === 0) open?.children.push(text);
      else if (dropped && mutedDepth === 0) dropped.text += text;
    },
  });
  if (!nesting.parse(parser, source.markup)) return null;
  const listOf = (name: string): readonly Element[] => {
    const list = lists.get(name);
    if (!list) throw new Error(`the plan has no selector ${name}`);
    return list;
  };
  return {
    /** Fields that this page states and that its parser could not read. */
    unread: new UnreadFields(),
    /** The page as received, for the few values that are not in its elements. */
    source,
    /** Texts and links of elements that a page of displayed elements left out (`hidden`, `display: none`), each with the element around it. */
    undisplayed: undisplayed as readonly Undisplayed[],
    /** Elements of a selector in document order, those inside `around` alone if it is given. */
    all(name: string, around?: Element | null): readonly Element[] {
      const list = listOf(name);
      return around ? list.slice(firstAfter(list, around.from), firstAfter(list, around.end - 1)) : list;
    },
    /** Whether an element is one of a selector, or inside of one. */
    isIn: (name: string, element: Element): boolean => listOf(name).some((around) => within(element, around)),
    first(name: string, around?: Element | null): Element | null {
      const list = listOf(name);
      const first = list[around ? firstAfter(list, around.from) : 0];
      return first && (!around || first.from < around.end) ? first : null;
    },
  };
}

function firstAfter(list: readonly Element[], place: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.from ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
