import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { codeBlock, escapeHtml, samples } from './html.ts';
import { lookupAt, snippetsOf, workbenchAt } from './lookups.ts';

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The text below one heading. */
export interface Section {
  readonly depth: number;
  readonly title: string;
  /** Empty for the text below the title of the page. */
  readonly anchor: string;
  readonly text: string;
}
/** A row of a table of names: a setting, a metric. Its name is its anchor. */
export interface Row {
  readonly name: string;
  readonly text: string;
}
export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  readonly rows: readonly Row[];
}
export interface Site {
  readonly root: string;
  /** The file of the site for a Markdown file of the checkout. */
  readonly pages: ReadonlyMap<string, string>;
  /** Address of the console, from the folder of the guides. */
  readonly console: string;
  /** Notes a picture, and returns its file in the site. */
  picture(file: string): string;
}

/** What stands above the first column of a table of names. */
const NAMES = /^(?:Variable|Name)$/;
const REQUEST = /"\$BASE(\/v1\/[^"$]*)"/g;

/** The text of a token without its marks, as a reader sees it. */
function textOf(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return '';
  // the output of a command is not searched
  if (token.type === 'code' && / output$/.test((token as Tokens.Code).lang ?? '')) return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map((cell) => cell.tokens.map(textOf).join('')).join(' ')).join('. ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => item.tokens.map(textOf).join(' ')).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(textOf).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}

/** The width and height of a PNG, so that the page reserves its space. */
function sizeOfPicture(file: string): string {
  if (!file.endsWith('.png')) return '';
  const bytes = readFileSync(file);
  return ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"`;
}

/** Renders a page of Markdown as HTML. Links lead to pages of the site; a link to anything else becomes text. */
export function renderPage(site: Site, file: string): Rendered {
  const marked = new Marked({ gfm: true });
  const anchors = new Map<string, number>();
  const sections: Section[] = [];
  const named: Row[] = [];
  let blocks = 0;

  const hrefOf = (target: string): string | null => {
    if (/^(?:https?:|mailto:|#)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const page = site.pages.get(normalize(join(dirname(file), path)));
    return page === undefined ? null : anchor ? `${page}#${anchor}` : page;
  };
  const headingOf = (token: Tokens.Heading): { title: string; anchor: string } => {
    const title = token.tokens.map(textOf).join('');
    const base = anchorOf(title);
    const count = anchors.get(base) ?? 0;
    anchors.set(base, count + 1);
    return { title, anchor: count ? `${base}-${count}` : base };
  };

  marked.use({
    renderer: {
      heading(token) {
        const { title, anchor } = headingOf(token);
        const isTitle = token.depth === 1;
        sections.push({ depth: token.depth, title, anchor: isTitle ? '' : anchor, text: '' });
        const inner = this.parser.parseInline(token.tokens);
        // the title of the page is drawn by its frame
        if (isTitle) return '';
        return `<h${token.depth} id="${escapeHtml(anchor)}">${inner.includes('<a ') ? inner : `<a href="#${escapeHtml(anchor)}">${inner}</a>`}</h${token.depth}>`;
      },
      code({ text, lang = '' }) {
        const [, language = '', mark = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? [];
        const block = codeBlock(text, language, mark);
        const asked = language === 'sh' ? [...text.matchAll(REQUEST)] : [];
        const lookup = asked.length === 1 ? lookupAt(asked[0]?.[1] ?? '') : null;
        if (!lookup) return block;
        const [, ...others] = snippetsOf(lookup.operation, lookup.values);
        const href = workbenchAt(site.console, lookup.operation, lookup.values);
        return samples(`${++blocks}`, [['curl', block], ...others], `<a href="${escapeHtml(href)}">Try it in the console</a>`);
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = hrefOf(href);
        if (to === null) return inner;
        return `<a href="${escapeHtml(to)}"${/^https?:/.test(to) ? ' rel="noopener"' : ''}>${inner}</a>`;
      },
      image({ href, text }) {
        const path = normalize(join(dirname(file), href));
        if (!existsSync(join(site.root, path))) throw new Error(`${file}: there is no ${path}`);
        // closed, so that a picture is no part of the first load
        return `<details class="picture"><summary>${escapeHtml(text)}</summary><img src="${escapeHtml(site.picture(path))}" alt="${escapeHtml(text)}" loading="lazy"${sizeOfPicture(join(site.root, path))}></details>`;
      },
      table(token) {
        const idOf = ([first, ...others]: readonly Tokens.TableCell[]): string => {
          const name = first?.tokens.find(({ type }) => type === 'codespan');
          if (!name || !NAMES.test(token.header[0]?.text ?? '')) return '';
          named.push({ name: textOf(name), text: others.map((cell) => cell.tokens.map(textOf).join('')).join(' ') });
          return ` id="${escapeHtml(textOf(name))}"`;
        };
        const row = (cells: readonly Tokens.TableCell[], isHead: boolean): string => {
          const drawn = cells.map((cell) => {
            const inner = this.parser.parseInline(cell.tokens);
            // an empty corner heads nothing
            return isHead && inner ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
          });
          return `<tr${isHead ? '' : idOf(cells)}>${drawn.join('')}</tr>`;
        };
        const rows = token.rows.map((cells) => row(cells, false)).join('');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, true)}</thead><tbody>${rows}</tbody></table></div>`;
      },
      paragraph({ tokens }) {
        const inner = this.parser.parseInline(tokens);
        // a picture is a block
        return inner.startsWith('<details') ? inner : `<p>${inner}</p>\n`;
      },
      html({ text }) {
        const rest = text.replace(/<!--[\s\S]*?-->/g, '');
        return /^\s*<\/?su[bp]>\s*$/.test(rest) ? rest : escapeHtml(rest.trim());
      },
    },
  });

  const tokens = marked.lexer(readFileSync(join(site.root, file), 'utf8'));
  const texts: string[] = [];
  for (const token of tokens)
    if (token.type === 'heading') texts.push('');
    else if (texts.length) texts[texts.length - 1] += ` ${textOf(token)}`;
  const html = marked.parser(tokens);
  const top = sections.findIndex(({ depth }) => depth === 1);
  return {
    title: sections[top]?.title ?? file,
    html,
    rows: named,
    sections: sections.map((section, at) => ({ ...section, text: (texts[at] ?? '').replace(/\s+/g, ' ').trim() })),
  };
}
