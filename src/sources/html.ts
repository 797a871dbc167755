import { compile, is, selectAll, selectOne } from 'css-select';
import { type AnyNode, type Document, DomHandler, type Element } from 'domhandler';
import { getAttributeValue, innerText } from 'domutils';
import { Parser } from 'htmlparser2';
import { Nesting } from './html-limits.ts';

export type { AnyNode, Document, Element };
export { compile, is, selectAll, selectOne };
export type Query = (node: AnyNode) => boolean;

class BoundedHandler extends DomHandler {
  readonly nesting = new Nesting();
  override onopentag(name: string, attributes: Record<string, string>): void {
    this.nesting.opened();
    super.onopentag(name, attributes);
  }
  override onclosetag(): void {
    this.nesting.closed();
    super.onclosetag();
  }
}
/** A page as a tree: entities decoded, names in lower case. null if it exceeds the limits of depth or elements. */
export function parseHtml(html: string): Document | null {
  const handler = new BoundedHandler();
  return handler.nesting.parse(new Parser(handler, { decodeEntities: true }), html) ? handler.root : null;
}
export const attribute = (node: Element | null | undefined, name: string): string | null =>
  node ? (getAttributeValue(node, name) ?? null) : null;
/** Visible text: white space folded, NFC; null if empty. Scripts and styles are left out. */
export function textAt(node: AnyNode | AnyNode[] | null | undefined): string | null {
  if (!node) return null;
  const text = innerText(node).replace(/\s+/g, ' ').trim().normalize('NFC');
  return text === '' ? null : text;
}
