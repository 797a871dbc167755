import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { importsOf, sourceFiles } from './imports.ts';

const files = sourceFiles(['src/console']);
const textOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const startOf = new Map(files.map((file) => [file, importsOf(file, textOf.get(file)).filter(({ typeOnly }) => !typeOnly)]));
/** Files that are loaded later, by themselves. */
const lateIn = (file: string): readonly string[] =>
  [...(textOf.get(file) ?? '').matchAll(/\bimport\('(\.[^']+)'\)/g)].map((match) =>
    posix.normalize(posix.join(posix.dirname(file), match[1] ?? '')),
  );

/** Everything that a file is loaded with, style sheets among it. */
function loadedWith(entry: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found) {
    const late = lateIn(file);
    for (const { to } of startOf.get(file) ?? []) if (!late.includes(to)) found.add(to);
  }
  return found;
}

const classesOfSheet = new Map(
  globSync('src/console/**/*.css').map((sheet) => [
    sheet,
    new Set([...readFileSync(sheet, 'utf8').matchAll(/\.([a-z][a-z-]*)/g)].map(([, name = '']) => name)),
  ]),
);
const classesIn = (file: string): readonly string[] =>
  [...(textOf.get(file) ?? '').matchAll(/\bclass(?:="([^"]*)"|=\{([^}]*)\})/g)].flatMap(([, plain, code = '']) =>
    plain === undefined ? [...code.matchAll(/'([^']*)'/g)].flatMap(([, text = '']) => text.split(' ')) : plain.split(' '),
  );

/** Tables draw it within a grid alone. */
const OF_GRIDS = 'card-only';

test('a class of the console has its style sheet wherever it is drawn', () => {
  const page = [...readFileSync('src/console/index.html', 'utf8').matchAll(/styles\/[a-z]+\.css/g)].map(([path]) => `src/console/${path}`);
  assert.ok(page.length > 3);
  const first = loadedWith('src/console/main.tsx');
  const late = files.flatMap(lateIn).filter((file) => file.endsWith('.tsx'));
  assert.ok(late.length > 5);
  const without = ['src/console/main.tsx', ...late].flatMap((entry) => {
    const loaded = new Set([...page, ...first, ...loadedWith(entry)]);
    return [...loaded]
      .filter((file) => textOf.has(file))
      .flatMap((file) => {
        const sheetsOf = (name: string) => [...classesOfSheet].filter(([, names]) => names.has(name)).map(([sheet]) => sheet);
        return classesIn(file)
          .filter((name) => name !== OF_GRIDS && sheetsOf(name).length > 0 && !sheetsOf(name).some((sheet) => loaded.has(sheet)))
          .map((name) => `${file}: .${name} is drawn with ${entry}, and stands in ${sheetsOf(name).join(', ')}`);
      });
  });
  assert.deepEqual([...new Set(without)], []);
});

test('on paper a page is as on a large window: a browser asks its style sheets for another width than it lays out', () => {
  const asked = [...globSync('src/console/**/*.css'), ...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:@media |useMatches\('|const ROOM = ')([^{'\n]*\b960px[^{'\n]*)/g)].map(
      ([, query = '']) => `${file}: ${query.trim()}`,
    ),
  );
  assert.ok(asked.length > 30);
  assert.deepEqual(
    asked.filter((query) => !/\bprint\b|\bscreen and\b/.test(query)),
    [],
  );
});
