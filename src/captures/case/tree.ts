import { parseDocument } from 'htmlparser2';

/** A text of a document that can be replaced by another one of the same form. */
export interface TextNode {
  readonly kind: 'text';
  text: string;
  /** How the text is written in the document: escaped, or within quotation marks. */
  readonly written: (text: string) => string;
}
/** A part of a document with its own parts: an element, an object, a line. */
export interface BranchNode {
  readonly kind: 'branch';
  /** Texts before the parts: labels, or values of attributes. */
  readonly head: readonly (string | TextNode)[];
  readonly tail: string;
  readonly separator: string;
  /** False where the document would be damaged without one of them. */
  readonly divisible: boolean;
  parts: Node[];
}
export type Node = TextNode | BranchNode;

const raw = (text: string): string => text;
const textNode = (text: string, written: TextNode['written'] = raw): TextNode => ({ kind: 'text', text, written });
const branch = (parts: Node[], more: Partial<Omit<BranchNode, 'kind' | 'parts'>> = {}): BranchNode => ({
  ...{ kind: 'branch', head: [], tail: '', separator: '', divisible: true },
  ...more,
  parts,
});

export function written(node: Node): string {
  if (node.kind === 'text') return node.written(node.text);
  const head = node.head.map((part) => (typeof part === 'string' ? part : written(part))).join('');
  return head + node.parts.map(written).join(node.separator) + node.tail;
}

/** All texts below a node, in the order of the document. */
export function textsIn(node: Node): readonly TextNode[] {
  if (node.kind === 'text') return [node];
  return [...node.head.flatMap((part) => (typeof part === 'string' ? [] : [part])), ...node.parts.flatMap(textsIn)];
}

function jsonNode(value: unknown): Node {
  if (Array.isArray(value)) return branch(value.map(jsonNode), { head: ['['], tail: ']', separator: ',' });
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) =>
      branch([jsonNode(member)], { head: [`${JSON.stringify(key)}:`], divisible: false }),
    );
    return branch(members, { head: ['{'], tail: '}', separator: ',' });
  }
  return typeof value === 'string' ? textNode(value, JSON.stringify) : textNode(JSON.stringify(value));
}
function jsonIn(text: string): Node | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return jsonNode(JSON.parse(text));
  } catch {
    return null; // it is read as text
  }
}

const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const escapeValue = (text: string): string => escapeText(text).replace(/"/g, '&quot;');
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Attributes whose values are texts of the page, or lead to persons; the others are markup. */
const TEXT_ATTRIBUTE = /^(?:href|src|alt|title|content|value|placeholder|datetime|aria-label|data-.*)$/;

type Parsed = ReturnType<typeof parseDocument>['children'][number];
function htmlNodes(children: readonly Parsed[], isRaw = false): Node[] {
  return children.flatMap((child): Node[] => {
    if (child.type === 'text') {
      if (!isRaw) return [textNode(child.data, escapeText)];
      const json = jsonIn(child.data);
      // `<` inside a script would end it
      return json ? [json] : [textNode(child.data)];
    }
    if (child.type === 'directive') return [branch([], { head: [`<${child.data}>`] })];
    if (child.type === 'cdata') return htmlNodes(child.children);
    if (child.type !== 'tag' && child.type !== 'script' && child.type !== 'style') return [];
    const attributes = Object.entries(child.attribs).flatMap(([name, value]) =>
      TEXT_ATTRIBUTE.test(name) ? [` ${name}="`, textNode(value, escapeValue), '"'] : [` ${name}="${escapeValue(value)}"`],
    );
    const parts = htmlNodes(child.children, child.type !== 'tag');
    const tail = VOID.has(child.name) ? '' : `</${child.name}>`;
    return [branch(parts, { head: [`<${child.name}`, ...attributes, '>'], tail })];
  });
}

const LABELLED = /^([ \t]*[^:\s][^:]{0,60}:[ \t]*)(.*)$/;
const BRACKETED = /^([ \t]*(?:[a-z]\. )?\[[^\]]{1,60}\][ \t]*)(.*)$/;
function lineNode(line: string): Node {
  const labelled = BRACKETED.exec(line) ?? LABELLED.exec(line);
  return labelled ? branch([textNode(labelled[2] ?? '')], { head: [labelled[1] ?? ''], divisible: false }) : branch([textNode(line)]);
}

/** A document as a tree: JSON, HTML with the JSON in its scripts, or lines of text. */
export function treeOf(text: string): Node {
  const json = jsonIn(text);
  if (json) return json;
  if (/^\s*</.test(text)) return branch(htmlNodes(parseDocument(text, { decodeEntities: true }).children));
  return branch(text.split(/\r\n|\n/).map(lineNode), { separator: text.includes('\r\n') ? '\r\n' : '\n' });
}
