import { Parser } from 'htmlparser2';
import { UnreadFields } from '../unread-fields.ts';
import type { Element } from './element.ts';
import type { Plan } from './selectors.ts';
import type { PageSource } from './source.ts';

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

/** A page after one traversal: its elements by the names of the selectors that match them, so that it is searched once. */
export interface Page<Name extends string> {
  /** Fields that this page states and that its parser could not read. */
  readonly unread: UnreadFields;
  /** The page as received, for the few values that are not in its elements. */
  readonly source: PageSource;
  /** Elements of a selector in document order, those inside `around` alone if it is given. */
  all(name: Name, around?: Element | null): readonly Element[];
  first(name: Name, around?: Element | null): Element | null;
  /** Texts of elements that a page of displayed elements left out (`hidden`, `display: none`), each with the element around it. */
  readonly undisplayed: readonly Undisplayed[];
}
interface Undisplayed {
  readonly parent: Element;
  text: string;
}

const UNDRAWN = new Set(['script', 'style', 'template', 'noscript']);
/** Roles of controls and of what lies over the page: their text is no content. */
export const OVERLAID = /^(button|dialog|alert|tooltip|menu)$/;
const isHidden = ({ hidden, style }: Element['attribs']): boolean =>
  hidden !== undefined || (style?.includes('none') === true && /display\s*:\s*none/i.test(style));

/** Indexes a page in one pass; null beyond the limits. `displayed`: without scripts, drawings and hidden elements, most of the bytes. */
export function indexPage<Name extends string>(source: PageSource, plan: Plan<Name>, displayed: boolean): Page<Name> | null {
  const nesting = new Nesting();
  const lists = new Map<Name, Element[]>(plan.names.map((name) => [name, []]));
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

  const note = (name: Name, element: Element): void => {
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
  const parser = new Parser({
    onopentag(name, attribs) {
      nesting.opened();
      const from = ++place;
      if (displayed) {
        const isUndrawn = UNDRAWN.has(name);
        if (hiddenDepth > 0 || name === 'svg' || isUndrawn) {
          hiddenDepth++;
          if (isUndrawn || name === 'button' || OVERLAID.test(attribs.role ?? '')) mutedDepth ||= hiddenDepth;
          return;
        }
        if (isHidden(attribs)) {
          hiddenDepth = 1;
          dropped = open && !OVERLAID.test(attribs.role ?? '') ? { parent: open, text: '' } : null;
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
    onclosetag() {
      nesting.closed();
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
  return {
    unread: new UnreadFields(),
    source,
    undisplayed,
    all(name, around) {
      const list = lists.get(name) ?? [];
      return around ? list.slice(firstAfter(list, around.from), firstAfter(list, around.end - 1)) : list;
    },
    first(name, around) {
      const list = lists.get(name) ?? [];
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
