/** Writes the generated files; with --check it writes nothing and fails where one is not what the code says. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { benchmarksPage, type Results } from '../bench/page.ts';
import { describe } from '../src/contract/openapi/document.ts';
import { settingsPage } from './settings-docs.ts';

const files: Record<string, string> = {
  'openapi.json': `${JSON.stringify(describe(), null, 2)}\n`,
  'docs/settings.md': settingsPage(),
  'docs/benchmarks.md': benchmarksPage(JSON.parse(readFileSync('bench/results.json', 'utf8')) as Results),
};
const check = process.argv.includes('--check');
for (const [file, text] of Object.entries(files)) {
  const is = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (is === text) continue;
  if (check) {
    console.error(`${file} is not what the code says: run npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
