import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { cutOffUnread } from './connections.ts';
import { MAX_URL_BYTES, stopReading } from './request.ts';
import type { HttpDependencies } from './request-context.ts';
import { JSON_TYPE } from './response.ts';

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** Whether the request line overflowed: the first line is longer than the limit of a URL. */
function urlOverflowed(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const end = packet.indexOf('\r\n');
  const line = packet.subarray(0, end < 0 ? undefined : end);
  return line.length > MAX_URL_BYTES && /^[A-Z]{3,20} [/h]/.test(line.subarray(0, 24).toString('latin1'));
}

/** The parser has one code for an unknown transfer coding and for a length beside it (RFC 9112, 6.3). */
const hasLength = (packet: unknown): boolean => Buffer.isBuffer(packet) && /^content-length:/im.test(packet.toString('latin1'));

function refusalFor(error: ParserError): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ServiceError(urlOverflowed(error.rawPacket) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('The request was not complete in time: send it again.');
  if (error.code === 'HPE_INVALID_VERSION' || error.code === 'HPE_PAUSED_H2_UPGRADE') return new ServiceError('HTTP_VERSION');
  if (error.code === 'HPE_INVALID_TRANSFER_ENCODING' && !hasLength(error.rawPacket)) return new ServiceError('UNKNOWN_TRANSFER_CODING');
  return invalid('The request is not valid HTTP.');
}

/** A complete HTTP error response as text, where there is no response object. It closes the connection. */
function rawResponse(http: HttpDependencies, error: ServiceError): string {
  const body = JSON.stringify(error.body);
  const own = { 'X-Request-Id': http.newRequestId(), 'Content-Type': JSON_TYPE, 'Content-Length': String(Buffer.byteLength(body)) };
  const fields = { ...error.headers, ...own, 'Cache-Control': 'no-store', Connection: 'close' };
  const headers = [...http.securityHeaders, ...Object.entries(fields).flat()];
  let head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}\r\nDate: ${new Date(http.clock.now()).toUTCString()}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n${body}`;
}

/** Writes this error to the socket after the responses to earlier requests, and closes the connection. */
export function refuseRaw(http: HttpDependencies, socket: Socket, error: () => ServiceError): void {
  http.pipeline.afterAll(socket, () => {
    if (!socket.writable) return;
    const refusal = error();
    http.metrics.request('none', refusal.status, 0);
    socket.end(rawResponse(http, refusal), () => socket.destroy());
    cutOffUnread(socket, socket, http.clock, http.sendTimeoutMs);
  });
}

/** Answers what Node's parser rejected: a request in work with an incomplete body by its route, another one on the socket. */
export function answerParserError(http: HttpDependencies, error: ParserError, socket: Socket): void {
  // the client is gone
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // the parser reports every further packet of the connection
  if (!stopReading(socket, refusalFor(error))) return;
  refuseRaw(http, socket, () => http.load.refusal(http.clock.now()) ?? refusalFor(error));
}
