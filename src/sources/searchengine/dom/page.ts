import { Document, Element, Text } from 'domhandler';
import { ElementType, Parser } from 'htmlparser2';
import { attribute } from '../../html.ts';
import { Nesting } from '../../html-limits.ts';
import { UnreadFields } from '../../unread-fields.ts';
import type { Plan, Rule } from './plan.ts';
import type { PageSource } from './source.ts';

/**
 * A result page after one traversal: the elements of every named anchor in document order. Parsers request anchors by name, so that the page
 * is searched once and another selector engine (the benchmark has one) can replace this one.
 */
export interface Page<Name extends string> {
  readonly root: Document;
  /** Fields that this page states and that its parser could not read. */
  readonly unread: UnreadFields;
  /** The page as received, for the few values that occur in scripts only. */
  readonly source: PageSource;
  /** Visible elements of an anchor, in document order. */
  readonly all: (name: Name) => readonly Element[];
  /** Texts of elements that the page does not display (`hidden`, `display: none`), each with the element around it. */
  readonly undisplayed: readonly Undisplayed[];
  /** Index of an anchored element in document order; -1 for any other element. */
  readonly order: (element: Element) => number;
}
export interface Undisplayed {
  readonly parent: Element;
  text: string;
}
/** Invisible elements: scripts, templates, and elements hidden by the page. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript']);
/** Roles of controls and of what lies over the page: their text is no content. */
export const OVERLAID = /^(button|dialog|alert|tooltip|menu)$/;
const isHiding = (style: string): boolean => style.includes('none') && /display\s*:\s*none/i.test(style);
export function unseen(element: Element): boolean {
  if (UNSEEN.has(element.name)) return true;
  const { style, hidden } = element.attribs;
  return hidden !== undefined || (style !== undefined && isHiding(style));
}
/**
 * Parses a page and finds its anchors in one pass. Invisible content (scripts, hidden elements, drawings) is omitted from the tree: on a
 * result page it is most of the bytes. Null if the page exceeds the limit on depth or number of elements.
 */
export function indexPage<Name extends string>(source: PageSource, how: Plan): Page<Name> | null {
  const root = new Document([]);
  const nesting = new Nesting();
  const found = new Map<string, Element[]>();
  const orders = new Map<Element, number>();
  const open: (Document | Element)[] = [root];
  let place = 0;
  /** Number of open elements within an invisible one, itself included. */
  let unseenDepth = 0;
  const undisplayed: Undisplayed[] = [];
  /** The text of the open element that is not displayed; null within scripts and drawings. */
  let dropped: Undisplayed | null = null;
  /** Number of open elements down to a control or dialog within the text that is not displayed; 0 outside of one. */
  let mutedDepth = 0;
  let lastText: Text | null = null;
  /** Rules that match the current element. */
  let held: Rule[] = [];
  const gather = (rules: readonly Rule[] | undefined, element: Element): void => {
    if (rules) for (const rule of rules) if (rule.matches(element)) held.push(rule);
  };
  const keep = (element: Element): void => {
    orders.set(element, place);
    for (const rule of held) {
      for (const name of rule.names) {
        const list = found.get(name);
        if (!list) found.set(name, [element]);
        else if (list[list.length - 1] !== element) list.push(element);
      }
    }
    held = [];
  };
  /** False where the element is not displayed. */
  const look = (element: Element): boolean => {
    const { attribs } = element;
    gather(how.byTag.get(element.name), element);
    for (const name in attribs) {
      const known = how.byAttribute.get(name);
      if (known === undefined) continue;
      if (known.glance.test(attribs[name] ?? '')) gather(known.rules, element);
      if (name === 'class') {
        const classes = attribs.class ?? '';
        if (how.anyClass.test(classes)) for (const one of classes.split(/\s+/)) gather(how.byClass.get(one), element);
      } else if (name === 'id') gather(how.byId.get(attribs.id ?? ''), element);
      else if (name === 'hidden' || (name === 'style' && isHiding(attribs.style ?? ''))) {
        held = [];
        return false;
      }
    }
    return true;
  };
  const append = (node: Element | Text): void => {
    const parent = open[open.length - 1] ?? root;
    node.parent = parent;
    parent.children.push(node);
  };
  const parser = new Parser(
    {
      onopentag(name, attribs) {
        nesting.opened();
        lastText = null;
        place++;
        if (unseenDepth > 0 || name === 'svg' || UNSEEN.has(name)) {
          unseenDepth++;
          if (UNSEEN.has(name) || name === 'button' || OVERLAID.test(attribs.role ?? '')) mutedDepth ||= unseenDepth;
          return;
        }
        const element = new Element(name, attribs, undefined, ElementType.Tag);
        if (!look(element)) {
          unseenDepth++;
          const parent = open[open.length - 1];
          if (parent?.type === 'tag' && !OVERLAID.test(attribs.role ?? '')) {
            dropped = { parent: parent as Element, text: '' };
            undisplayed.push(dropped);
          }
          return;
        }
        if (held.length) keep(element);
        append(element);
        open.push(element);
      },
      onclosetag() {
        nesting.closed();
        lastText = null;
        if (unseenDepth < mutedDepth + 1) mutedDepth = 0;
        if (unseenDepth === 0) open.pop();
        else if (--unseenDepth === 0) dropped = null;
      },
      ontext(data) {
        if (unseenDepth > 0) {
          if (dropped && mutedDepth === 0) dropped.text += data;
          return;
        }
        if (lastText) lastText.data += data;
        else {
          lastText = new Text(data);
          append(lastText);
        }
      },
      oncomment() {
        lastText = null;
      },
    },
    { decodeEntities: true },
  );
  if (!nesting.parse(parser, source.markup)) return null;
  return {
    root,
    unread: new UnreadFields(),
    source,
    undisplayed,
    all: (name) => found.get(name) ?? [],
    order: (element) => orders.get(element) ?? -1,
  };
}

/** The nearest ancestor, the element itself included, that satisfies `test`. */
export function closest(element: Element | null, test: (element: Element) => boolean): Element | null {
  for (let at: Element | null = element; at; at = parentOf(at)) if (test(at)) return at;
  return null;
}
export const parentOf = (element: Element): Element | null =>
  element.parent && element.parent.type === 'tag' ? (element.parent as Element) : null;
export const within = (element: Element, ancestor: Element): boolean => closest(element, (e) => e === ancestor) !== null;
/** The first visible descendant that satisfies `test`, in document order. */
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
/** All visible descendants that satisfy `test`, in document order. */
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
