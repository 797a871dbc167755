/** What the gallery measures in its page: faults of geometry, and what a section looks like, coarsely. */
import { unevenRows } from './baseline.ts';
import { disorder } from './order.ts';

const LEAST_FONT_PX = 12;
const MOST_FONT_SIZES = 5;
/** Longer ones are no words of a language: addresses, names of machines. */
const LONGEST_WORD = 20;
/** Of a time with seconds; longer numbers do not fit into the figures of a phone. */
const LONGEST_FIGURE = 8;

const isHidden = (element: Element): boolean =>
  !element.checkVisibility() || element.closest('.visually-hidden, select, svg.icon-svg') !== null;
const named = (element: Element): string =>
  `<${element.localName}${element.className && typeof element.className === 'string' ? `.${element.className.replaceAll(' ', '.')}` : ''}>`;

function textsIn(section: Element): readonly (readonly [Text, Element])[] {
  const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  const found: [Text, Element][] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (parentElement && node.textContent?.trim() && !isHidden(parentElement)) found.push([node as Text, parentElement]);
  }
  return found;
}

/** Numbers, times and shares of at most LONGEST_FIGURE characters. */
const FIGURES = /(?<=^|[\s(·])[-+−]?[$€]?\d+(?:[.,:-]\d+)*%?(?=[).,;]*(?:\s|$))/gu;

/** Such as “Jan 31, 2026”. */
const DATES = /\b[A-Z][a-z]{2,8}\s\d{1,2}(?:,\s\d{4})?\b/gu;

/** A domain or a mail address. */
const DOMAINS = /(?<=^|[\s(“"·])(?:[\p{L}\p{N}._+-]+@)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[).,:;!?”"]*(?:\s|$))/gu;
/** A longer one has no room on a phone. */
const LONGEST_DOMAIN = 32;

/** Words and figures of a text that stand on two lines. */
function brokenIn(text: Text): readonly string[] {
  const range = document.createRange();
  const lines = (): number => new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))).size;
  range.selectNodeContents(text);
  if (lines() < 2) return [];
  return [
    ...[...text.data.matchAll(FIGURES)].filter(([figure]) => figure.length <= LONGEST_FIGURE),
    ...text.data.matchAll(DATES),
    ...(text.parentElement?.closest('code, pre, dt, .json') ? [] : text.data.matchAll(DOMAINS)),
    ...text.data.matchAll(/(?<=^|[\s(“"·])\p{L}+(?=[).,:;!?”"]*(?:\s|$))/gu),
  ].flatMap(({ 0: word, index }) => {
    const isDomain = /\.\p{L}/u.test(word);
    if (isDomain ? word.length > LONGEST_DOMAIN : word.length > LONGEST_WORD && !/\d/.test(word)) return [];
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return lines() > 1 ? [word] : [];
  });
}

/** There tables are as wide as their box; elsewhere one may scroll in it, if the keyboard reaches it. */
const WIDTHS_OF_TABLES = [390, 1024, 1440];
/** Its columns are those of an answer or of a file: between a phone and a large screen it may scroll. */
const hasOwnColumns = (table: Element): boolean => innerWidth === 1024 && table.querySelector('.values, .file-result') !== null;
const mayScroll = (table: Element): boolean =>
  (!WIDTHS_OF_TABLES.includes(innerWidth) || hasOwnColumns(table)) &&
  (table.matches('[tabindex="0"]') || table.querySelector('a, button') !== null);
/** Whether something of it can't be seen: it is cut without an ellipsis, or is a column of a table that scrolls. */
function cuts(element: Element): boolean {
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (overflowX === 'visible' || element.localName === 'input' || element.scrollWidth <= element.clientWidth + 1) return false;
  if (overflowX === 'auto' || overflowX === 'scroll') return element.matches('.table, .matrix') && !mayScroll(element);
  return textOverflow !== 'ellipsis' && webkitLineClamp === 'none';
}
const scrolls = (element: Element): boolean => {
  for (let above = element.parentElement; above && above !== document.body; above = above.parentElement)
    if (getComputedStyle(above).overflowX !== 'visible') return true;
  return false;
};
const isBeyond = (element: Element | null): boolean => {
  const { right = 0, width = 0 } = element?.getBoundingClientRect() ?? {};
  return width > 0 && right > innerWidth + 1;
};

