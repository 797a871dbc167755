// Own process: it waits for processes that it starts.
// In the gate alone: it runs the commands of the pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Marked, type Tokens } from 'marked';
import { codeBlocks, DATA, PAGES } from './markdown.ts';
import { ACCOUNT_PAGES, isRunnable, matches, runPages } from './run-pages.ts';

test('the blocks of a page are those that a reader of Markdown finds, in lists too', () => {
  for (const page of PAGES) {
    const read: string[] = [];
    const code = ({ lang = '', text, codeBlockStyle }: Tokens.Code): string => {
      if (codeBlockStyle !== 'indented') read.push(`${lang}\n${text}`);
      return '';
    };
    new Marked({ renderer: { code } }).parse(readFileSync(page, 'utf8'));
    assert.deepEqual(
      codeBlocks(page).map(({ language, mark, text }) => `${`${language} ${mark}`.trim()}\n${text}`),
      read,
      page,
    );
  }
});

test('every block of code is run here, or says why it is not', () => {
  const all = PAGES.flatMap(codeBlocks).filter((block) => !DATA.includes(block.language));
  const silent = all.filter((block) => block.mark === '' || block.mark === 'output');
  assert.deepEqual(
    silent.map(({ page, line }) => `${page}:${line}: mark it \`runnable\` or \`not-run: <reason>\``),
    [],
  );
  for (const { page, line, mark } of all) if (mark.startsWith('not-run')) console.log(`${page}:${line} ${mark}`);
  assert.ok(all.filter(isRunnable).length >= 10);
});

test('a documented output matches by its text, with … for what changes', () => {
  assert.ok(matches('{"a":1,"at":"…"}', '{"a":1,"at":"2026-01-01"}\n'));
  assert.ok(!matches('{"a":1,"at":"…"}', '{"a":2,"at":"2026-01-01"}'));
  assert.ok(!matches('a.b', 'acb'));
});

runPages(PAGES.filter((page) => !ACCOUNT_PAGES.includes(page)));
