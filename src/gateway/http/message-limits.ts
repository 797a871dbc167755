import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';

export const MAX_URL_BYTES = 8192;
export const MAX_HEADER_BYTES = 32_768;

/** Bytes of the header section as received: names, values, and `: ` and CRLF of each field. */
function headerBytes(rawHeaders: readonly string[]): number {
  let total = rawHeaders.length * 2;
  for (const text of rawHeaders) total += text.length;
  return total;
}

/** RFC 9112, 3.2: `uri-host [":" port]`, without userinfo and path; Node joins two Host fields with a comma, which does not match. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+)(?::\d{0,5})?$/;

/** Checks version, codings, the Host field, the form of the request target and the size limits. Throws a ServiceError. */
export function refuseMalformed(request: IncomingMessage): void {
  const { host, 'transfer-encoding': transfer = 'chunked', 'content-encoding': coding = '' } = request.headers;
  if (request.httpVersionMajor !== 1) throw new ServiceError('HTTP_VERSION', undefined, { connection: 'close' });
  if (transfer.toLowerCase() !== 'chunked') throw new ServiceError('UNKNOWN_TRANSFER_CODING', undefined, { connection: 'close' });
  if (!/^(?:identity)?$/i.test(coding)) throw new ServiceError('UNSUPPORTED_CODING', undefined, { 'accept-encoding': 'identity' });
  if (host === undefined ? request.httpVersionMajor === 1 && request.httpVersionMinor === 1 : !HOST.test(host))
    throw new ServiceError('INVALID_REQUEST', 'HTTP/1.1 demands one Host header, such as Host: api.example:8080.');
  if (request.url === '*' && request.method !== 'OPTIONS')
    throw new ServiceError('INVALID_REQUEST', 'The target * is valid for OPTIONS only: name a path.');
  if ((request.url?.length ?? 0) > MAX_URL_BYTES) throw new ServiceError('URI_TOO_LONG');
  if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) throw new ServiceError('HEADERS_TOO_LARGE');
}

/** Whether the request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Refuses a request with a body, without reading the body. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw new ServiceError('PAYLOAD_TOO_LARGE', 'Requests carry no body: give the parameters in the URL.');
}
