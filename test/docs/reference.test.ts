import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { SETTINGS } from '../../src/settings.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { PAGES } from './markdown.ts';

const source = globSync('src/**/*.ts')
  // functions of the ledger in PostgreSQL have the prefix of the metrics
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/store/'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const page = (name: string): string => readFileSync(name, 'utf8');

test('docs/metrics.md has a row for every metric, and for nothing else', () => {
  const registered = new Set(
    [...source.matchAll(/(?:metrics\(\s*|\(|'(?:counter|gauge)', )'(sightline_[a-z_]+)'/g)].map(([, name]) => name),
  );
  const documented = new Set([...page('docs/metrics.md').matchAll(/^\| `(sightline_[a-z_]+)`/gm)].map(([, name]) => name));
  assert.deepEqual([...documented].sort(), [...registered].sort());
});

test('docs/troubleshooting.md has a row for every error code, with its status', () => {
  const rows = page('docs/troubleshooting.md').split('\n');
  const missing = (Object.keys(ERRORS) as ErrorName[]).filter(
    (name) => !rows.some((row) => row.includes(`\`${codeOf(name)}\` |`) && row.split('|')[1]?.includes(String(ERRORS[name].status))),
  );
  assert.deepEqual(missing, []);
});

test('every setting that a page names exists', () => {
  // the changelog names settings that are gone
  const unknown = PAGES.filter((file) => file !== 'CHANGELOG.md').flatMap((file) =>
    [...page(file).matchAll(/\bSIGHTLINE_[A-Z][A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !(name in SETTINGS) && !/^SIGHTLINE_(?:TEST_|PORT$|SERVICE$)/.test(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('README says which operations answer without any setting', () => {
  const open = SOURCES.filter(({ needs, listed }) => needs.length === 0 && listed === undefined).flatMap(({ operations }) => operations);
  const rows = page('README.md').split('## Install')[0]?.split('\n') ?? [];
  for (const { id } of operationList) {
    const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${id}\``));
    assert.ok(row, id);
    const without = row.split('|')[2] ?? '';
    assert.equal(/\S/.test(without) && !/setting|your own/.test(without), open.includes(id), id);
  }
});

test('every address of the project begins with the homepage of package.json', () => {
  const { homepage, repository, bugs } = JSON.parse(page('package.json'));
  const named = PAGES.flatMap((file) => [...page(file).matchAll(/git clone (\S+)|(https:\S+\/(?:security|issues)\b)/g)]);
  assert.ok(named.length >= 3);
  for (const address of [repository.url.replace(/^git\+/, ''), bugs, ...named.map(([, cloned, page]) => cloned ?? page)])
    assert.ok(address.startsWith(homepage), address);
});
