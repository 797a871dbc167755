/**
 * Writes the generated files. With --check it writes nothing and fails if a file differs from the generated text. With --examples it first
 * starts the demo and rewrites the example answers of the OpenAPI description.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const check = process.argv.includes('--check');
/** Files that are not what the code gives: written, or with --check named. */
function settle(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (check) {
      console.error(`${file} is not what the code gives: run npm run generate`);
      process.exitCode = 1;
    } else {
      writeFileSync(file, text);
      console.log(`wrote ${file}`);
    }
  }
}
// first: demo and description import these files
const { operationFolders } = await import('./operation-folders.ts');
settle(operationFolders());

if (process.argv.includes('--examples')) {
  const { collectExamples, exampleFiles } = await import('./examples.ts');
  for (const [file, example] of Object.entries(exampleFiles(await collectExamples())))
    writeFileSync(file, `${JSON.stringify(example, null, 2)}\n`);
  console.log('wrote the examples');
}

const { benchmarksPage, suitesPage } = await import('../bench/page.ts');
const { withActionsTable } = await import('./admin-docs.ts');
const { clientMethods } = await import('./client-methods.ts');
const { describe } = await import('../src/contract/openapi/document.ts');
const { pythonClient } = await import('./python-client.ts');
const { FILE: RECORD, recordPage, testingPage } = await import('./record-page.ts');
const { withFieldsTable } = await import('./watch-docs.ts');
const { settingsPage } = await import('./settings-docs.ts');
const { coverageFile, RECIPE_PAGES, withRecipes } = await import('./recipe-docs.ts');
const coverage = await coverageFile();
settle({
  'src/sources/recipes/coverage.json': coverage,
  ...Object.fromEntries(
    Object.entries(RECIPE_PAGES).map(([page, operations]) => [
      page,
      withRecipes(readFileSync(page, 'utf8'), operations, JSON.parse(coverage)),
    ]),
  ),
  'openapi.json': `${JSON.stringify(describe(), null, 2)}\n`,
  'src/client/methods.ts': clientMethods(),
  'docs/operations.md': withActionsTable(readFileSync('docs/operations.md', 'utf8')),
  'docs/watches.md': withFieldsTable(readFileSync('docs/watches.md', 'utf8')),
  'docs/settings.md': settingsPage(),
  'docs/testing.md': testingPage(JSON.parse(readFileSync(RECORD, 'utf8'))),
  'docs/test-record.md': recordPage(JSON.parse(readFileSync(RECORD, 'utf8'))),
  'clients/python/src/sightline/_generated.py': pythonClient(),
  'docs/benchmarks.md': benchmarksPage(JSON.parse(readFileSync('bench/results.json', 'utf8'))),
  'docs/benchmark-suites.md': suitesPage(JSON.parse(readFileSync('bench/results.json', 'utf8'))),
});
if (check) {
  const { exampleFaults } = await import('./example-faults.ts');
  for (const fault of exampleFaults(describe())) {
    console.error(`${fault}: run npm run generate -- --examples`);
    process.exitCode = 1;
  }
}
