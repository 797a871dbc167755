import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { build } from 'vite';
import type { Find } from './browser/find.ts';
import { findEntries } from './find-entries.ts';
import { guideGroups } from './guides.ts';
import { type Assets, layOut, type PageFrame } from './layout.ts';
import { renderPage, type Site } from './markdown.ts';
import { referenceContents, referencePages } from './reference.ts';

/** The script of the site as one file; it is no module, so that it runs from a folder without a server, too. */
async function scriptOf(root: string, name: string): Promise<string> {
  const output = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: join(root, `tools/docs/browser/${name}.ts`), formats: ['iife'], name: 'sightlineDocs' },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  const [chunk] = bundle && 'output' in bundle ? bundle.output : [];
  if (chunk?.type !== 'chunk') throw new Error(`${name} of the docs is no script`);
  return chunk.code;
}

const FONTS = 'src/console/fonts';

/** Joins the styles into one file: the console's tokens, font and base, then the site's own. `fonts`: the font files beside it. */
function styleOf(root: string, fonts: ReadonlyMap<string, string>): string {
  const files = ['src/console/styles/tokens.css', 'src/console/styles/font.css', 'src/console/styles/base.css', 'tools/docs/docs.css'];
  return files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .replace(/\.\.\/fonts\/([\w.-]+)/g, (_, name: string) => fonts.get(name) ?? name)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .replace(/\n{2,}/g, '\n');
}

export type Files = Map<string, string | { readonly copyOf: string }>;

/** The files of the site by their paths: text, or a copy of a file. */
export async function makeSite(root: string, console: string): Promise<Files> {
  const files: Files = new Map();
  /** Named by its content, so that a browser may keep it. */
  const nameOf = (name: string, content: string | Buffer): string => {
    const end = extname(name);
    return `${basename(name, end)}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}${end}`;
  };
  const asset = (name: string, text: string): string => {
    const path = `assets/${nameOf(name, text)}`;
    files.set(path, text);
    return path;
  };
  const fonts = new Map<string, string>();
  for (const file of ['inter-latin.woff2', 'inter-latin-ext.woff2']) {
    const copyOf = join(root, FONTS, file);
    fonts.set(file, nameOf(file, readFileSync(copyOf)));
    files.set(`assets/${fonts.get(file)}`, { copyOf });
  }
  files.set('assets/OFL.txt', { copyOf: join(root, FONTS, 'OFL.txt') });
  files.set('openapi.json', { copyOf: join(root, 'openapi.json') });

  const groups = guideGroups(root);
  const guides = groups.flatMap(({ name, guides }) => guides.map((guide) => ({ ...guide, group: name })));
  const site: Site = {
    root,
    console,
    pages: new Map(guides.map(({ file, page }) => [file, page])),
    picture(file) {
      const path = `pictures/${basename(file)}`;
      files.set(path, { copyOf: join(root, file) });
      return path;
    },
  };
  const rendered = guides.map((guide) => ({ ...guide, ...renderPage(site, guide.file) }));
  const reference = referencePages(/^(?:https?:)?\//.test(console) ? console : `../${console}`, new Set(site.pages.values()));
  const index: Find = findEntries(rendered, reference, console);
  const assets: Assets = {
    style: asset('docs.css', styleOf(root, fonts)),
    script: asset('docs.js', await scriptOf(root, 'page')),
    theme: asset('theme.js', await scriptOf(root, 'theme')),
    // a script, because a page that was opened from a folder may not read a file
    index: asset('find.js', `globalThis.sightlineFind=${JSON.stringify(index)}`),
  };
  const guideContents = groups.map(({ name, guides }) => ({ name, links: guides.map(({ name, page }) => ({ name, to: page })) }));
  const contents = referenceContents(reference);
  const frames: readonly PageFrame[] = [
    ...rendered.map(
      ({ page, title, group, html, sections }): PageFrame => ({
        ...{ page, title, group, article: html, part: 'Guides', contents: guideContents },
        headings: sections.filter(({ depth }) => depth === 2),
      }),
    ),
    ...reference.map(
      ({ page, title, group, article }): PageFrame => ({ page, title, group, article, part: 'Reference', contents, headings: [] }),
    ),
  ];
  for (const frame of frames) files.set(frame.page, layOut(frame, assets, console));
  return files;
}
