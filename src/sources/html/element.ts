/** An element of an indexed page. Entities are decoded, names are in lower case. */
export interface Element {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly parent: Element | null;
  readonly children: (Element | string)[];
  next: Element | null;
  /** Place in document order among all elements, hidden ones included. */
  readonly from: number;
  /** Place of the first element after its descendants. */
  end: number;
}
export type Test = (element: Element) => boolean;

export const within = (element: Element, ancestor: Element): boolean => element.from >= ancestor.from && element.from < ancestor.end;
export const childrenOf = (element: Element): Element[] => element.children.filter((child) => typeof child === 'object');

export function closest(element: Element | null, test: Test): Element | null {
  for (let ancestor = element; ancestor; ancestor = ancestor.parent) if (test(ancestor)) return ancestor;
  return null;
}
export function find(element: Element, test: Test): Element | null {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = test(child) ? child : find(child, test);
    if (found) return found;
  }
  return null;
}
export function findAll(element: Element, test: Test, into: Element[] = []): Element[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (test(child)) into.push(child);
    findAll(child, test, into);
  }
  return into;
}
/** Whether an element holds nothing but another one, in wrappers. */
export function holdsOnly(outer: Element, inner: Element): boolean {
  if (outer === inner) return true;
  const [child, other] = outer.children.filter((one) => typeof one !== 'string' || one.trim() !== '');
  return typeof child === 'object' && other === undefined && holdsOnly(child, inner);
}
/** How many of the elements each of their ancestors holds, itself included. */
export function countAround(elements: readonly Element[]): ReadonlyMap<Element, number> {
  const counts = new Map<Element, number>();
  for (const element of elements) for (let e: Element | null = element; e; e = e.parent) counts.set(e, (counts.get(e) ?? 0) + 1);
  return counts;
}

export const has = (element: Element, name: string): boolean => element.attribs[name] !== undefined;
export const hasClass = (element: Element, name: string): boolean => (element.attribs.class ?? '').split(/\s+/).includes(name);
