import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ADMIN_ACTIONS, type AdminActions } from '../../contract/admin/actions.ts';
import { type AdminAction, type AdminRequest, requestsOf } from '../../contract/admin/define.ts';
import { invalid, missing } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json-object.ts';
import { OperatorError } from '../../settings.ts';
import { socketPath } from './socket.ts';

const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'];
const FORBIDDEN = ['EACCES', 'EPERM'];

/** Client of the server that holds the folder; null if no server listens. Its calls throw a ServiceError for the operator's mistakes. */
export async function connectAdmin(folder: string): Promise<AdminActions | null> {
  const path = socketPath(folder);
  try {
    await ask(path, 'GET', '/healthz');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NOT_LISTENING.includes(code)) return null;
    if (FORBIDDEN.includes(code))
      throw new OperatorError(
        `SIGHTLINE_DATA_DIR is ${JSON.stringify(resolve(folder))}, and its admin socket (${path}) is for another user: run this command as the user that runs the service, or set another folder.`,
      );
    throw error;
  }
  return clientOf(path);
}

function clientOf(path: string): AdminActions {
  const calls = Object.entries<AdminAction>(ADMIN_ACTIONS).map(([name, action]) => {
    const requests = requestsOf(action);
    return [name, (fields: JsonObject = {}) => call(path, requests, fields)];
  });
  return Object.fromEntries(calls) as AdminActions;
}

async function call(path: string, requests: readonly AdminRequest[], fields: JsonObject): Promise<unknown> {
  const route = requests.find(({ inPath }) => inPath.every((name) => fields[name] !== undefined));
  if (!route) throw invalid(`${requests.flatMap(({ inPath }) => inPath).join(' and ')} must be given.`);
  const url = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields[name]);
    // another path
    if (/^\.{0,2}$/.test(value)) throw invalid(`${name} is ${JSON.stringify(value)}: give an id.`);
    return encodeURIComponent(value);
  });
  const rest = Object.entries(fields).filter(([name, value]) => value !== undefined && !route.inPath.includes(name));
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const answer =
    route.method === 'GET'
      ? await ask(path, 'GET', query ? `${url}?${query}` : url)
      : await ask(path, route.method, url, JSON.stringify(Object.fromEntries(rest)));
  const { status } = answer;
  const body: unknown = JSON.parse(answer.body);
  if (status === 200) return body;
  const { message } = (body as { error: { message: string } }).error;
  if (status >= 500) throw new Error(message);
  throw status === 404 ? missing(message) : invalid(message);
}

async function ask(socketPath: string, method: string, path: string, body?: string): Promise<{ status: number; body: string }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request({ socketPath, method, path, headers, agent: false }).end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // what follows the response is the error of its body
    sent.on('error', () => undefined);
    return { status: response.statusCode ?? 0, body: await text(response) };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? new Error('The server ended before it answered.') : error;
  }
}
