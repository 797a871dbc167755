import { type Document, type Element, parseHtml } from '../../outside/html.ts';
import { MARK_NAMES, MARKS, type Mark, type Place } from './marks.ts';

/** What the readers ask of a page; nothing else of the tree is touched. Lists run in document order. */
export interface Page {
  all(mark: Mark, within?: Element): Element[];
  first(mark: Mark, within?: Element): Element | null;
  contains(outer: Element, inner: Element): boolean;
  parent(element: Element): Element | null;
  next(element: Element): Element | null;
  attribute(element: Element, name: string): string | null;
  /** All text below, as it stands; a `<br>` is a line break. */
  raw(element: Element): string;
  /** Whether no element stands below. */
  isLeaf(element: Element): boolean;
}

interface Test {
  readonly mark: Mark;
  readonly place: Place;
}
const byTag = new Map<string, Mark[]>();
const byAttribute = new Map<string, Test[]>();
for (const mark of MARK_NAMES) {
  const place: Place = MARKS[mark];
  if (place.attribute) byAttribute.set(place.attribute, [...(byAttribute.get(place.attribute) ?? []), { mark, place }]);
  else if (place.tag) byTag.set(place.tag, [...(byTag.get(place.tag) ?? []), mark]);
}

function hasWord(value: string, word: string): boolean {
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
    const before = at === 0 ? ' ' : value.charAt(at - 1);
    const after = value.charAt(at + word.length) || ' ';
    if (before.trim() === '' && after.trim() === '') return true;
  }
  return false;
}
function fits({ is, word, ends, tag }: Place, name: string, value: string): boolean {
  if (tag !== undefined && tag !== name) return false;
  if (is !== undefined) return value === is;
  if (word !== undefined) return hasWord(value, word);
  return ends === undefined || value.endsWith(ends);
}

type Lists = Map<Mark, Element[]>;

/** One walk finds every mark. An element's place in document order is kept in the fields that the parser leaves free. */
function walk(node: Document | Element, lists: Lists, at: number): number {
  let place = at;
  for (const child of node.children) {
    if (child.type !== 'tag' && child.type !== 'script' && child.type !== 'style') continue;
    const element = child as Element;
    const from = place++;
    element.startIndex = from;
    for (const mark of byTag.get(element.name) ?? []) lists.get(mark)?.push(element);
    for (const name in element.attribs) {
      const tests = byAttribute.get(name);
      if (tests === undefined) continue;
      const value = element.attribs[name] ?? '';
      for (const { mark, place: wanted } of tests) if (fits(wanted, element.name, value)) lists.get(mark)?.push(element);
    }
    place = walk(element, lists, place);
    element.endIndex = place;
  }
  return place;
}

/** The first entry of a sorted list that stands after `at`. */
function after(list: readonly Element[], at: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.startIndex ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function rawText(element: Element): string {
  let text = '';
  for (const child of element.children) {
    if (child.type === 'text') {
      const { data } = child as unknown as { data: string };
      // the source's own line end after a <br> is no second break
      text += text.endsWith('\n') && (child.prev as Element | null)?.name === 'br' ? data.replace(/^[^\S\n]*\r?\n/, '') : data;
    }
    if (child.type === 'tag') text += (child as Element).name === 'br' ? '\n' : rawText(child as Element);
  }
  return text;
}

export function openPage(html: string): Page {
  const lists: Lists = new Map(MARK_NAMES.map((mark) => [mark, []]));
  walk(parseHtml(html), lists, 1);
  const listOf = (mark: Mark): Element[] => lists.get(mark) ?? [];
  const start = (element: Element): number => element.startIndex ?? 0;
  const end = (element: Element): number => element.endIndex ?? 0;
  return {
    all(mark, within) {
      const list = listOf(mark);
      if (!within) return list;
      const from = after(list, start(within));
      let to = from;
      while (to < list.length && start(list[to] as Element) < end(within)) to++;
      return list.slice(from, to);
    },
    first(mark, within) {
      const list = listOf(mark);
      if (!within) return list[0] ?? null;
      const found = list[after(list, start(within))];
      return found && start(found) < end(within) ? found : null;
    },
    contains: (outer, inner) => start(inner) > start(outer) && start(inner) < end(outer),
    parent: (element) => (element.parent?.type === 'tag' ? (element.parent as Element) : null),
    next(element) {
      let sibling = element.next;
      while (sibling && sibling.type !== 'tag') sibling = sibling.next;
      return sibling as Element | null;
    },
    attribute: (element, name) => element.attribs[name] ?? null,
    raw: (element) =>
      element.type === 'script' ? ((element.children[0] as unknown as { data?: string } | undefined)?.data ?? '') : rawText(element),
    isLeaf: (element) => element.children.every((child) => child.type !== 'tag'),
  };
}
