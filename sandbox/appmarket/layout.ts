import { CATEGORIES } from './categories.ts';

export const ORIGIN = 'https://apps.shopify.com';
export const esc = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** `2024-07-01` as "July 1, 2024". */
export const wordsOf = (day: string): string => {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(date)}, ${year}`;
};
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
export const star =
  '<svg class="tw-w-md tw-h-md tw-fill-fg-primary" viewBox="0 0 16 15" fill="none"><path fill-rule="evenodd" d="M8 1 L10 5 L15 6 Z"></path></svg>';

const topics = CATEGORIES.filter((c) => c.level === 'topic');
const menu = topics
  .map(
    (c) =>
      `<li><a href="${ORIGIN}/categories/${c.handle}?surface_detail=navbar-categories&amp;surface_type=navbar">${esc(c.name)}</a></li>`,
  )
  .join('\n');
const foot = topics.map((c) => `<a href="${ORIGIN}/categories/${c.handle}">\n${esc(c.name)}\n</a>`).join('\n');

interface Whole {
  readonly title: string;
  readonly canonical: string;
  readonly main: string;
  /** Markup for the head element. */
  readonly facts?: object;
}
/** A whole page: head, menu, main, footer. */
export const whole = ({ title, canonical, main, facts }: Whole): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${esc(title)} | Shopify App Store</title>
<meta name="description" content="${esc(title)}, explained for search engines">
<link rel="canonical" href="${canonical}">
<meta name="csrf-param" content="authenticity_token" />
${facts ? `<script type="application/ld+json">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>` : ''}
</head>
<body>
<header data-section-name="global-nav"><nav class="navbar-component"><div class="megamenu-component"><ul>
${menu}
</ul></div></nav></header>
<main class="tw-grow">
${main}
</main>
<footer class="tw-py-10" data-section-name="footer"><h6 class="tw-text-heading-md">App categories</h6>
${foot}
</footer>
</body></html>
`;

/** The page links, once for small and once for large screens. */
export function pager(address: (page: number) => string, current: number, pages: number): string {
  if (pages <= 1 || current > pages) return '';
  const link = (page: number, label: string, text: string): string =>
    `<a class="tw-border active:tw-border-btw-hidden"${page === current + 1 ? ' rel="next"' : ''} aria-label="${label}" href="${esc(address(page))}">\n${text}\n</a>`;
  const near = [1, 2, 3, current - 1, current, current + 1, pages].filter((page) => page >= 1 && page <= pages);
  const links = [...new Set(near)]
    .sort((a, b) => a - b)
    .map((page) => link(page, page === current ? `Current Page, Page ${page}` : `Go to Page ${page}`, String(page)));
  if (pages > 4) links.splice(-1, 0, '<span class="tw-border" aria-label="Go to Page ">\n&hellip;\n</span>');
  if (current < pages) links.push(link(current + 1, 'Go to Next Page', '<span role="img"><svg></svg></span>'));
  const controls = `<div data-pagination-controls aria-label="pagination" class="tw-flex">\n${links.join('        ')}\n</div>`;
  return `<section><section class="lg:tw-hidden">${controls}</section><section class="tw-hidden lg:tw-block">${controls}</section></section>`;
}

export const badge = (
  where: string,
): string => `<div class="built-for-shopify-badge-container"><div data-controller="popover-modal" class="tw-relative">
<div data-element="built-for-shopify-badge" data-element-content="${esc(where)}"><button class="tw-cursor-help" aria-hidden="true">
<span class="tw-inline-flex built-for-shopify-badge"><span role="presentation">${star}</span><span class="tw-ms-xs">Built for Shopify</span></span></button></div>
<div role="dialog" class="tw-hidden"><p>Meets high standards.<a href="${ORIGIN}/stories/guide?surface_type=app_details">Learn more<span class="tw-hidden">Opens in new window</span></a></p></div>
</div></div>`;
