import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';

/** The body of a request as UTF-8. A body above `maxBytes` is refused with `tooLarge` as the message, without reading it to its end. */
export async function readBody(request: IncomingMessage, maxBytes: number, tooLarge: string): Promise<string> {
  const refusal = () => new ServiceError('PAYLOAD_TOO_LARGE', tooLarge, { connection: 'close' });
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refusal();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'The body is not complete: send the request again.');
  }
  if (size > maxBytes) throw refusal();
  return Buffer.concat(chunks).toString('utf8');
}
