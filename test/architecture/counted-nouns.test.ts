import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FILES = globSync(['src/cli/**/*.ts', 'src/bulk/**/*.ts']).filter((file) => !file.endsWith('.test.ts'));

test('the command line counts nouns by one function: no line says "1 credits"', () => {
  const texts = FILES.map((file) => [file, readFileSync(file, 'utf8')] as const);
  const nouns = new Set(texts.flatMap(([, text]) => [...text.matchAll(/\bplural\([^']*'(\w+)/g)].map(([, noun = '']) => noun)));
  assert.ok(nouns.has('credit') && nouns.size > 10, [...nouns].join(', '));
  const wrong = new RegExp(`\\$\\{(?!plural\\()[^{}]*\\} (?:${[...nouns].join('|')})s\\b`);
  // a streak has at least this many lines
  const left = texts.flatMap(([file, text]) =>
    text
      .split('\n')
      .filter((line) => wrong.test(line) && !line.includes('streak.size'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(left, []);
});
