import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeOf, sourceFiles } from './imports.ts';

const MAX_LINES = 250;
/** Files of src that may be longer, and why. */
const LONGER: Readonly<Record<string, string>> = {
  'src/settings.ts': 'one table: a line or two for each setting',
};
/** Public modules that consist of re-exports. */
const PUBLIC_MODULES: readonly string[] = ['src/client/index.ts'];
/** Node loads a test reporter by its default export. */
const DEFAULT_EXPORTS: readonly string[] = ['tools/tests/reporter.ts'];
const MAX_CASTS = 5;

const src = sourceFiles(['src']);
const all = sourceFiles(['src', 'sandbox', 'tools', 'bench', 'test']).filter((file) => !file.startsWith('test/architecture/'));
const product = all.filter((file) => !file.startsWith('test/'));

interface Place {
  readonly line: number;
  readonly explained: boolean;
}
/** Lines of the code that match; `explained` where the line before is a comment. */
function placesOf(source: string, pattern: RegExp): readonly Place[] {
  const lines = source.split('\n');
  return codeOf(source)
    .split('\n')
    .flatMap((code, at) =>
      pattern.test(code) ? [{ line: at + 1, explained: /^\s*(\/\/|\*\/|\/\*\*.*\*\/)/.test(lines[at - 1] ?? '') }] : [],
    );
}
const found = (files: readonly string[], pattern: RegExp): readonly (Place & { readonly at: string })[] =>
  files.flatMap((file) => placesOf(readFileSync(file, 'utf8'), pattern).map((place) => ({ ...place, at: `${file}:${place.line}` })));

const CAST = /\bas never\b|\bas unknown as\b/;
const ANY = /(?::|<|,|\||&|=>|\bas)\s*any\b(?!\()/;
const DEFAULT = /^\s*export default\b|\bas default\b/;
const isBarrel = (source: string): boolean => {
  const statements = codeOf(source).trim();
  return statements !== '' && /^(?:export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s*''\s*;?\s*)+$/.test(statements);
};

test(`no file of src has more than ${MAX_LINES} lines, but those named here with their reason`, () => {
  const long = src
    .filter((file) => !LONGER[file])
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
      return lines > MAX_LINES ? [`${file}: ${lines} lines`] : [];
    });
  assert.deepEqual(long, []);
  assert.deepEqual(
    Object.keys(LONGER).filter((file) => !src.includes(file)),
    [],
    'a file that is named here does not exist',
  );
});

test('no test waits for a condition by eval, which the Content-Security-Policy of our pages refuses at the second look', () => {
  const places = found(globSync('test/{browser,console}/**/*.ts'), /\.waitForFunction\(/);
  assert.deepEqual(
    places.map(({ at }) => at),
    [],
  );
});

test('nothing is exported as default', () => {
  assert.deepEqual(
    found(all, DEFAULT)
      .map(({ at }) => at)
      .filter((at) => !DEFAULT_EXPORTS.some((file) => at.startsWith(`${file}:`))),
    [],
  );
});

test('no type is any', () => {
  assert.deepEqual(
    found(product, ANY).map(({ at }) => at),
    [],
  );
});

test('only public modules consist of re-exports', () => {
  assert.deepEqual(
    product.filter((file) => !PUBLIC_MODULES.includes(file) && isBarrel(readFileSync(file, 'utf8'))),
    [],
  );
});

test(`at most ${MAX_CASTS} casts pass by the type checker, each with its reason on the line before`, () => {
  const casts = found(product, CAST);
  const counted = casts.filter(({ at }) => !at.startsWith('bench/'));
  assert.deepEqual(
    casts.filter(({ explained }) => !explained).map(({ at }) => at),
    [],
    'casts without a reason',
  );
  assert.ok(counted.length <= MAX_CASTS, `${counted.length} casts:\n${counted.map(({ at }) => at).join('\n')}`);
});

test('casts, any, default exports and barrels are found in code, not in comments and texts', () => {
  const source = ['// as never', "const a = 'x as never';", 'const b = c as never;', '// the reason', 'const d = e as unknown as F;'].join(
    '\n',
  );
  assert.deepEqual(placesOf(source, CAST), [
    { line: 3, explained: false },
    { line: 5, explained: true },
  ]);
  for (const text of [
    'let a: any;',
    'const b = c as any;',
    'const d: Map<string, any> = e;',
    'type F = G | any;',
    'const h = (i: any[]) => 1;',
  ])
    assert.equal(placesOf(text, ANY).length, 1, text);
  for (const text of ['const any = any(1);', 'Promise.any([])', 'const a = { any: 1 };', 'limited: any(x)', "const t = ': any';"])
    assert.equal(placesOf(text, ANY).length, 0, text);
  assert.equal(placesOf('export default function f() {}', DEFAULT).length, 1);
  assert.equal(isBarrel("// public\nexport { a } from './a.ts';\nexport type { B } from './b.ts';\nexport * from './c.ts';\n"), true);
  assert.equal(isBarrel("export { a } from './a.ts';\nexport const b = 1;\n"), false);
});

test('every source is a folder with source.ts and connector.ts, and these names mean nothing else', () => {
  const files = sourceFiles(['src/sources']);
  const makers = files.filter((file) => /^export const \w+ = (?:lazily|serpSource|browserSource)\(/m.test(readFileSync(file, 'utf8')));
  const folders = makers.map((file) => /^(src\/sources\/\w+\/[\w-]+)\/source\.ts$/.exec(file)?.[1] ?? `${file} is no source.ts`);
  assert.ok(folders.length > 10);
  assert.deepEqual(
    folders.filter((folder) => !files.includes(`${folder}/connector.ts`)),
    [],
  );
  const named = files.filter((file) => /\/(?:sources?|connectors?)\.ts$/.test(file));
  const expected = folders.flatMap((folder) => [`${folder}/connector.ts`, `${folder}/source.ts`]);
  assert.deepEqual(named, [...expected, 'src/sources/relay/connector.ts', 'src/sources/source.ts'].sort());
});
