import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Longest path of a Unix socket that every system accepts. */
const MAX_PATH = 100;

/** The admin socket of a data folder: in it, or, where that path is too long for a socket, in a private folder under the system's temporary one. */
export function socketPath(folder: string): string {
  const path = join(resolve(folder), 'admin.sock');
  if (path.length <= MAX_PATH) return path;
  return join(tmpdir(), `sightline-${userInfo().uid}-${hash('sha256', path, 'hex').slice(0, 16)}`, 'admin.sock');
}

/**
 * Listens on the admin socket of a data folder, for its owner alone (mode 0600). Only the process that holds the folder's lock calls this: a
 * socket file that is there was left by a process that has ended.
 */
export async function listenOnSocket(app: FastifyInstance, folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = socketPath(folder);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (lstatSync(dirname(path)).uid !== userInfo().uid) throw new Error(`${dirname(path)} belongs to another user`);
  rmSync(path, { force: true });
  await app.listen({ path });
  chmodSync(path, 0o600);
  return {
    path,
    async close() {
      await app.close();
      rmSync(path, { force: true });
    },
  };
}
