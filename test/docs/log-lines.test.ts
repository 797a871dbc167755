import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Levels and messages of the log calls in the code; `…` stands for what a template fills in. */
function loggedLines(): Set<string> {
  const lines = new Set<string>();
  const add = (level: string, message: string) => lines.add(`${level} ${message.replace(/\$\{[^}]*\}/g, '…')}`);
  for (const file of globSync('src/**/*.ts').filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, level = '', , message = ''] of text.matchAll(/(?<!say\.)\blog\(\s*'(info|warn|error|debug)',\s*(['`])(.*?)\2/gs))
      add(level, message);
    for (const [, level = '', , message = ''] of text.matchAll(/\blog\??\.(info|warn|error|debug)\(\s*\{[^}]*\},\s*(['`])(.*?)\2/gs))
      add(level, message);
    for (const [, , begins = '', , ends = ''] of text.matchAll(/\bcreateOutage\(\s*\w+,\s*[\w.]+,\s*(['`])(.*?)\1,\s*(['`])(.*?)\3/gs)) {
      add('error', begins);
      add('info', ends);
    }
    for (const [, message = ''] of text.matchAll(/UPSTREAM_COST = '([^']+)'/g)) add('info', message);
  }
  return lines;
}

test('docs/metrics.md explains every line of the log, at its level, and no other', () => {
  const page = readFileSync('docs/metrics.md', 'utf8');
  const rows = [...page.slice(page.indexOf('## Log')).matchAll(/^\| `([^`]+)` \| (info|warn|error|debug) \|/gm)];
  const documented = rows.map(([, message, level]) => `${level} ${message}`);
  assert.deepEqual(documented.toSorted(), [...loggedLines()].toSorted());
  assert.ok(documented.length > 30);
});
