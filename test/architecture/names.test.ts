import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sourceFiles } from './imports.ts';
import { overloaded } from './names.ts';

/** A name that more files declare stands for different things in them: a reader must look which one is meant. */
const MOST_FILES = 3;

/** Names that stand for one thing in each folder of a kind: a newcomer who knows one file knows all of them. */
const CONVENTIONS: Readonly<Record<string, RegExp>> = {
  presentation: /^src\/contract\/operations\/[\w-]+\/presentation\.ts$/, // names and guidance of an operation
  open: /^src\/sources\/.+\/connector\.ts$/, // opens the connector of a source
  parser: /^src\/sources\/.+\/connector\.ts$/, // the parser thread of a source
  evidence: /^src\/sources\//, // the rows that prove an absence
  Dialect: /^src\/store\/migrations\//, // released text, which never changes
  statements: /^src\/store\/migrations\//,
};

const isConsole = (file: string): boolean => file.startsWith('src/console/');
const textsOf = (files: readonly string[]) => new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

test('a name stands for one thing: functions, classes and types of at most three files of the service have the same', () => {
  const found = overloaded(textsOf(sourceFiles(['src']).filter((file) => !isConsole(file))), MOST_FILES);
  const faults = [...found].filter(([name, files]) => !files.every((file) => CONVENTIONS[name]?.test(file)));
  assert.deepEqual(Object.fromEntries(faults), {}, 'name what the thing is');
  for (const name of Object.keys(CONVENTIONS)) assert.ok(found.has(name), `${name} is no convention any more`);
});

test('a name stands for one thing in the console too, which is a program of its own', () => {
  const found = overloaded(textsOf(sourceFiles(['src/console'])), MOST_FILES);
  assert.deepEqual(Object.fromEntries(found), {}, 'name what the thing is');
});

test('declarations are counted, and neither settings in capitals nor what a function has inside', () => {
  const file =
    'export const keyOf = () => 1;\nconst LIMIT = 2;\ntype Row = 1;\nfunction f() {\n  const inner = 1;\n}\n// const keyTwo = 1;\n';
  const sources = new Map(['a', 'b', 'c', 'd'].map((name) => [name, file]));
  assert.deepEqual([...overloaded(sources, 3).keys()], ['keyOf', 'Row', 'f']);
  assert.deepEqual([...overloaded(sources, 4).keys()], []);
});
