import { request } from 'node:http';
import { resolve } from 'node:path';
import { AdminError } from '../../accounts/admin/types.ts';
import { ADMIN_ROUTES, type AdminActions, type AdminRoute } from './actions.ts';
import { socketPath } from './socket.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Error codes of a socket without a listener. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'];
const FORBIDDEN = ['EACCES', 'EPERM'];

/** Client of the server that holds the folder; null if no server listens. Its calls throw AdminError for the operator's mistakes. */
export async function connectAdmin(folder: string): Promise<AdminActions | null> {
  const path = socketPath(folder);
  try {
    await ask(path, 'GET', '/healthz');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NOBODY.includes(code)) return null;
    if (FORBIDDEN.includes(code))
      throw new AdminError(
        `SIGHTLINE_DATA_DIR is ${JSON.stringify(resolve(folder))}, and its admin socket (${path}) is for another user: run this command as the user that runs the service, or set another folder.`,
      );
    // HTTP parser error: earlier versions used another protocol on this socket
    if (code.startsWith('HPE_'))
      throw new AdminError(`The server on ${path} does not answer in HTTP: it is of another version. Restart it with this version.`);
    throw error;
  }
  return clientOf(path);
}

/** One function per action, each a request to its route. */
function clientOf(path: string): AdminActions {
  const actions = new Map<string, AdminRoute[]>();
  for (const route of ADMIN_ROUTES) actions.set(route.action, [...(actions.get(route.action) ?? []), route]);
  const calls = [...actions].map(([action, routes]) => [action, (fields: Fields = {}) => call(path, routes, fields)]);
  return Object.fromEntries(calls) as AdminActions;
}

async function call(path: string, routes: readonly AdminRoute[], fields: Fields): Promise<unknown> {
  const inPath = (route: AdminRoute): string[] => [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  const route = routes.find((each) => inPath(each).every((name) => fields[name] !== undefined));
  if (!route) throw new AdminError(`${routes.flatMap(inPath).join(' and ')} must be given.`);
  const url = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const rest = Object.entries(fields).filter(([name, value]) => value !== undefined && !inPath(route).includes(name));
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const { status, text } =
    route.method === 'GET'
      ? await ask(path, 'GET', query ? `${url}?${query}` : url)
      : await ask(path, route.method, url, JSON.stringify(Object.fromEntries(rest)));
  const body: unknown = JSON.parse(text);
  if (status === 200) return body;
  const { message } = (body as { error: { message: string } }).error;
  if (status >= 500) throw new Error(message);
  throw new AdminError(message, status === 404 ? 'missing' : 'wrong');
}

/** One HTTP request on its own connection. */
function ask(socketPath: string, method: string, path: string, body?: string): Promise<Answer> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Answer>();
  const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => done({ status: response.statusCode ?? 0, text }));
    response.on('error', () => reject(new Error('The server ended before it answered.')));
  });
  sent.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ECONNRESET' ? new Error('The server ended before it answered.') : error),
  );
  sent.end(body);
  return promise;
}
