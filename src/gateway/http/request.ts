import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { queryPairs, splitTarget } from '../../runtime/request-target.ts';
import { exceedsJsonLimits } from '../../upstream/answer.ts';

export const MAX_URL_BYTES = 8192;
export const MAX_HEADER_BYTES = 32_768;
/** Levels of a JSON body. */
export const MAX_JSON_LEVELS = 32;

export const pathOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string => splitTarget(url).path;
export const searchOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string => splitTarget(url).query;

/** Bytes of the header section as received: names, values, and `: ` and CRLF of each field. */
function headerBytes(rawHeaders: readonly string[]): number {
  let total = rawHeaders.length * 2;
  for (const text of rawHeaders) total += text.length;
  return total;
}

/** RFC 9112, 3.2: `uri-host [":" port]`, without userinfo and path; Node joins two Host fields with a comma, which does not match. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+)(?::\d{0,5})?$/;

/** Checks version, codings, the Host field, the form of the request target and the size limits. Throws a ServiceError. */
export function demandWellFormed(request: IncomingMessage): void {
  const { host, 'transfer-encoding': transfer, 'content-encoding': coding } = request.headers;
  if (request.httpVersionMajor !== 1) throw new ServiceError('HTTP_VERSION', undefined, { connection: 'close' });
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    throw new ServiceError('UNKNOWN_TRANSFER_CODING', undefined, { connection: 'close' });
  if (coding && coding.toLowerCase() !== 'identity')
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', undefined, { 'accept-encoding': 'identity' });
  if (host === undefined ? request.httpVersionMajor === 1 && request.httpVersionMinor === 1 : !HOST.test(host))
    throw invalid('HTTP/1.1 demands one Host header, such as Host: api.example:8080.');
  if (request.url === '*' && request.method !== 'OPTIONS') throw invalid('The target * is valid for OPTIONS only: name a path.');
  if ((request.url?.length ?? 0) > MAX_URL_BYTES) throw new ServiceError('URI_TOO_LONG');
  if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) throw new ServiceError('HEADERS_TOO_LARGE');
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

export function demandNoBody(request: IncomingMessage): void {
  if (hasBody(request)) throw new ServiceError('PAYLOAD_TOO_LARGE', 'Requests carry no body: give the parameters in the URL.');
}

/** For POST, PATCH and DELETE without a body. */
export function demandNoUnreadBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalid(`A body was sent, but ${request.method} reads none here: send the request without it.`);
}

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', `The body of this request is ${Math.floor(maxBytes / 1024)} kB at most.`);

/** 413 by the length that the request states. */
export function demandLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** The pairs of a query string, in order and with repeated names; `+` is a space. Throws INVALID_REQUEST for an encoding that is broken or not UTF-8. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): readonly (readonly [string, string])[] {
  const { query } = splitTarget(url);
  try {
    // URLSearchParams would replace what it cannot decode
    decodeURIComponent(query);
  } catch {
    throw invalid('The query holds a percent-encoding that is broken or not UTF-8: encode the value again.');
  }
  return queryPairs(query);
}

/** By connection: why the parser cannot read its requests any further, and what fails the body that is being read. */
const unreadable = new WeakMap<Socket, ServiceError>();
const readers = new WeakMap<Socket, (error: ServiceError) => void>();

/** Fails the incomplete body of a connection that cannot be read any further, so that its request is answered. False: this was known. */
export function stopReading(socket: Socket, error: ServiceError): boolean {
  if (unreadable.has(socket)) return false;
  unreadable.set(socket, error);
  readers.get(socket)?.(error);
  return true;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The text of these bytes; null: they are not UTF-8. */
function utf8Of(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The body of a request as UTF-8, for `createBodyReader` alone. A body above `maxBytes` is refused without reading it to its end. */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { socket } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  const fail = (error: ServiceError): void => {
    request.off('data', take).pause();
    reject(error);
  };
  const incomplete = () => fail(invalid('The body is not complete: send the request again.'));
  const unreadableBody = (error: ServiceError) => request.complete || fail(error);
  function take(chunk: Buffer): void {
    size += chunk.length;
    if (size > maxBytes) fail(tooLarge(maxBytes));
    else chunks.push(chunk);
  }
  // a request without a body has no events
  if (request.readableEnded) resolve('');
  else if (request.destroyed) incomplete();
  else {
    readers.set(socket, unreadableBody);
    request.once('end', () => {
      const text = utf8Of(Buffer.concat(chunks));
      if (text === null) fail(invalid('The body is not UTF-8: send it in that encoding.'));
      else resolve(text);
    });
    // the client disconnected; after the end nothing is rejected any more
    request.once('error', incomplete).once('close', incomplete);
    request.on('data', take);
    const known = unreadable.get(socket);
    if (known) unreadableBody(known);
  }
  return promise.finally(() => readers.delete(socket));
}

/** What V8 found and where, without the piece of the text that it quotes: a body may hold a secret. */
function jsonFault(message: string): string {
  const [, what, line, column] = /^(.+?)(?: in JSON)? at position \d+ \(line (\d+) column (\d+)\)$/s.exec(message) ?? [];
  if (what) return `line ${line}, column ${column}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  const [, token] = /^Unexpected token '(.+?)', /su.exec(message) ?? [];
  return token === undefined ? 'it ends too early' : `unexpected character ${token}`;
}

export function parseBody(text: string): unknown {
  if (exceedsJsonLimits(text, MAX_JSON_LEVELS, Number.POSITIVE_INFINITY))
    throw invalid(`The body is nested too deeply: it has ${MAX_JSON_LEVELS} levels at most.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = jsonFault((error as Error).message);
    throw invalid(`The body is no JSON: ${fault}. Send one JSON value; names and texts are in double quotes.`);
  }
  demandWellFormedTexts(text, value);
  return value;
}
/** Half of a surrogate pair has no UTF-8 form (RFC 8259, 8.2): the store would keep another text than it was given. `value`: of this JSON. */
export function demandWellFormedTexts(text: string, value: unknown): void {
  if (/\\u[Dd][89A-Fa-f]/.test(text) && !hasWellFormedTexts(value))
    throw invalid('The body has a text with half of a surrogate pair, such as \\ud800 alone: send well-formed Unicode.');
}
function hasWellFormedTexts(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && hasWellFormedTexts(member));
}
/** The same, {} for an empty one. Other types are refused: forms of other origins can send those without a CORS preflight. */
export function parseJsonBody({ headers }: IncomingMessage, text: string): unknown {
  if (text === '') return {};
  if (!/^application\/json *(?:;|$)/i.test(headers['content-type'] ?? '')) throw invalid('Content-Type must be application/json.');
  return parseBody(text);
}

/** Whether a browser asks for a page. */
export const wantsHtml = ({ headers }: IncomingMessage): boolean => /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(headers.accept ?? '');
