import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Copies the checkout to `folder`, tracked and new files alike, as they are now; its packages are linked. */
export function copyCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], { cwd: ROOT, encoding: 'utf8' });
  for (const path of listed.split('\0'))
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, path), { force: true, recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** A copy of the project, to which a script adds something by a list of CONTRIBUTING.md (`section`). It is removed when the process ends. */
export function copyProject(name: string, section: string) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // nothing lies beside the copy: its tests require no service and no recordings
  const env = { ...process.env, SIGHTLINE_TEST_REQUIRE: '' };
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  copyCheckout(folder);
  writeFileSync(join(folder, '.gitignore'), `${readFileSync(join(folder, '.gitignore'), 'utf8')}node_modules\n`);
  run('git', 'init', '-q');
  run('git', 'add', '-A');
  run('git', '-c', 'user.name=toy', '-c', 'user.email=toy@example.com', 'commit', '-qm', 'The project');
  return {
    folder,
    /** Runs a command in the copy; prints what it said and ends the process where it fails. */
    step(what: string, ...[command, ...args]: [string, ...string[]]): string {
      console.log(`${what} …`);
      try {
        return run(command, ...args);
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        console.error(`${stdout}${stderr}\n${what}: failed. CONTRIBUTING.md, "${section}", lacks an edit, or test/${name}/add.ts does.`);
        process.exit(1);
      }
    },
    /** Writes `text` before or after the one line that has `anchor`. */
    edit(path: string, anchor: string, place: 'before' | 'after', text: string): void {
      const lines = readFileSync(join(folder, path), 'utf8').split('\n');
      const line = lines.findIndex((one) => one.includes(anchor));
      assert.ok(line >= 0, `${path} has no line with ${anchor}`);
      lines.splice(place === 'before' ? line : line + 1, 0, text);
      writeFileSync(join(folder, path), lines.join('\n'));
    },
    /** Files that differ from the project. */
    changed: (): readonly string[] =>
      run('git', 'status', '--porcelain', '--untracked-files=all')
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(3)),
  };
}
