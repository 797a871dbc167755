import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { filesIn } from './app-folder.ts';

/** Writes the files of a folder as a zip archive that replaces `target` in one step: the same bytes on every machine. Needs zip. */
export function zipFolder(folder: string, target: string): void {
  const archive = `${folder}.zip`;
  try {
    // without fields of this machine, and in UTC
    execFileSync('zip', ['-X', '-q', '-9', archive, '-@'], {
      cwd: folder,
      env: { ...process.env, TZ: 'UTC' },
      input: filesIn(folder).join('\n'),
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    cpSync(archive, `${target}.new`);
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(archive, { force: true });
  }
}
