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
  question: 'cache key',
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
/** The same words where they are a term of the field. */
const TERMS: readonly RegExp[] = [
  /^ageGate$/, // a platform's page for signed-in adults
  /^T?Union$/, // TypeBox
  /^openWorldHint$/, // annotation of a tool in the Model Context Protocol
  /^_?relatedQuestions?$|^related_questions$|^isQuestion$/, // "people also ask" of a result page
];

const partsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((part) => part.toLowerCase());

/** What a program asks a person, and what tests and simulated platforms are asked. In `src` a lookup has a cache key. */
const isQuestion = (name: string, file: string): boolean =>
  /^questions?$/.test(name) && (!file.startsWith('src/') || file === 'src/cli/terminal.ts');

const faultOf = (name: string, file = 'src/'): string | null => {
  if (TERMS.some((term) => term.test(name)) || isQuestion(name, file)) return null;
  const word = partsOf(name).find((part) => Object.hasOwn(REPLACED, part));
  return word === undefined ? null : `${name}: write ${REPLACED[word]}`;
};

/** Identifiers of the code, without comments and texts; expressions inside templates are read. */
const identifiersOf = (source: string): ReadonlySet<string> => new Set(codeOf(source).match(/[A-Za-z_$][\w$]*/g));

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

test('a private word inside an identifier is found, in a text or a comment it is not', () => {
  const found = [...identifiersOf(['const accountPurse = `$', "{openDesk()} gate`; // a wall\nconst a = 'desk';"].join(''))]
    .map((name) => faultOf(name))
    .filter((f) => f !== null);
  assert.deepEqual(found, ['accountPurse: write charge, or source budget', 'openDesk: write context, or explicit dependencies']);
  assert.equal(faultOf('handle'), null);
  assert.equal(faultOf('aggregate'), null);
});
