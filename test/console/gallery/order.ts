/** Acts stand at the end of their bar, in one order, and nothing lies over anything else. */

/** Boxes that share less than this in height or width only touch: letters reach out of their line. */
const TOUCH_PX = 3;
const BARS = '.bar, .tab-bar, .lead, .card > header, dialog > header, .ends';
const ACTS = 'button, .button, .chip, [role="tablist"] ~ *';
/** From the beginning of a bar to its end. */
const RANKS = ['quiet', 'plain', 'primary', 'danger', 'more'] as const;
type Rank = (typeof RANKS)[number];

type Found = (what: string, element: Element, detail: string) => void;
interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
interface Piece extends Rect {
  readonly element: Element;
  readonly words: string;
}

const isText = (node: Node): node is Text => node instanceof Text && node.data.trim() !== '';
const shared = (one: Rect, other: Rect): Rect => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});
const isOver = (one: Rect, other: Rect): boolean => {
  const { left, top, right, bottom } = shared(one, other);
  return right - left > TOUCH_PX && bottom - top > TOUCH_PX;
};

/** Text and controls of a section, each as far as it is not cut off; `clip`: what cuts it. */
function piecesOf(element: Element, clip: Rect, pieces: Piece[]): void {
  if (!element.checkVisibility({ opacityProperty: true }) || element.matches('script, style, option, .icon-svg')) return;
  const style = getComputedStyle(element);
  // hidden from the eye
  if (style.clipPath.startsWith('inset(50%')) return;
  const box = element.getBoundingClientRect();
  const within = style.overflowX === 'visible' || element instanceof SVGElement ? clip : shared(clip, box);
  const add = (rect: Rect, words: string): void => {
    const seen = shared(rect, within);
    if (seen.right > seen.left && seen.bottom > seen.top) pieces.push({ ...seen, element, words: words.trim().slice(0, 20) });
  };
  if (element.matches('button, .button, input, select, textarea')) add(box, element.textContent || `<${element.localName}>`);
  const range = document.createRange();
  for (const child of element.childNodes)
    if (isText(child)) {
      range.selectNodeContents(child);
      for (const rect of range.getClientRects()) add(rect, child.data);
    } else if (child instanceof Element) piecesOf(child, within, pieces);
}

function covered(section: Element, found: Found): void {
  const pieces: Piece[] = [];
  piecesOf(section, { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }, pieces);
  pieces.sort((one, other) => one.top - other.top);
  for (const [at, one] of pieces.entries())
    for (let next = at + 1; next < pieces.length; next++) {
      const other = pieces[next];
      if (!other || other.top >= one.bottom) break;
      if (one.element.contains(other.element) || other.element.contains(one.element) || !isOver(one, other)) continue;
      found('covered:', one.element, `“${one.words}” and “${other.words}”`);
    }
}

const rankOf = (act: Element): Rank => {
  const button = act.matches('.chip') ? act.querySelector('button') : act;
  if (act.matches('.chip')) return 'more';
  return RANKS.find((rank) => button?.classList.contains(rank)) ?? 'plain';
};

/** Acts after the last thing of a bar that is none. */
function actsOf(bar: Element): readonly Element[] {
  const acts: Element[] = [];
  for (const child of [...bar.children].filter((each) => each.checkVisibility()).reverse()) {
    if (child.matches(':is(.bar-actions, .actions)')) acts.unshift(...actsOf(child));
    else if (child.matches(ACTS)) acts.unshift(child);
    else if (!child.matches('dialog')) break;
  }
  return acts;
}

function orderOf(bar: Element, found: Found): void {
  const acts = actsOf(bar);
  const ranks = acts.map((act) => RANKS.indexOf(rankOf(act)));
  if (ranks.some((rank, at) => rank < (ranks[at - 1] ?? 0)))
    found('order of the acts in', bar, acts.map((act) => `${act.textContent?.trim()} (${rankOf(act)})`).join(', '));
  const early = [...bar.children].find((child) => child.checkVisibility() && child.matches(ACTS) && !acts.includes(child));
  if (early) found('an act before what is none in', bar, early.textContent?.trim() ?? '');
  const last = acts.at(-1);
  if (!last) return;
  const end = bar.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(bar).paddingInlineEnd);
  const gap = end - last.getBoundingClientRect().right;
  if (Math.abs(gap) > 1.5) found('acts not at the end of', bar, `“${last.textContent?.trim()}”: ${Math.round(gap)} px before it`);
}

/** What a dialog is about to do stands in the bar at its end, and nowhere else. */
const ENDING = ':is(.primary, .danger, [type="submit"])';
function endOf(dialog: Element, found: Found): void {
  const bars = [...dialog.querySelectorAll('.ends')].filter((bar) => bar.checkVisibility());
  const [bar] = bars;
  if (bars.length > 1) found('more than one bar at the end of', dialog, String(bars.length));
  for (const act of dialog.querySelectorAll(`:is(button, .button)${ENDING}`))
    if (act.checkVisibility() && act.closest('.ends') === null) found('beside the bar at the end:', act, act.textContent?.trim() ?? '');
  if (!bar) return;
  const follows = [...dialog.querySelectorAll('*')].filter(
    (other) => other.checkVisibility() && bar.compareDocumentPosition(other) === Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const [after] = follows.filter((other) => !other.closest('[role="alert"]'));
  if (after) found('after the bar at the end:', after, after.textContent?.trim() ?? '');
}

export function disorder(section: Element, found: Found): void {
  covered(section, found);
  for (const dialog of section.querySelectorAll('dialog')) if (dialog.checkVisibility()) endOf(dialog, found);
  for (const bar of section.querySelectorAll(BARS)) if (bar.checkVisibility()) orderOf(bar, found);
}
