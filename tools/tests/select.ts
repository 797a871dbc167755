/** Which test files a run takes: all, those of `npm test`, those that are named, or those that a change concerns. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importsOf } from '../../test/architecture/imports.ts';

const FOLDERS = ['src', 'sandbox', 'test', 'tools'];
/** A file that tests packages, pages, pictures, other runtimes, or crashes at length says so in its first lines. */
const MARK = /^\/\/ In the gate alone: ./m;
/** A test that starts the program as a process depends on every file of the program. */
const STARTS_PROGRAM = /cli\/main\.ts|bin\/sightline\.mjs|startCommand|spawnService/;

export interface Selection {
  readonly files: readonly string[];
  /** Files that only the gate runs. */
  readonly left: readonly string[];
}

const testsIn = (folders: readonly string[]): readonly string[] => [
  ...new Set(
    folders.flatMap((f) => (statSync(f).isDirectory() ? globSync(`${f}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }) : [f])),
  ),
];

/** Throws an Error whose message is for whoever started the run. */
export function select(args: readonly string[], isWhole: boolean): Selection {
  const options = { all: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.changed) return { files: changedTests(positionals[0] ?? 'HEAD').sort(), left: [] };
  const absent = positionals.filter((f) => !existsSync(f));
  if (absent.length) throw new Error(`There is no file or folder ${absent.join(', ')}.`);
  const all = testsIn(positionals.length ? positionals : FOLDERS).toSorted();
  if (!all.length) throw new Error(`There is no test in ${positionals.join(', ')}.`);
  if (positionals.length || values.all || isWhole) return { files: all, left: [] };
  const { later = [], own = [] } = Object.groupBy(all, (file) => (MARK.test(readFileSync(file, 'utf8')) ? 'later' : 'own'));
  return { files: own, left: later };
}

/** The tests that import what changed since a commit, over any number of files, or lie in the folder of a changed file that is no module. */
function changedTests(base: string): string[] {
  const git = (...command: string[]): string[] => {
    const { status, stdout, stderr } = spawnSync('git', command, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${command.join(' ')} failed: ${stderr.trim()}`);
    return stdout.split('\n').filter(Boolean);
  };
  const changed = new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]);
  const folders = new Set([...changed].filter((file) => !/\.tsx?$/.test(file)).map((file) => file.replace(/\/?[^/]*$/, '')));
  const concerned = (file: string): boolean => changed.has(file) || folders.has(file.replace(/\/?[^/]*$/, ''));
  const known = new Map<string, boolean>();
  const depends = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, concerned(file)); // also ends a circle
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const to = importsOf(file, text).map((one) => one.to);
    if (/\.test\.ts$/.test(file) && STARTS_PROGRAM.test(text)) to.push('src/cli/main.ts');
    const result = known.get(file) === true || to.some(depends);
    known.set(file, result);
    return result;
  };
  return testsIn(FOLDERS).filter(depends);
}