/** In OKLab: below it two lines are hard to tell apart. */
const LEAST_DISTANCE = 0.1;
function oklabOf(colour: string): readonly number[] {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
function distanceOf(one: string, other: string): number {
  const second = oklabOf(other);
  return Math.hypot(...oklabOf(one).map((value, index) => value - (second[index] ?? 0)));
}

/** A cell has room for a letter or two more. */
const ROOM_PX = 24;
/** What of a cell of a grid, which has no prose, is cut with an ellipsis before the cell ends. */
function isCutEarly(element: Element): boolean {
  const cell = element.closest('.matrix :is(td, th)');
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  const isCut =
    (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1) ||
    (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1);
  return isCut && cell !== null && cell !== element && endOf(cell) - element.getBoundingClientRect().right > ROOM_PX;
}

/** Where the content of a cell of numbers ends. */
function endOf(cell: Element): number {
  const { paddingRight, borderRightWidth } = getComputedStyle(cell);
  return cell.getBoundingClientRect().right - Number.parseFloat(paddingRight) - Number.parseFloat(borderRightWidth);
}
/** Numbers that do not end where the head of their column ends. */
function offTheirHead(table: HTMLTableElement): readonly HTMLTableCellElement[] {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  return [...table.tBodies].flatMap(({ rows }) =>
    [...rows].flatMap(({ cells }) =>
      [...cells].filter((cell, index) => {
        const head = heads[index];
        return head?.checkVisibility() && cell.checkVisibility() && cell.matches('.numeric') && Math.abs(endOf(cell) - endOf(head)) > 0.5;
      }),
    ),
  );
}

/** Cells of text that begin right of the edge of their column: a button of words among words. */
const indented = (table: HTMLTableElement): readonly HTMLTableCellElement[] =>
  [...table.querySelectorAll<HTMLTableCellElement>('tbody :is(td, th):not(.row-actions)')].filter((cell) => {
    const button = cell.firstElementChild;
    if (cell.firstChild !== button || !button?.matches('button:not(:has(svg)):only-child') || !cell.checkVisibility()) return false;
    const [first] = textsIn(button);
    if (!first || getComputedStyle(button).borderTopColor !== 'rgba(0, 0, 0, 0)') return false;
    const range = document.createRange();
    range.selectNodeContents(first[0]);
    const begin = cell.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(cell).paddingLeft);
    return range.getBoundingClientRect().left - begin > 1;
  });

/** A fault, and where it was found first. */
type Faults = Map<string, string>;

function collect(section: HTMLElement, sizes: Set<number>): Faults {
  const faults: Faults = new Map();
  const add = (what: string, element: Element, detail: string): void => {
    const fault = `${section.id}: ${what} ${named(element)}`;
    if (!faults.has(fault)) faults.set(fault, detail);
  };
  for (const [text, element] of textsIn(section)) {
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    sizes.add(size);
    // text of a chart is as large as the chart is scaled
    const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
    if (size * scale < LEAST_FONT_PX - 0.01) add('small text in', element, `${Math.round(size * scale * 10) / 10} px`);
    // 24 hours, as everywhere; and names as people write them
    if (/\b\d{1,2}:\d\d(?::\d\d)?\s?[AP]M\b/i.test(text.data)) add('twelve hours in', element, text.data);
    if (/\bxn--/i.test(text.data) && !element.closest('code, pre, .json')) add('a name of the wire in', element, text.data);
    const broken = brokenIn(text);
    if (broken.length > 0) add('broken word in', element, broken.join(', '));
    const cell = element.closest('td, th, dt, dd, .pill, button');
    if (cell && cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === 'visible')
      add('text wider than', cell, text.data.slice(0, 60));
  }
  for (const element of section.querySelectorAll('*')) {
    if (isHidden(element)) continue;
    if (cuts(element)) add('cut', element, `${element.scrollWidth} of ${element.clientWidth} px`);
    if (isCutEarly(element)) add('cut beside free room:', element, element.textContent ?? '');
    if (isBeyond(element) && !isBeyond(element.parentElement) && !scrolls(element)) add('beyond the window:', element, 'its right edge');
  }
  disorder(section, add);
  unevenRows(section, (element, detail) => add('uneven row', element, detail));
  for (const table of section.querySelectorAll('table')) {
    for (const cell of offTheirHead(table)) add('not below its head:', cell, cell.textContent ?? '');
    for (const cell of indented(table)) add('indented:', cell, cell.textContent ?? '');
  }
  for (const chart of section.querySelectorAll('.chart')) {
    const lines = [...chart.querySelectorAll('.plot .series:not(.hatched)')].map((line) => getComputedStyle(line).stroke);
    for (const [index, colour] of lines.entries())
      for (const other of lines.slice(index + 1))
        if (distanceOf(colour, other) < LEAST_DISTANCE) add('two lines of one colour in', chart, `${colour} and ${other}`);
  }
  return faults;
}

