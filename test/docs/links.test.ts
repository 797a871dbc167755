import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { anchorOf } from '../../tools/docs/markdown.ts';
import { codeBlocks, PAGES, proseLines } from './markdown.ts';

const anchors = (page: string): string[] =>
  proseLines(page).flatMap(({ text }) => (/^#{1,6} /.test(text) ? [anchorOf(text.replace(/^#+ /, ''))] : []));

test('every relative link leads to a file that exists, and its anchor to a heading', () => {
  const broken: string[] = [];
  for (const page of PAGES)
    for (const { line, text } of proseLines(page))
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const path = file ? normalize(join(dirname(page), file)) : page;
        if (!existsSync(path)) broken.push(`${page}:${line}: ${target} does not exist`);
        else if (anchor && !anchors(path).includes(anchor)) broken.push(`${page}:${line}: ${path} has no heading #${anchor}`);
      }
  assert.deepEqual(broken, []);
});

const PATH = /(?:^|[\s`'"(=])((?:src|test|tools|sandbox|bench|deploy|docs|bin|\.ci)\/[^\s`'",;:)]*)/g;

/** `a/{b,c}.ts` is a/b.ts and a/c.ts; a name in angle brackets is any name. */
const expand = (path: string): string[] => {
  const group = /^(.*?)\{([^}]*)\}(.*)$/.exec(path);
  if (!group) return [path.replaceAll(/<[^>]*>/g, '*')];
  return (group[2] ?? '').split(',').flatMap((part) => expand(`${group[1]}${part}${group[3]}`));
};

test('every path of a file or folder of the repository that a page names exists', () => {
  const missing: string[] = [];
  let named = 0;
  for (const page of PAGES) {
    const lines = readFileSync(page, 'utf8').split('\n');
    for (const [at, text] of lines.entries())
      for (const [, found = ''] of text.matchAll(PATH))
        for (const path of expand(found.replace(/[.]+$/, ''))) {
          named++;
          if (path.includes('*') ? !globSync(path).length : !existsSync(path)) missing.push(`${page}:${at + 1}: ${path}`);
        }
  }
  assert.deepEqual(missing, []);
  assert.ok(named > 20, 'the pattern finds paths');
});

test('a page without a code block mark that this folder knows is refused', () => {
  const unknown = PAGES.flatMap(codeBlocks)
    .filter(({ mark }) => !/^(|runnable|output|not-run: .{5,})$/.test(mark))
    .map(({ page, line, mark }) => `${page}:${line}: ${mark}`);
  assert.deepEqual(unknown, []);
});
