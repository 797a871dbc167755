// Own process: it waits for processes that it starts.
// In the gate alone: it runs the commands of the pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBlocks, PAGES } from './markdown.ts';
import { ACCOUNT_PAGES, isRunnable, matches, runPages } from './run-pages.ts';

const COMMANDS = ['sh', 'python', 'ts'];

test('every block of commands is run here, or says why it is not', () => {
  const all = PAGES.flatMap(codeBlocks).filter((block) => COMMANDS.includes(block.language));
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
