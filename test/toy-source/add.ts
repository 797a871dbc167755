/**
 * Adds a toy source to a copy of the project by the list in CONTRIBUTING.md, "Add a source", and runs what that page says for it: lint, types,
 * generated files and the tests, then a lookup against the simulated platforms. Ends with 1 where the list lacks an edit.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject } from '../support/project-copy.ts';

const FOLDER = 'src/sources/traffic/toy';
const { folder: copy, step, edit, changed: changedFiles } = copyProject('toy-source', 'Add a source');

// 1. the source with its tests
mkdirSync(join(copy, FOLDER), { recursive: true });
for (const name of readdirSync(import.meta.dirname).filter((file) => !['add.ts', 'host.ts'].includes(file))) {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  const moved = text.replaceAll('../../src/sources/', '../../').replaceAll('../../src/', '../../../').replace(' as never', '');
  writeFileSync(
    join(copy, FOLDER, name),
    moved.replace('const settings: Readonly<Record<string, unknown>> = ports.settings', 'const { settings } = ports'),
  );
}
// 2. its line among the sources
edit('src/sources/index.ts', "'./traffic/model/source.ts'", 'after', "import { trafficToy } from './traffic/toy/source.ts';");
edit('src/sources/index.ts', '  trafficModel,', 'before', '  trafficToy,');
// what the tests ask for
edit(
  'test/attack/reader-samples.ts',
  "of('traffic/similarweb-v5'",
  'before',
  `    of('traffic/toy', { domain: 'acme-widgets.com' }, 'https://panel.toy.example/', '{"domain":"acme-widgets.com","month":"2026-10","visits":1}'),`,
);
edit(
  'test/sources/evidence-samples.ts',
  'export const EVIDENCE_SAMPLES',
  'after',
  `  ...of('traffic/toy', [{ name: 'unknown domain', reader: 'traffic/toy', status: 404, body: '{"error":"unknown domain"}' }]),`,
);
edit('docs/traffic.md', '# ', 'after', '\nThe toy panel needs `TOY_API_KEY`; every field besides the month and its visits is null.');
// only where it applies: it has a setting
edit('src/settings.ts', '  SIMILARWEB_API_KEY:', 'before', "  TOY_API_KEY: traffic.secret(string, 'Key of the toy panel.'),");
edit('compose.fleet.yaml', '  SIMILARWEB_API_KEY:', 'before', `  TOY_API_KEY: $\{TOY_API_KEY:-}`);
// … and is to answer in the demo
cpSync(join(import.meta.dirname, 'host.ts'), join(copy, 'sandbox/traffic/toy.ts'));
writeFileSync(
  join(copy, 'sandbox/traffic/toy.ts'),
  readFileSync(join(copy, 'sandbox/traffic/toy.ts'), 'utf8').replace('../../sandbox/', '../'),
);
edit('sandbox/hosts.ts', "from './traffic/hosts.ts'", 'after', "import { DEMO_TOY_KEY, toyPanel } from './traffic/toy.ts';");
edit('sandbox/hosts.ts', '{ hosts: [tranco, panel] }', 'after', '  { hosts: [toyPanel], settings: { TOY_API_KEY: DEMO_TOY_KEY } },');

step('npm run generate', 'npm', 'run', '--silent', 'generate');
const changed = changedFiles();
step('lint', 'npx', '--no-install', 'biome', 'check', '--write', '--colors=off', ...changed.filter((path) => path.endsWith('.ts')));
step('types', 'npx', '--no-install', 'tsc', '-p', '.');
const tests = ['test/sources', 'test/attack/growing-inputs.test.ts', 'test/architecture', 'test/deploy/deploy.test.ts', FOLDER];
step('tests', 'npm', '--silent', 'test', '--', ...tests, 'test/docs/reference.test.ts');

/** The sandbox answers through the new source, and `sightline sources` names it and what it lacks. */
const listed = step('sightline sources', 'npx', '--no-install', 'node', 'bin/sightline.mjs', 'sources');
assert.match(listed, /traffic\/toy\s+traffic\s+No key: TOY_API_KEY/);
const table = step('npm run demo', 'npm', 'run', '--silent', 'demo', '--', '--once');
assert.match(table, /4[,.]?711|4\.7 ?k/i, 'the demo shows the visits of the toy panel');
console.log(`The toy source works with these edits:\n${changed.map((path) => `  ${path}`).join('\n')}`);
