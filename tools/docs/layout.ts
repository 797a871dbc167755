import { escapeHtml, icon } from './html.ts';

export interface Link {
  readonly name: string;
  /** Address from the top of the site. */
  readonly to: string;
}
export interface Contents {
  readonly name: string;
  readonly links: readonly Link[];
}
export interface PageFrame {
  /** File in the site: `watches.html`, `reference/serp.html`. */
  readonly page: string;
  readonly part: 'Guides' | 'Reference';
  readonly title: string;
  /** Group of the contents that the page is in. */
  readonly group: string;
  readonly contents: readonly Contents[];
  /** The headings of the page, listed beside the article. */
  readonly headings: readonly { readonly title: string; readonly anchor: string }[];
  readonly article: string;
}
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly theme: string;
  readonly index: string;
}

const MARK =
  '<svg class="mark" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 14a8 8 0 0 1 16 0M2 15.5h5M17 15.5h5"/><circle cx="12" cy="14.5" r="3.5"/></svg>';

/** The HTML of a page. Addresses are relative, so that the folder works wherever it is served from. */
export function layOut(frame: PageFrame, assets: Assets, console: string): string {
  const up = '../'.repeat(frame.page.split('/').length - 1);
  const at = (to: string): string => escapeHtml(to === 'index.html' ? up || './' : up + to);
  const here = (is: boolean, kind = 'page'): string => (is ? ` aria-current="${kind}"` : '');
  const toConsole = /^(?:https?:)?\//.test(console) ? console : up + console;
  const parts = `<a href="${at('index.html')}"${here(frame.part === 'Guides', 'true')}>Guides</a><a href="${at('reference/index.html')}"${here(frame.part === 'Reference', 'true')}>Reference</a><a href="${escapeHtml(toConsole)}">Console</a>`;
  const groups = frame.contents.map(
    ({ name, links }) =>
      `<h2>${escapeHtml(name)}</h2><ul>${links.map(({ name, to }) => `<li><a href="${at(to)}"${here(to === frame.page)}>${escapeHtml(name)}</a></li>`).join('')}</ul>`,
  );
  const headings = frame.headings.map(({ title, anchor }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(title)}</a></li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(frame.title)} · Sightline docs</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}${assets.style}">
<script src="${up}${assets.theme}"></script>
<script src="${up}${assets.script}" defer data-top="${up || './'}" data-index="${up}${assets.index}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
<a class="brand" href="${at('index.html')}">${MARK}Sightline</a>
<nav class="parts" aria-label="Parts">${parts}</nav>
<button type="button" class="find" hidden>${icon('search')}<span>Find in guides and reference</span><kbd>Ctrl K</kbd></button>
<button type="button" class="quiet icon" popovertarget="contents" aria-label="Contents">${icon('list')}</button>
</header>
<div class="frame">
<nav id="contents" popover aria-label="Contents"><div class="parts">${parts}</div>${groups.join('')}</nav>
<main id="main" tabindex="-1">
<p class="group">${escapeHtml(frame.group)}</p>
<h1>${escapeHtml(frame.title)}</h1>
${frame.article}
</main>
${headings && frame.part === 'Guides' ? `<nav class="headings" aria-label="On this page"><h2>On this page</h2><ul>${headings}</ul></nav>` : ''}
</div>
</body>
</html>
`;
}
