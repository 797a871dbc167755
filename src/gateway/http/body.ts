import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';

/** By connection: why the parser cannot read its requests any further, and what fails the body that is being read. */
const unreadable = new WeakMap<Socket, ServiceError>();
const readers = new WeakMap<Socket, (error: ServiceError) => void>();

/**
 * Nothing more of a connection can be read: a body that is not complete fails with this error, now or when it is asked for. Its request is
 * answered, because Node ends a request only with its connection. False: this was known.
 */
export function stopReading(socket: Socket, error: ServiceError): boolean {
  if (unreadable.has(socket)) return false;
  unreadable.set(socket, error);
  readers.get(socket)?.(error);
  return true;
}

/** The body of a request as UTF-8. A body above `maxBytes` is refused with `tooLarge` as the message, without reading it to its end. */
export function readBody(request: IncomingMessage, maxBytes: number, tooLarge: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { socket } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  const fail = (error: ServiceError): void => {
    request.off('data', take).pause();
    reject(error);
  };
  const incomplete = () => fail(new ServiceError('INVALID_REQUEST', 'The body is not complete: send the request again.'));
  const unreadableBody = (error: ServiceError) => request.complete || fail(error);
  function take(chunk: Buffer): void {
    size += chunk.length;
    if (size > maxBytes) fail(new ServiceError('PAYLOAD_TOO_LARGE', tooLarge));
    else chunks.push(chunk);
  }
  // a request without a body has no events
  if (request.readableEnded) resolve('');
  else if (Number(request.headers['content-length'] ?? 0) > maxBytes) fail(new ServiceError('PAYLOAD_TOO_LARGE', tooLarge));
  else if (request.destroyed) incomplete();
  else {
    readers.set(socket, unreadableBody);
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    // the client disconnected; after the end nothing is rejected any more
    request.once('error', incomplete).once('close', incomplete);
    request.on('data', take);
    const known = unreadable.get(socket);
    if (known) unreadableBody(known);
  }
  return promise.finally(() => readers.delete(socket));
}
