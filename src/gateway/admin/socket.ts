import { hash } from 'node:crypto';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { Listener } from '../http/listener.ts';

/** Maximum path length of a Unix socket on all supported systems. */
const MAX_PATH = 100;

/** Not `userInfo()`, which also asks for the name: a container or a bare root has no /etc/passwd. Windows has no number. */
const uid = (): number => process.getuid?.() ?? 0;

/** Path of the admin socket: in the data folder, or, if that path is too long, in a private folder below the temporary folder. */
export function socketPath(folder: string): string {
  const path = join(resolve(folder), 'admin.sock');
  if (path.length <= MAX_PATH) return path;
  return join(tmpdir(), `sightline-${uid()}-${hash('sha256', path, 'hex').slice(0, 16)}`, 'admin.sock');
}

/** Listens with mode 0600. Only the holder of the folder's lock calls this, so an existing socket belongs to a process that has ended. */
export async function listenOnSocket(listener: Listener, folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = socketPath(folder);
  makeFolder(dirname(path), 0o700);
  if (lstatSync(dirname(path)).uid !== uid()) throw new Error(`${dirname(path)} belongs to another user`);
  rmSync(path, { force: true, recursive: true });
  await listener.listen({ path });
  chmodSync(path, 0o600);
  return {
    path,
    async close() {
      await listener.close();
      rmSync(path, { force: true });
    },
  };
}
