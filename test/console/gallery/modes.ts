/** What forced colours, paper and reduced motion leave of a section. */

/** Elements of one kind, some of which are in a state: it must be told by more than a colour. */
const STATES: readonly (readonly [of: string, isOn: string])[] = [
  ['.menu :is(a, button)', '[aria-current]'],
  ['.bottom :is(a, button)', '[aria-current]'],
  ['[role="tab"]', '[aria-selected="true"]'],
  ['.tabs a', '[aria-current]'],
  ['.rows a', '[aria-current]'],
  ['.segments label', ':has(:checked)'],
  ['.option:not(:has([type="checkbox"]))', ':has(:checked)'],
  [':is(.months, .distribution) button', '[aria-pressed="true"]'],
  ['.stats button', '[aria-pressed="true"]'],
  ['.places li', '.marked'],
  ['.result', '.marked'],
  ['tbody tr', '.marked'],
  ['.chip > button', ':has(.changed)'],
  ['.stages .mark', '[aria-current] *'],
  ['button', '.primary'],
  ['input', '[aria-invalid="true"]'],
  ['.code span', '.dash'],
  ['.code span:not(.dash)', '.code:has([aria-invalid="true"]) *'],
];
/** Boxes that are a ground alone, and colours of data. */
const GROUNDS = '.pill, .note, .problem, .swatch, .meter';

/** Edges of an element and of what is drawn after it. */
const edgesOf = (element: Element): string =>
  [undefined, '::after']
    .map((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && style.content === 'none') return '';
      const borders = ['top', 'bottom', 'left'].map((side) => {
        const of = (what: string): string => style.getPropertyValue(`border-${side}-${what}`);
        return of('style') === 'none' || of('width') === '0px' ? 'none' : `${of('width')} ${of('color')}`;
      });
      return `${borders} / ${style.outlineStyle === 'none' ? 'none' : `${style.outlineWidth} ${style.outlineColor}`}`;
    })
    .join(' | ');
const hasEdge = (element: Element): boolean =>
  /\d/.test(
    edgesOf(element)
      .replaceAll('0px', '')
      .replace(/rgba?\([^)]*\)/g, ''),
  );

type Found = (what: string, element: Element, detail: string) => void;
function lostWithoutColours(section: Element, found: Found): void {
  for (const [of, isOn] of STATES) {
    const all = [...section.querySelectorAll(of)].filter((each) => each.checkVisibility());
    const off = new Set(all.filter((each) => !each.matches(isOn)).map(edgesOf));
    for (const one of all.filter((each) => each.matches(isOn)))
      if (off.has(edgesOf(one))) found('told by its colour alone:', one, edgesOf(one));
  }
  for (const ground of section.querySelectorAll(GROUNDS))
    if (ground.checkVisibility() && !hasEdge(ground)) found('without an edge:', ground, edgesOf(ground));
}

/** Buttons that carry a figure, a name or a value, and so stay. */
const SAYING = '.stats *, thead *, .months *, .distribution *, .query .chip > *, .chip > :has(.changed)';
/** Of a sheet of Letter on its side. A browser lays out wider, and prints smaller, where something has no room. */
const PAPER_PX = 1056;
function lostOnPaper(section: Element, found: Found): void {
  for (const button of section.querySelectorAll('button, .button, [role="tab"], [type="search"]:placeholder-shown, details:not([open])'))
    if (button.checkVisibility() && !button.matches(SAYING)) found('printed:', button, button.textContent?.trim() ?? '');
  for (const element of section.querySelectorAll('*')) {
    if (!element.checkVisibility() || element.matches('.visually-hidden, input, select, textarea')) continue;
    const { overflowX, overflowY, position, textOverflow, webkitLineClamp } = getComputedStyle(element);
    if (position === 'sticky' || position === 'fixed') found('floats on paper:', element, position);
    const { right, width } = element.getBoundingClientRect();
    if (width > 0 && right > PAPER_PX + 1) found('beyond the paper:', element, `${Math.round(right)} px`);
    if (element instanceof SVGElement) continue;
    if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') continue;
    if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
      found('cut on paper:', element, `${element.scrollWidth} of ${element.clientWidth} px`);
    if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 2)
      found('cut on paper:', element, `${element.scrollHeight} of ${element.clientHeight} px high`);
  }
}

function moving(section: Element, found: Found): void {
  for (const element of section.querySelectorAll('*')) {
    const { animationName, transitionDuration } = getComputedStyle(element);
    if (animationName !== 'none' || /[1-9]/.test(transitionDuration)) found('moves:', element, `${animationName} ${transitionDuration}`);
  }
}

export const MODES = { 'forced colours': lostWithoutColours, print: lostOnPaper, 'reduced motion': moving };

/** By fault, what was found. */
export function faultsOf(mode: keyof typeof MODES, sections: readonly Element[]): Readonly<Record<string, string>> {
  const faults = new Map<string, string>();
  for (const section of sections)
    MODES[mode](section, (what, element, detail) => {
      const name = typeof element.className === 'string' && element.className ? `.${element.className.replaceAll(' ', '.')}` : '';
      const fault = `${section.id}: ${what} <${element.localName}${name}>`;
      if (!faults.has(fault)) faults.set(fault, detail);
    });
  return Object.fromEntries(faults);
}
