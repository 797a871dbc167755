import PATHS from '../../src/console/parts/icons.json' with { type: 'json' };

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** Text of the contract: code between backticks, nothing else of Markdown. */
export const prose = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join('');

/** An icon of the console. */
export const icon = (name: keyof typeof PATHS): string =>
  `<svg class="icon-svg" viewBox="0 0 20 20" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;

/** Code that scrolls in its box. The site's script adds the Copy button; `mark`: the info string of the block in its Markdown file. */
export function codeBlock(text: string, language: string, mark = ''): string {
  const isOutput = mark === 'output';
  const attributes = `class="code${isOutput ? ' output' : ''}" data-language="${escapeHtml(language)}"${mark ? ` data-mark="${escapeHtml(mark)}"` : ''}`;
  return `<div ${attributes}><pre tabindex="0"${isOutput ? ' aria-label="Output"' : ''}><code>${escapeHtml(text.replace(/\n$/, ''))}</code></pre></div>`;
}

/** The same request in several languages, one of which is shown: chosen by radio buttons, so that it needs no script. */
export function samples(id: string, blocks: readonly (readonly [name: string, html: string])[], beside = ''): string {
  const choices = blocks.map(
    ([name], at) => `<label><input type="radio" name="language-${id}" value="${name}"${at === 0 ? ' checked' : ''}>${name}</label>`,
  );
  const shown = blocks.map(([name, html]) => `<div data-sample="${name}">${html}</div>`);
  return `<div class="samples"><div class="choosing"><fieldset class="choices"><legend class="visually-hidden">Language</legend>${choices.join('')}</fieldset>${beside}</div>${shown.join('')}</div>`;
}
