import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { cyclesOf, type Import, importsOf, sourceFiles } from './imports.ts';

/** The folders of `src`, lowest first: a file imports from its own folder and from the ones before it. */
const LAYERS = [
  'contract',
  'setting-kinds.ts',
  'settings.ts',
  'runtime',
  'telemetry',
  'upstream',
  'captures',
  'spending',
  'store',
  'sources',
  'monitoring',
  'orchestrator',
  'billing',
  'accounts',
  'lookups',
  'watches',
  'gateway',
  'client',
  'bulk',
  'console',
  'mcp',
  'fleet',
  'cli',
] as const;

/** Folders that may import less than the layers below them. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  client: ['contract'],
  bulk: ['contract', 'client', 'runtime'],
  console: ['contract', 'client', 'bulk'],
  runtime: ['contract', 'settings.ts'],
  spending: ['upstream', 'runtime', 'contract', 'settings.ts'],
  captures: ['upstream', 'runtime', 'contract', 'settings.ts'],
};
/** Folders that only these may import. */
const IMPORTED_BY: Readonly<Record<string, readonly string[]>> = { fleet: ['cli'], cli: [] };
/** The demo is the one command that starts the simulated platforms. */
const OUTSIDE_SRC: Readonly<Record<string, readonly string[]>> = { 'src/cli/demo.ts': ['sandbox'] };

const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** Why an import is not allowed; null where it is. */
function faultOf({ from, to }: Import): string | null {
  const says = (rule: string) => `${from} imports ${to}: ${rule}`;
  if (!to.startsWith('src/'))
    return OUTSIDE_SRC[from]?.includes(to.split('/')[0] ?? '') ? null : says('src imports nothing outside of src');
  const [importer, imported] = [roomOf(from), roomOf(to)];
  if (importer === imported) return null;
  if (IMPORTED_BY[imported] && !IMPORTED_BY[imported].includes(importer))
    return says(`only ${IMPORTED_BY[imported].join(', ') || 'nothing'} imports ${imported}`);
  if (ALLOWED[importer] && !ALLOWED[importer].includes(imported))
    return says(`${importer} imports ${ALLOWED[importer].join(', ') || 'nothing of ours'} alone`);
  const [at, below] = [LAYERS.indexOf(importer as (typeof LAYERS)[number]), LAYERS.indexOf(imported as (typeof LAYERS)[number])];
  return below >= 0 && below < at ? null : says(`${imported} is above ${importer}`);
}

const src = sourceFiles(['src']).flatMap((file) => importsOf(file));

test('every folder of src has its place among the layers', () => {
  const unknown = readdirSync('src').filter((name) => !name.endsWith('.test.ts') && !LAYERS.includes(name as (typeof LAYERS)[number]));
  assert.deepEqual(unknown, []);
});

test('imports point downward only', () => {
  assert.ok(src.length > 1000, `${src.length} imports were read`);
  assert.deepEqual(
    src.map(faultOf).filter((fault) => fault !== null),
    [],
  );
});

test('what is made for people and tests reaches neither the client nor the console', () => {
  const graph = Map.groupBy(src, ({ from }) => from);
  const reached = new Set(sourceFiles(['src/client', 'src/console']));
  for (const file of reached) for (const { to, typeOnly } of graph.get(file) ?? []) if (!typeOnly) reached.add(to);
  const wrong = [...reached].filter((file) =>
    /^src\/contract\/operations\/(?:[\w-]+\/)?(?:presentations?\.ts|samples?\.(?:ts|json))$/.test(file),
  );
  assert.deepEqual(wrong, []);
});

test('the console loads no schemas of the account: they are larger than its pages', () => {
  const inConsole = src.filter(({ from }) => from.startsWith('src/console/'));
  const ofSchemas = inConsole.filter(({ to }) => /schemas\.ts$/.test(to));
  assert.ok(ofSchemas.length > 10, `${ofSchemas.length} imports of their types`);
  assert.deepEqual(
    ofSchemas.filter(({ typeOnly }) => !typeOnly),
    [],
  );
});

test('no files import each other in a circle', () => {
  const all = sourceFiles(['src', 'tools', 'sandbox']).flatMap((file) => importsOf(file));
  assert.deepEqual(cyclesOf(all), []);
});

test('a forbidden import is named with both files and the rule', () => {
  const faults = (from: string, to: string) => faultOf({ from, to });
  assert.match(
    faults('src/billing/ledger.ts', 'src/accounts/keys/keys.ts') ?? '',
    /billing\/ledger.ts imports src\/accounts.*accounts is above billing/,
  );
  assert.match(faults('src/gateway/server.ts', 'src/fleet/redis.ts') ?? '', /only cli imports fleet/);
  assert.match(faults('src/contract/errors.ts', 'src/settings.ts') ?? '', /contract imports nothing of ours alone/);
  assert.match(faults('src/upstream/whois.ts', 'test/support/manual-clock.ts') ?? '', /nothing outside of src/);
  assert.equal(faults('src/accounts/keys/keys.ts', 'src/billing/ledger.ts'), null);
});

test('type imports, re-exports, dynamic imports and worker files count as imports', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import { b } from '../b.ts';",
    "export type { C } from './c.ts';",
    "const d = () => import('./d.ts');",
    "new Worker(new URL('./e.ts', import.meta.url));",
    "// import { f } from './f.ts';",
    "import 'node:fs';",
  ].join('\n');
  assert.deepEqual(
    importsOf('src/x/y.ts', text).map(({ to, typeOnly }) => [to, typeOnly]),
    [
      ['src/x/a.ts', true],
      ['src/b.ts', false],
      ['src/x/c.ts', true],
      ['src/x/d.ts', false],
      ['src/x/e.ts', false],
    ],
  );
});

test('a circle of three files is found', () => {
  const edge = (from: string, to: string): Import => ({ from, to });
  assert.deepEqual(cyclesOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd')]), [['a', 'b', 'c']]);
  assert.deepEqual(cyclesOf([edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]), []);
});
