import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeOf } from './imports.ts';

/** Words that had a private meaning here, and the standard term to use. */
const REPLACED: Readonly<Record<string, string>> = {
  desk: 'context, or explicit dependencies',
  purse: 'charge, or source budget',
  strike: 'penalty',
  strikes: 'penalties',
  gate: 'load shedder',
  twin: 'follower of a coalesced lookup',
  twins: 'coalescing',
  union: 'shared coalescing',
  question: 'cache key, lookup, or prompt',
  questions: 'lookups, or prompts',
  kept: 'cached answer',
  via: 'cache status',
  world: 'ports, or simulated platforms',
  walk: 'line parser, or traverse',
  station: 'source workers',
  stations: 'source workers',
  hand: 'worker',
  hands: 'workers',
  mend: 'repair',
  decline: 'reject',
  wall: 'block page',
  walls: 'block pages',
};
/** Names that others gave, and the files that speak to them. Nothing else lets one of the words through. */
const NAMES_OF_OTHERS: readonly (readonly [name: string, files: RegExp, whose: string])[] = [
  ['TUnion', /^src\/contract\/schema\.ts$/, 'TypeBox'],
  ['Union', /^src\/contract\/schema\.test\.ts$/, 'TypeBox'],
  ['openWorldHint', /^(src|test)\/mcp\//, 'the Model Context Protocol'],
  ['question', /^src\/cli\/terminal\.ts$/, 'node:readline'],
  ['question', /^sandbox\/searchengine\/serpapi\.ts$|^test\/searchengine\/provider-pages\.test\.ts$/, 'SerpApi'],
  ['related_questions', /^sandbox\/searchengine\/serpapi\.ts$|^test\/searchengine\/provider-pages\.test\.ts$/, 'SerpApi'],
  ['relatedQuestions', /^(sandbox|test)\/searchengine\//, '"people also ask" of a result page'],
];

const partsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((part) => part.toLowerCase());

const faultOf = (name: string, file = 'src/'): string | null => {
  if (NAMES_OF_OTHERS.some(([theirs, where]) => theirs === name && where.test(file))) return null;
  const word = partsOf(name).find((part) => Object.hasOwn(REPLACED, part));
  return word === undefined ? null : `${name}: write ${REPLACED[word]}`;
};

/** Identifiers of the code, without comments and texts; expressions inside templates are read. */
const identifiersOf = (source: string): ReadonlySet<string> => new Set(codeOf(source).match(/[A-Za-z_$][\w$]*/g));
/** Words of the comments. Of Lua, whose comments begin with two dashes, too. */
const commentWordsOf = (source: string, file: string): ReadonlySet<string> => {
  const comments = file.endsWith('.lua') ? /--.*$/gm : /\/\*[\s\S]*?\*\/|(?<=^\s*|\s)\/\/ .*$/gm;
  return new Set(source.match(comments)?.flatMap((comment) => comment.match(/[A-Za-z][\w$]*/g) ?? []));
};

const files = ['src', 'sandbox', 'tools', 'test', 'bench']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs,lua}`, { exclude: ['**/node_modules/**'] }))
  .sort();

test('file names use standard terms', () => {
  assert.ok(files.length > 500);
  const faults = files
    .filter((file) => !file.startsWith('test/architecture/'))
    .flatMap((file) => file.split('/').map((part) => faultOf(part.replace(/\.\w+$/, ''))))
    .filter((fault) => fault !== null);
  assert.deepEqual(faults, []);
});

test('identifiers use standard terms', () => {
  const faults = files
    .filter((file) => !file.startsWith('test/architecture/'))
    .flatMap((file) =>
      [...identifiersOf(readFileSync(file, 'utf8'))]
        .map((name) => faultOf(name, file))
        .filter((fault) => fault !== null)
        .map((fault) => `${file}: ${fault}`),
    );
  assert.deepEqual(faults, []);
});

test('comments of the service use standard terms', () => {
  const faults = files
    .filter((file) => file.startsWith('src/'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      const isName = identifiersOf(source);
      return [...commentWordsOf(source, file)]
        .filter((word) => !isName.has(word))
        .map((word) => faultOf(word, file))
        .filter((fault) => fault !== null)
        .map((fault) => `${file}: ${fault}`);
    });
  assert.deepEqual(faults, []);
});

test('every name of others is in use', () => {
  for (const [name, where, whose] of NAMES_OF_OTHERS) {
    const users = files.filter((file) => where.test(file) && identifiersOf(readFileSync(file, 'utf8')).has(name));
    assert.ok(users.length > 0, `${name} of ${whose}`);
  }
});

test('a private word is found inside an identifier and in a comment, in a text it is not', () => {
  const source = ['const accountPurse = `$', "{openDesk()} gate`; // a wall\n/** The twin. */\nconst a = 'desk';"].join('');
  const faultsIn = (words: Iterable<string>) => [...words].map((name) => faultOf(name)).filter((fault) => fault !== null);
  assert.deepEqual(faultsIn(identifiersOf(source)), [
    'accountPurse: write charge, or source budget',
    'openDesk: write context, or explicit dependencies',
  ]);
  assert.deepEqual(faultsIn(commentWordsOf(source, 'a.ts')), ['wall: write block page', 'twin: write follower of a coalesced lookup']);
  assert.deepEqual(faultsIn(commentWordsOf('return 1 -- the union\n', 'a.lua')), ['union: write shared coalescing']);
  assert.equal(faultOf('handle'), null);
  assert.equal(faultOf('aggregate'), null);
});
