import { Parser } from 'htmlparser2';
import { Nesting } from '../../html-limits.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { SELECTOR_NAMES, SELECTORS, type Selector, type SelectorName } from './selectors.ts';

/** A handle of an element: parsers pass it to the methods of Page and do not access the tree. */
export interface Element {
  readonly name: string;
}

/** The queries that parsers use. Lists are in document order. */
export interface Page {
  /** Fields that this page states and that its parser could not read. */
  readonly unread: UnreadFields;
  all(selector: SelectorName, within?: Element): Element[];
  first(selector: SelectorName, within?: Element): Element | null;
  contains(outer: Element, inner: Element): boolean;
  parent(element: Element): Element | null;
  next(element: Element): Element | null;
  attribute(element: Element, name: string): string | null;
  /** All text inside, unchanged; a `<br>` becomes a line feed. */
  raw(element: Element): string;
  /** True if it contains no element other than `<svg>`. */
  isLeaf(element: Element): boolean;
}

interface Test {
  readonly name: SelectorName;
  readonly selector: Selector;
}
const byTag = new Map<string, SelectorName[]>();
const byAttribute = new Map<string, Test[]>();
for (const name of SELECTOR_NAMES) {
  const selector: Selector = SELECTORS[name];
  if (selector.attribute) byAttribute.set(selector.attribute, [...(byAttribute.get(selector.attribute) ?? []), { name, selector }]);
  else if (selector.tag) byTag.set(selector.tag, [...(byTag.get(selector.tag) ?? []), name]);
}

function hasWord(value: string, word: string): boolean {
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
    const before = at === 0 ? ' ' : value.charAt(at - 1);
    const after = value.charAt(at + word.length) || ' ';
    if (before.trim() === '' && after.trim() === '') return true;
  }
  return false;
}
function matches({ is, word, ends, tag }: Selector, name: string, value: string): boolean {
  if (tag !== undefined && tag !== name) return false;
  if (is !== undefined) return value === is;
  if (word !== undefined) return hasWord(value, word);
  return ends === undefined || value.endsWith(ends);
}

/** A smaller tree than that of domhandler, built in half the time. `from` and `to` are positions in document order. */
interface Node extends Element {
  /** Without most classes, which are half of a page's bytes. */
  readonly attributes: Map<string, string> | null;
  readonly parent: Node | null;
  readonly children: (Node | string)[];
  readonly from: number;
  to: number;
}
type Lists = Record<SelectorName, Node[]>;

/** Parses the page and collects the elements of every selector; null if it exceeds the limits. */
function index(html: string): Lists | null {
  const nesting = new Nesting();
  const lists = Object.fromEntries(SELECTOR_NAMES.map((name) => [name, [] as Node[]])) as Lists;
  let place = 0;
  const enter = (name: string, parent: Node | null) =>
    ({ name, attributes: null as Node['attributes'], parent, children: [], from: place++, to: Number.POSITIVE_INFINITY }) satisfies Node;
  let open: Node & { attributes: Node['attributes'] } = enter('', null);
  const parser = new Parser({
    onopentagname(name) {
      nesting.opened();
      const node = enter(name, open);
      open.children.push(node);
      open = node;
      const selectors = byTag.get(name);
      if (selectors !== undefined) for (const selector of selectors) lists[selector].push(node);
    },
    onattribute(name, value) {
      if (name === 'class') {
        if (!value.includes('app-details-') && !value.includes('built-for-')) return;
      } else {
        open.attributes ??= new Map();
        if (open.attributes.has(name)) return;
        open.attributes.set(name, value);
      }
      const tests = byAttribute.get(name);
      if (tests !== undefined) for (const test of tests) if (matches(test.selector, open.name, value)) lists[test.name].push(open);
    },
    onclosetag() {
      nesting.closed();
      open.to = place;
      open = open.parent ?? open;
    },
    ontext(text) {
      open.children.push(text);
    },
  });
  return nesting.parse(parser, html) ? lists : null;
}

/** Index of the first entry of a sorted list with a position after `at`. */
function after(list: readonly Node[], at: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.from ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function rawText(node: Node): string {
  let text = '';
  const { children } = node;
  for (const [i, child] of children.entries()) {
    if (typeof child === 'string') text += besideBreaks(child, isBreak(children[i - 1]), isBreak(children[i + 1]));
    else if (isBreak(child)) text += '\n';
    else if (child.name !== 'script' && child.name !== 'style') text += rawText(child);
  }
  return text;
}
const isBreak = (child: Node | string | undefined): boolean => typeof child === 'object' && child.name === 'br';
/** Removes a line feed of the source directly before or after a `<br>`, which would be a second break. */
export function besideBreaks(text: string, after: boolean, before: boolean): string {
  const rest = after ? text.replace(/^[^\S\n]*\n/, '') : text;
  return before ? rest.replace(/\n[^\S\n]*$/, '') : rest;
}

/** Null if the page has too many levels or elements. */
export function openPage(html: string): Page | null {
  const lists = index(html);
  if (lists === null) return null;
  // the elements that callers pass are nodes that this page returned, so that methods may take the narrower type
  return {
    unread: new UnreadFields(),
    all(selector: SelectorName, within?: Node): Node[] {
      const list = lists[selector];
      if (!within) return list;
      const first = after(list, within.from);
      return list.slice(first, after(list, within.to - 1));
    },
    first(selector: SelectorName, within?: Node): Node | null {
      const list = lists[selector];
      const found = list[within ? after(list, within.from) : 0];
      return found && (!within || found.from < within.to) ? found : null;
    },
    contains: (outer: Node, inner: Node): boolean => inner.from > outer.from && inner.from < outer.to,
    parent: (node: Node): Node | null => (node.parent?.parent ? node.parent : null),
    next(node: Node): Node | null {
      const siblings = node.parent?.children ?? [];
      for (let i = siblings.indexOf(node) + 1; i < siblings.length; i++) {
        const sibling = siblings[i];
        if (typeof sibling === 'object') return sibling;
      }
      return null;
    },
    attribute: (node: Node, name: string): string | null => node.attributes?.get(name) ?? null,
    raw: (node: Node): string =>
      node.name === 'script' ? node.children.filter((child) => typeof child === 'string').join('') : rawText(node),
    isLeaf: (node: Node): boolean => node.children.every((child) => typeof child === 'string' || child.name === 'svg'),
  };
}
