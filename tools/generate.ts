/**
 * Writes the generated files. With --check it writes nothing and fails if a file differs from the generated text. With --examples it first
 * starts the demo and rewrites the example answers of the OpenAPI description.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const EXAMPLES = 'src/contract/openapi/examples.json';
if (process.argv.includes('--examples')) {
  const { collectExamples } = await import('./examples.ts');
  writeFileSync(EXAMPLES, `${JSON.stringify(await collectExamples(), null, 2)}\n`);
  console.log(`wrote ${EXAMPLES}`);
}

// loaded after the examples are written, because the description imports them
const { benchmarksPage } = await import('../bench/page.ts');
const { withActionsTable } = await import('./admin-docs.ts');
const { clientMethods } = await import('./client-methods.ts');
const { describe } = await import('../src/contract/openapi/document.ts');
const { pythonClient } = await import('./python-client.ts');
const { FILE: RECORD, testingPage } = await import('./record-page.ts');
const { settingsPage } = await import('./settings-docs.ts');
const files: Record<string, string> = {
  'openapi.json': `${JSON.stringify(describe(), null, 2)}\n`,
  'src/client/methods.ts': clientMethods(),
  'docs/operations.md': withActionsTable(readFileSync('docs/operations.md', 'utf8')),
  'docs/settings.md': settingsPage(),
  'docs/testing.md': testingPage(JSON.parse(readFileSync(RECORD, 'utf8'))),
  'clients/python/src/sightline/_generated.py': pythonClient(),
  'docs/benchmarks.md': benchmarksPage(JSON.parse(readFileSync('bench/results.json', 'utf8'))),
};
const check = process.argv.includes('--check');
for (const [file, text] of Object.entries(files)) {
  const is = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (is === text) continue;
  if (check) {
    console.error(`${file} is not what the code gives: run npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
if (check) {
  const { exampleFaults } = await import('./example-faults.ts');
  for (const fault of exampleFaults(describe())) {
    console.error(`${fault}: run npm run generate -- --examples`);
    process.exitCode = 1;
  }
}
