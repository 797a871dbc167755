/** One baseline for the text of a row: what stands beside each other in a line stands on one line. */

const TOLERATED_PX = 0.5;
/** Boxes of a grid that are higher are no parts of a row, but blocks. */
const HIGHEST_IN_GRID_PX = 44;

interface Line {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly words: string;
}

/** By font: height of its text's box, and from its top to the baseline. */
const metrics = new Map<string, readonly [height: number, ascent: number]>();
function metricsOf({ fontFamily, fontSize, fontWeight }: CSSStyleDeclaration): readonly [height: number, ascent: number] {
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const known = metrics.get(font);
  if (known !== undefined) return known;
  const probe = document.body.appendChild(document.createElement('div'));
  Object.assign(probe.style, { position: 'absolute', fontFamily, fontSize, fontWeight });
  const text = probe.appendChild(document.createTextNode('x'));
  const point = probe.appendChild(document.createElement('span'));
  point.style.display = 'inline-block';
  const range = document.createRange();
  range.selectNodeContents(text);
  const { top, height } = range.getBoundingClientRect();
  const measured = [height, point.getBoundingClientRect().bottom - top] as const;
  probe.remove();
  metrics.set(font, measured);
  return measured;
}

const isOut = (style: CSSStyleDeclaration): boolean =>
  style.position === 'absolute' || style.position === 'fixed' || style.float !== 'none';
const isShown = (element: Element): boolean =>
  element.checkVisibility() &&
  !element.matches('.visually-hidden, svg, script, style, option, textarea, [type="checkbox"], [type="radio"], [type="file"]');

/** Lines of a text, from the upper one on. */
function linesOf(text: Text): readonly Line[] {
  const { parentElement: parent } = text;
  if (!parent || !text.data.trim()) return [];
  const range = document.createRange();
  range.selectNodeContents(text);
  const [, ascent] = metricsOf(getComputedStyle(parent));
  return [...range.getClientRects()]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ top, bottom, left, right }) => ({ top, bottom, left, right, baseline: top + ascent, words: text.data.trim().slice(0, 20) }));
}

/** A control's text is in its middle. */
function lineOfControl(control: HTMLInputElement | HTMLSelectElement, style: CSSStyleDeclaration): Line {
  const { top, bottom, left, right } = control.getBoundingClientRect();
  const [height, ascent] = metricsOf(style);
  const first = (top + bottom - height) / 2;
  return { top: first, bottom: first + height, left, right, baseline: first + ascent, words: control.value };
}

/** The first line of what stands in a box; null: it has no text, or is cut out of the flow. */
function firstLine(node: Node): Line | null {
  if (node instanceof Text) return linesOf(node)[0] ?? null;
  if (!(node instanceof Element) || !isShown(node)) return null;
  const style = getComputedStyle(node);
  if (isOut(style)) return null;
  if (node instanceof HTMLInputElement || node instanceof HTMLSelectElement) return lineOfControl(node, style);
  for (const child of node.childNodes) {
    const line = firstLine(child);
    if (line) return line;
  }
  return null;
}

const overlap = (one: Pick<Line, 'top' | 'bottom'>, other: Pick<Line, 'top' | 'bottom'>): number =>
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
const isBeside = (one: DOMRect, other: DOMRect): boolean =>
  overlap(one, other) > 1 && Math.min(one.right, other.right) - Math.max(one.left, other.left) < 1;

type Found = (element: Element, detail: string) => void;
const said = (one: Line, other: Line): string =>
  `“${one.words}” and “${other.words}”: ${Math.round((other.baseline - one.baseline) * 10) / 10} px`;

/** Boxes of a flex row, of cells of a table or of a grid. */
function compareBoxes(parent: Element, isGrid: boolean, found: Found): void {
  const boxes = [...parent.children].flatMap((child) => {
    const line = firstLine(child);
    const box = child.getBoundingClientRect();
    return line && !(isGrid && box.height > HIGHEST_IN_GRID_PX) ? [{ line, box }] : [];
  });
  for (const [at, { line, box }] of boxes.entries())
    for (const other of boxes.slice(at + 1))
      if (isBeside(box, other.box) && Math.abs(line.baseline - other.line.baseline) > TOLERATED_PX) {
        found(parent, said(line, other.line));
        return;
      }
}

/** Text of a block, and boxes within its lines. */
function compareInline(parent: Element, found: Found): void {
  const lines: Line[] = [];
  const collect = (node: Node): void => {
    if (node instanceof Text) lines.push(...linesOf(node));
    if (!(node instanceof Element) || !isShown(node)) return;
    const style = getComputedStyle(node);
    if (isOut(style)) return;
    if (style.display === 'inline' || style.display === 'contents') for (const child of node.childNodes) collect(child);
    else if (style.display.startsWith('inline')) {
      const line = firstLine(node);
      if (line) lines.push(line);
    }
  };
  for (const child of parent.childNodes) collect(child);
  for (const [at, line] of lines.entries()) {
    const other = lines[at + 1];
    if (!other || 2 * overlap(line, other) < Math.min(line.bottom - line.top, other.bottom - other.top)) continue;
    if (Math.abs(line.baseline - other.baseline) > TOLERATED_PX) {
      found(parent, said(line, other));
      return;
    }
  }
}

/** Rows within a section whose text stands on more than one baseline. */
export function unevenRows(section: Element, found: Found): void {
  for (const element of section.querySelectorAll('*')) {
    if (!element.firstChild || !isShown(element) || element.closest('svg, .visually-hidden')) continue;
    const { display, flexDirection } = getComputedStyle(element);
    if (/flex$/.test(display)) {
      if (!flexDirection.startsWith('column')) compareBoxes(element, false, found);
    } else if (/grid$/.test(display)) compareBoxes(element, true, found);
    else if (display === 'table-row') compareBoxes(element, false, found);
    else if (display !== 'inline' && display !== 'contents' && !display.startsWith('table-')) compareInline(element, found);
    else if (display === 'table-cell') compareInline(element, found);
  }
}
