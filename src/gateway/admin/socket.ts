import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Admin, AdminError } from '../../accounts/admin/types.ts';
import type { StoreLog } from '../../store/store.ts';
import { readLines } from './ndjson.ts';

/** Commands by name; parameters and results are plain JSON. */
export type Commands = Readonly<Record<string, (parameters: never) => Promise<unknown> | unknown>>;

interface Request {
  readonly id: number;
  readonly command: string;
  readonly parameters: unknown;
}
type Response = { id: number; result: unknown } | { id: number; error: { message: string; operators: boolean } };

/** Longest path of a Unix socket that every system takes. */
const MAX_PATH = 100;

/** Where the socket of a data folder is: in it, or, where that path is too long for a socket, in a private folder under the system's temporary one. */
export function socketPath(folder: string): string {
  const path = join(resolve(folder), 'admin.sock');
  if (path.length <= MAX_PATH) return path;
  return join(tmpdir(), `sightline-${userInfo().uid}-${hash('sha256', path, 'hex').slice(0, 16)}`, 'admin.sock');
}

export interface AdminServer {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Serves the operator's commands to this machine's commands: a line of JSON each way, the socket for its owner alone. Only the process that
 * holds the folder's lock calls this: a socket that stands there is a dead one's.
 */
export async function serveAdmin(folder: string, admin: Admin, log: StoreLog, extra: Commands = {}): Promise<AdminServer> {
  const path = socketPath(folder);
  const commands: Commands = { ...(admin as unknown as Commands), ...extra };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (lstatSync(dirname(path)).uid !== userInfo().uid) throw new Error(`${dirname(path)} belongs to somebody else`);
  rmSync(path, { force: true });
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', (error) => log('warn', 'admin socket: connection lost', { reason: error.message }));
    readLines(socket, (line) => {
      answer(commands, line, log).then((response) => socket.writable && socket.write(`${JSON.stringify(response)}\n`));
    });
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(path, done));
  chmodSync(path, 0o600);
  return {
    path,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  };
}

async function answer(commands: Commands, line: string, log: StoreLog): Promise<Response> {
  let id = 0;
  try {
    const request = JSON.parse(line) as Request;
    id = request.id;
    const command = Object.hasOwn(commands, request.command) ? commands[request.command] : undefined;
    if (!command) throw new AdminError(`The server knows no command ${request.command}: is it of another version?`);
    return { id, result: (await command(request.parameters as never)) ?? null };
  } catch (error) {
    const operators = error instanceof AdminError;
    if (!operators) log('error', 'admin socket: command failed', { reason: String(error) });
    return { id, error: { message: (error as Error).message, operators } };
  }
}

export interface AdminClient {
  /** Throws AdminError for the operator's mistakes. */
  call(command: string, parameters?: unknown): Promise<unknown>;
  readonly admin: Admin;
  close(): void;
}

/** The server that holds the folder, or null where none does. */
export async function connectAdmin(folder: string): Promise<AdminClient | null> {
  const path = socketPath(folder);
  const socket = net.connect(path);
  const connected = await new Promise<boolean>((done, failed) => {
    socket.once('connect', () => done(true));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (/ENOENT|ECONNREFUSED|ENOTSOCK|ENOTDIR/.test(error.code ?? '')) done(false);
      else if (/EACCES|EPERM/.test(error.code ?? ''))
        failed(
          new AdminError(
            `SIGHTLINE_DATA_DIR is ${JSON.stringify(resolve(folder))}, and its admin socket (${path}) is for another user: run this command as the user that runs the service, or set another folder.`,
          ),
        );
      else failed(error);
    });
  });
  if (!connected) return null;
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.on('error', () => undefined); // 'close' follows
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The server ended before it answered.'));
    waiting.clear();
  });
  readLines(socket, (line) => {
    const response = JSON.parse(line) as Response;
    const asked = waiting.get(response.id);
    waiting.delete(response.id);
    if ('error' in response)
      asked?.reject(response.error.operators ? new AdminError(response.error.message) : new Error(response.error.message));
    else asked?.resolve(response.result);
  });
  const call = (command: string, parameters: unknown = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('The server has ended.'));
      const id = ++last;
      waiting.set(id, { resolve, reject });
      socket.write(`${JSON.stringify({ id, command, parameters } satisfies Request)}\n`);
    });
  const remote: Record<keyof Admin, (parameters?: unknown) => Promise<unknown>> = {
    createAccount: (p) => call('createAccount', p),
    listAccounts: () => call('listAccounts'),
    showAccount: (p) => call('showAccount', p),
    grant: (p) => call('grant', p),
    renameAccount: (p) => call('renameAccount', p),
    suspendAccount: (p) => call('suspendAccount', p),
    resumeAccount: (p) => call('resumeAccount', p),
    deleteAccount: (p) => call('deleteAccount', p),
    accountUsage: (p) => call('accountUsage', p),
    accountLedger: (p) => call('accountLedger', p),
    editKey: (p) => call('editKey', p),
    createKey: (p) => call('createKey', p),
    listKeys: (p) => call('listKeys', p),
    revokeKey: (p) => call('revokeKey', p),
    rerollKey: (p) => call('rerollKey', p),
    createClient: (p) => call('createClient', p),
    listClients: (p) => call('listClients', p),
    revokeClient: (p) => call('revokeClient', p),
    rotateSigningKey: (p) => call('rotateSigningKey', p),
    verifyLedger: (p) => call('verifyLedger', p),
    verifyAudit: (p) => call('verifyAudit', p),
    anchorLedger: () => call('anchorLedger'),
    auditLog: (p) => call('auditLog', p),
    ensureFirstAccount: () => call('ensureFirstAccount'),
  };
  return { call, admin: remote as unknown as Admin, close: () => socket.destroy() };
}
