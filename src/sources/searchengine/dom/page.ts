import { type AnyNode, attribute, compile, type Document, type Element, parseHtml, type Query } from '../../../outside/html.ts';

/**
 * A result page, walked once: every element that one of the named anchors means, in document order. The reader asks for anchors by name, so
 * that the page is never searched twice, and so that any other way of selecting (the bench has one) can stand in.
 */
export interface Page<Name extends string> {
  readonly root: Document;
  /** The page's text as received, for the few facts that stand in scripts only. */
  readonly source: string;
  /** Visible elements that the anchor means, in document order. */
  readonly all: (name: Name) => readonly Element[];
  /** Place of an anchored element in document order; -1 for any other element. */
  readonly order: (element: Element) => number;
}
/** CSS lists of compound selectors (no combinators), by name. */
export type Anchors<Name extends string> = Readonly<Record<Name, string>>;

interface Rule {
  readonly names: readonly string[];
  readonly matches: Query;
}
export interface Plan {
  readonly byId: ReadonlyMap<string, readonly Rule[]>;
  readonly byClass: ReadonlyMap<string, readonly Rule[]>;
  readonly byAttribute: ReadonlyMap<string, readonly Rule[]>;
  readonly byTag: ReadonlyMap<string, readonly Rule[]>;
}

const always: Query = () => true;

/** Sorts the anchors by what an element must carry, so that most elements are passed by after a glance. */
export function plan(anchors: Readonly<Record<string, string>>): Plan {
  const maps = {
    byId: new Map<string, Rule[]>(),
    byClass: new Map<string, Rule[]>(),
    byAttribute: new Map<string, Rule[]>(),
    byTag: new Map<string, Rule[]>(),
  };
  const bySelector = new Map<string, string[]>();
  for (const [name, list] of Object.entries(anchors)) {
    for (const selector of list.split(/\s*,\s*(?![^[]*\])/)) bySelector.set(selector, [...(bySelector.get(selector) ?? []), name]);
  }
  for (const [selector, names] of bySelector) {
    const id = /#([\w-]+)/.exec(selector);
    const className = /^\.([\w-]+)$/.exec(selector);
    const attributeName = /\[([\w-]+)/.exec(selector);
    const tag = /^[\w-]+/.exec(selector);
    const bare = /^(#[\w-]+|\.[\w-]+|\[[\w-]+\]|[\w-]+)$/.test(selector);
    const rule: Rule = { names, matches: bare ? always : compile<AnyNode, Element>(selector) };
    const [map, key] = id
      ? ([maps.byId, id[1]] as const)
      : className
        ? ([maps.byClass, className[1]] as const)
        : attributeName
          ? ([maps.byAttribute, attributeName[1]] as const)
          : ([maps.byTag, tag?.[0]] as const);
    if (key === undefined) throw new Error(`the anchor ${selector} names neither id, class, attribute nor tag`);
    map.set(key, [...(map.get(key) ?? []), rule]);
  }
  return maps;
}

/** What nobody sees: scripts, templates, and what the page itself says is not displayed. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'head']);
export function unseen(element: Element): boolean {
  if (UNSEEN.has(element.name)) return true;
  const { style, hidden } = element.attribs;
  if (hidden !== undefined) return true;
  return style !== undefined && style.includes('none') && /display\s*:\s*none/i.test(style);
}
/** Elements are tags; scripts and styles are elements of other types. */
export const isElement = (node: AnyNode): node is Element => node.type === 'tag' || node.type === 'script' || node.type === 'style';

export function indexPage<Name extends string>(source: string, how: Plan): Page<Name> {
  const root = parseHtml(source);
  const found = new Map<string, Element[]>();
  const orders = new Map<Element, number>();
  let place = 0;
  const keep = (rules: readonly Rule[], element: Element): void => {
    for (const rule of rules) {
      if (!rule.matches(element)) continue;
      if (!orders.has(element)) orders.set(element, place);
      for (const name of rule.names) {
        const list = found.get(name);
        if (!list) found.set(name, [element]);
        else if (list[list.length - 1] !== element) list.push(element);
      }
    }
  };
  const visit = (nodes: readonly AnyNode[]): void => {
    for (const node of nodes) {
      if (node.type !== 'tag') continue;
      const element = node as Element;
      place++;
      if (unseen(element)) continue;
      const byTag = how.byTag.get(element.name);
      if (byTag) keep(byTag, element);
      for (const name in element.attribs) {
        const byAttribute = how.byAttribute.get(name);
        if (byAttribute) keep(byAttribute, element);
        if (name === 'id') {
          const byId = how.byId.get(element.attribs.id ?? '');
          if (byId) keep(byId, element);
        } else if (name === 'class') {
          for (const className of (element.attribs.class ?? '').split(' ')) {
            const byClass = how.byClass.get(className);
            if (byClass) keep(byClass, element);
          }
        }
      }
      visit(element.children);
    }
  };
  visit(root.children);
  return { root, source, all: (name) => found.get(name) ?? [], order: (element) => orders.get(element) ?? -1 };
}

/** The nearest ancestor, the element itself included, for which `test` holds. */
export function closest(element: Element | null, test: (element: Element) => boolean): Element | null {
  for (let at: Element | null = element; at; at = parentOf(at)) if (test(at)) return at;
  return null;
}
export const parentOf = (element: Element): Element | null =>
  element.parent && element.parent.type === 'tag' ? (element.parent as Element) : null;
export const within = (element: Element, ancestor: Element): boolean => closest(element, (e) => e === ancestor) !== null;
/** The first visible descendant for which `test` holds, in document order. */
export function find(element: Element, test: (element: Element) => boolean): Element | null {
  for (const child of element.children) {
    if (child.type !== 'tag') continue;
    const c = child as Element;
    if (unseen(c)) continue;
    if (test(c)) return c;
    const deeper = find(c, test);
    if (deeper) return deeper;
  }
  return null;
}
/** All visible descendants for which `test` holds, in document order. */
export function findAll(element: Element, test: (element: Element) => boolean, into: Element[] = []): Element[] {
  for (const child of element.children) {
    if (child.type !== 'tag') continue;
    const c = child as Element;
    if (unseen(c)) continue;
    if (test(c)) into.push(c);
    findAll(c, test, into);
  }
  return into;
}
export const has = (element: Element, name: string): boolean => element.attribs[name] !== undefined;
export const roleOf = (element: Element): string | null => attribute(element, 'role');
export const hasClass = (element: Element, name: string): boolean => (element.attribs.class ?? '').split(' ').includes(name);
