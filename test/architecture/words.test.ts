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
  ['pause', /^src\/sources\/(?:html\/page|challenge)\.ts$/, 'htmlparser2'],
  ['openWorldHint', /^(src|test)\/mcp\//, 'the Model Context Protocol'],
  ['question', /^src\/cli\/terminal\.ts$/, 'node:readline'],
  ['question', /^sandbox\/searchengine\/serpapi\.ts$|^test\/searchengine\/provider-pages\.test\.ts$/, 'SerpApi'],
  ['related_questions', /^sandbox\/searchengine\/serpapi\.ts$|^test\/searchengine\/provider-pages\.test\.ts$/, 'SerpApi'],
  ['relatedQuestions', /^(sandbox|test)\/searchengine\//, '"people also ask" of a result page'],
];

/** Words that comments of tools and tests use in their usual meaning. */
const IN_COMMENTS: readonly (readonly [word: string, files: RegExp, what: string])[] = [
  ['gate', /^tools\/(?:test(?:\.test)?\.ts$|tests\/)|^test\/|\.test\.ts$/, '.ci/run'],
  ['hand', /^tools\/registries\.ts$/, 'the name of a file'],
];

/** Words of the glossary for a thing, and folders that know nothing of it: there the word could only name something else. */
const NOT_IN: readonly (readonly [words: RegExp, folders: RegExp, instead: string])[] = [
  [
    /^(?:un)?watch(?:es|ed|ing)?$/,
    /^src\/(?:upstream|orchestrator|runtime|sources|spending|captures|monitoring|telemetry|fleet|lookups|store\/(?:sqlite|postgres)|gateway\/(?:http|admission))\//,
    'subscribe, onAttempt, poll, measure or track',
  ],
  [
    /^grants?$/,
    /^src\/(?:upstream|orchestrator|runtime|sources|spending|captures|fleet|lookups|mcp|watches|gateway\/(?:http|admission))\//,
    'turn, or issue',
  ],
  [/^paus(?:e|es|ed|ing)$/, /^src\/(?:upstream|orchestrator|sources|fleet)\//, 'rest'],
];
/**
 * One verb for each way to refuse: `demand…` throws unless something is so, `fail` always throws, `refuse…` writes the response to a request.
 * A function that returns nothing can only throw or write.
 */
const RETURNS_NOTHING = /\bfunction (\w+)\(([^{}]*?)\): (?:void|Promise<void>|asserts [^{]+) \{/g;
const verbFault = (name: string, parameters: string): string | null =>
  /^(?:check|ensure|require|assert)(?:[A-Z]|$)/.test(name) || (/^refuse/.test(name) && !/\b(?:RequestContext|Socket)\b/.test(parameters))
    ? `${name}: write demand…`
    : null;
/** `at` alone says neither unit nor what is there: a time is `atMs`, a place `index`, `offset`, `pointer`, … */
const DECLARES_AT = /\b(?:const|let) (?:\[(?:\w+, )*)?at\b|\bat\??: number\b|\bfunction at\b|[(,] ?at(?:, \w+)*\) =>/g;
/** Fields named `at` in the store and in messages of a fleet: in released text. */
const AT_OUTSIDE: readonly string[] = [
  'src/store/tables.ts',
  'src/store/watch-tables.ts',
  'src/store/postgres/postgres.ts',
  'src/accounts/types.ts',
  'src/orchestrator/types.ts',
  'src/watches/canaries.ts',
];

const partsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((part) => part.toLowerCase());

const isOfOthers = (name: string, file: string): boolean => NAMES_OF_OTHERS.some(([theirs, where]) => theirs === name && where.test(file));
const faultOf = (name: string, file = 'src/'): string | null => {
  if (isOfOthers(name, file)) return null;
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

const files = ['src', 'sandbox', 'tools', 'test', 'bench', 'compare']
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

test('comments of service, tools, sandbox, tests and bench use standard terms', () => {
  const faults = files
    .filter((file) => !file.startsWith('test/architecture/'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      const isName = identifiersOf(source);
      return [...commentWordsOf(source, file)]
        .filter((word) => !isName.has(word) && !IN_COMMENTS.some(([usual, where]) => usual === word && where.test(file)))
        .map((word) => faultOf(word, file))
        .filter((fault) => fault !== null)
        .map((fault) => `${file}: ${fault}`);
    });
  assert.deepEqual(faults, []);
});

test('a word of the glossary is not used where its thing does not occur', () => {
  const faults = NOT_IN.flatMap(([words, folders, instead]) =>
    files
      .filter((file) => folders.test(file) && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        [...identifiersOf(readFileSync(file, 'utf8'))]
          .filter((name) => !isOfOthers(name, file) && partsOf(name).some((part) => words.test(part)))
          .map((name) => `${file}: ${name}: write ${instead}`),
      ),
  );
  assert.deepEqual(faults, []);
  for (const [, folders] of NOT_IN) assert.ok(files.some((file) => folders.test(file)));
});

test('one verb for each way to refuse', () => {
  const faultsIn = (code: string) =>
    [...code.matchAll(RETURNS_NOTHING)].flatMap(([, name = '', given = '']) => verbFault(name, given) ?? []);
  const faults = files
    .filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => faultsIn(codeOf(readFileSync(file, 'utf8'))).map((fault) => `${file}: ${fault}`));
  assert.deepEqual(faults, []);
  const example = 'function refuseBody(request: IncomingMessage): void {\n}\nfunction refuse(\n  context: RequestContext,\n): void {\n}\n';
  assert.deepEqual(faultsIn(`${example}async function checkIt(a: string): Promise<void> {}`), [
    'refuseBody: write demand…',
    'checkIt: write demand…',
  ]);
});

test('no time, place or function of the service is named only at', () => {
  const found = files
    .filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => [...codeOf(readFileSync(file, 'utf8')).matchAll(DECLARES_AT)].map(([text]) => [file, text] as const));
  assert.deepEqual(
    found.filter(([file]) => !AT_OUTSIDE.includes(file)),
    [],
  );
  assert.deepEqual([...new Set(found.map(([file]) => file))].sort(), [...AT_OUTSIDE].sort());
  const examples = ['const at = 1', 'let [at, time] = [0]', 'at?: number', 'function at()', 'map((row, at) => at)', 'f(at, b) => 1'];
  for (const example of examples) assert.match(example, new RegExp(DECLARES_AT.source), example);
  for (const other of ['at: string', 'instant(at)', 'list.at(-1)', '{ at, kind }'])
    assert.doesNotMatch(other, new RegExp(DECLARES_AT.source), other);
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