/** By fault, what was found. */
export function faultsIn(sections: readonly HTMLElement[]): Readonly<Record<string, string>> {
  const sizes = new Set<number>();
  const faults = sections.flatMap((section) => [...collect(section, sizes)]);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(['wider than the window', `${scrollWidth} px`]);
  if (sizes.size > MOST_FONT_SIZES) faults.push(['too many font sizes', [...sizes].join(', ')]);
  return Object.fromEntries(faults);
}

/** A box of a picture: its columns of cells are as many as it is given, its rows follow from its height. */
export interface Box {
  readonly id: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
const MOST_ROWS = 12;
const HUES = 12;
/** Below it a colour is a grey. */
const LEAST_CHROMA = 24;

/** By box: the mean luminance of each cell, 0 to 63 by row, and how much there is of each hue, in thousandths of a full colour. */
export async function signaturesIn(png: string, boxes: readonly Box[], columns: number, scale: number) {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))]));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, 0, 0);
  return boxes.map(({ id, ...box }) => {
    const [left, top] = [Math.round(box.left * scale), Math.round(box.top * scale)];
    const width = Math.max(1, Math.round(box.width * scale));
    const height = Math.max(1, Math.min(Math.round(box.height * scale), picture.height - top));
    const rows = Math.min(MOST_ROWS, Math.max(1, Math.round((height / width) * columns)));
    const { data } = context.getImageData(left, top, width, height);
    const sums = new Float64Array(rows * columns);
    const counts = new Uint32Array(rows * columns);
    const hues = new Float64Array(HUES);
    for (let at = 0, y = 0; y < height; y++) {
      const row = Math.floor((y * rows) / height) * columns;
      for (let x = 0; x < width; x++, at += 4) {
        const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
        const cell = row + Math.floor((x * columns) / width);
        sums[cell] = (sums[cell] ?? 0) + 0.299 * r + 0.587 * g + 0.114 * b;
        counts[cell] = (counts[cell] ?? 0) + 1;
        const most = Math.max(r, g, b);
        const chroma = most - Math.min(r, g, b);
        if (chroma < LEAST_CHROMA) continue;
        const turn = most === r ? (g - b) / chroma + 6 : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
        // between two hues it counts for both
        const hue = (turn % 6) * (HUES / 6);
        const [first, part] = [Math.floor(hue), hue % 1];
        hues[first] = (hues[first] ?? 0) + chroma * (1 - part);
        hues[(first + 1) % HUES] = (hues[(first + 1) % HUES] ?? 0) + chroma * part;
      }
    }
    return {
      id,
      cells: [...sums].map((sum, cell) => Math.round(sum / (counts[cell] || 1) / 4.04)),
      hues: [...hues].map((sum) => Math.round(((sum * 1000) / 255 / (width * height)) * 10) / 10),
    };
  });
}
