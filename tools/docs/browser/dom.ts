import PATHS from '../../../src/console/parts/icons.json' with { type: 'json' };

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';
const ICONS = {
  copy: PATHS.copy,
  search: PATHS.search,
  book: PATHS.book,
  globe: PATHS.globe,
  eye: PATHS.eye,
  sliders: PATHS.sliders,
  warning: PATHS.warning,
  terminal: PATHS.terminal,
} as const;

/** An icon of the console. */
export function iconOf(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of Object.entries({ class: 'icon-svg', viewBox: '0 0 20 20', 'aria-hidden': 'true' }))
    svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}
