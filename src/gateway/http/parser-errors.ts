import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';
import { MAX_URL_BYTES } from '../admission/admit.ts';
import type { Desk } from '../context.ts';
import { cutOffUnread } from './connection-drain.ts';
import { JSON_TYPE } from './response.ts';

/** What Node's parser says of a request that it could not read. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Whether the overflow lies in the request line: its first line alone is longer than a URL may be. */
function urlOverflowed(packet: Buffer | undefined): boolean {
  if (!packet) return false;
  const end = packet.indexOf('\r\n');
  const line = packet.subarray(0, end < 0 ? undefined : end);
  return line.length > MAX_URL_BYTES && /^[A-Z]{3,20} [/h]/.test(line.subarray(0, 24).toString('latin1'));
}

function refusalFor(error: ParserError): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ServiceError(urlOverflowed(error.rawPacket) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('INVALID_REQUEST', 'The request did not come whole in time: send it again.');
  return new ServiceError('INVALID_REQUEST', 'The request is not valid HTTP.');
}

/** A whole HTTP answer as bytes, for where there is no response object; it ends the connection. */
function rawAnswer(desk: Desk, error: ServiceError): string {
  const body = JSON.stringify(error.body);
  const headers = [
    ...desk.securityHeaders,
    ...Object.entries(error.headers).flat(),
    'X-Request-Id',
    desk.newRequestId(),
    'Content-Type',
    JSON_TYPE,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    'Connection',
    'close',
  ];
  let head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}\r\nDate: ${new Date(desk.clock.now()).toUTCString()}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n${body}`;
}

/** Ends the connection with this refusal, after the answers to what came before it. */
export function refuseRaw(desk: Desk, socket: Socket, error: () => ServiceError): void {
  desk.pipeline.afterAll(socket, () => {
    if (!socket.writable) return;
    const refusal = error();
    desk.metrics.request('none', refusal.status, 0);
    socket.end(rawAnswer(desk, refusal), () => socket.destroy());
    cutOffUnread(socket, socket, desk.clock, desk.settings.SIGHTLINE_SEND_TIMEOUT_MS);
  });
}

const refused = new WeakSet<Socket>();

/** Requests that Node's parser refuses never reach a route: their answer is written to the socket, with the same body as any error. */
export function answerParserError(desk: Desk, error: ParserError, socket: Socket): void {
  // a client that is gone reads no answer
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // the parser reports each further packet too
  if (refused.has(socket)) return;
  refused.add(socket);
  refuseRaw(desk, socket, () => desk.loadShedder.refusal(desk.clock.now()) ?? refusalFor(error));
}
