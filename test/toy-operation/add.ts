/**
 * Adds a toy operation to a copy of the project by the list in CONTRIBUTING.md, "Add an operation": one folder, one line in the table, one
 * source. Then runs what that page says for it: generated files, lint, types, tests, and the demo. Ends with 1 where the list lacks an edit.
 */
import assert from 'node:assert/strict';
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyProject } from '../support/project-copy.ts';

const FILES = join(import.meta.dirname, 'files');
const { folder, step, edit, changed } = copyProject('toy-operation', 'Add an operation');

// 1. its folder, and a source with a simulated platform ("Add a source")
for (const file of globSync('**/*.txt', { cwd: FILES })) {
  const target = join(folder, file.replace(/\.txt$/, ''));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(FILES, file), target);
}
// 2. its line in the table
edit(
  'src/contract/operations/index.ts',
  "'./traffic/operation.ts'",
  'before',
  "import { toyOpeningHours } from './toy-opening-hours/operation.ts';",
);
edit('src/contract/operations/index.ts', '  registration,', 'after', '  toyOpeningHours,');
// 3. the line of the source, and what the tests of sources ask for
edit('src/sources/index.ts', "'./traffic/model/source.ts'", 'after', "import { toyShop } from './traffic/toy-shop/source.ts';");
edit('src/sources/index.ts', '  trafficModel,', 'before', '  toyShop,');
edit(
  'test/attack/reader-samples.ts',
  "of('traffic/similarweb-v5'",
  'before',
  `    of('traffic/toy-shop', { shop: 'acme' }, 'https://shop.toy.example/', '{"shop":"acme","days":{"Monday":"09:00"}}'),`,
);
edit('sandbox/hosts.ts', "from './traffic/hosts.ts'", 'after', "import { toyShopHost } from './traffic/toy-shop.ts';");
edit('sandbox/hosts.ts', '{ hosts: [tranco, panel] }', 'after', '  { hosts: [toyShopHost] },');
// 5. the pages
edit('README.md', '| website traffic: `traffic`', 'after', '| opening hours: `toy-opening-hours` | public page | |');

step('npm run generate', 'npm', 'run', '--silent', 'generate');
const sources = changed().filter((path) => path.endsWith('.ts'));
step('lint', 'npx', '--no-install', 'biome', 'check', '--write', '--colors=off', ...sources);
step('npm run generate -- --examples', 'npm', 'run', '--silent', 'generate', '--', '--examples');
step('types', 'npx', '--no-install', 'tsc', '-p', '.');
step('npm run generate -- --check', 'npm', 'run', '--silent', 'generate', '--', '--check');
const tests = [
  'src/contract',
  ...['openapi', 'operations', 'parameters', 'statuses'].map((name) => `test/contract/${name}.test.ts`),
  ...['honest-negatives', 'evidence'].map((name) => `test/sources/${name}.test.ts`),
  'test/architecture',
  'test/docs/reference.test.ts',
  'test/mcp/tools.test.ts',
];
step('tests', 'npm', '--silent', 'test', '--', ...tests, 'test/attack/growing-inputs.test.ts');
const table = step('npm run demo', 'npm', 'run', '--silent', 'demo', '--', '--once');
assert.match(table, /toy-opening-hours +200 +1 +traffic\/toy-shop +acme: 1 days/);
console.log(
  `The toy operation works with these edits:\n${changed()
    .map((path) => `  ${path}`)
    .join('\n')}`,
);
