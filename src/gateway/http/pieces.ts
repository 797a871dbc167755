import type { RequestContext } from './request-context.ts';
import type { Responder } from './response.ts';

const BUFFER_BYTES = 65_536;

/**
 * Writes a 200 whose text is made piece by piece, each after the client has read the one before. Throws where the first piece fails; a later
 * failure cuts the connection, so that the client sees that its answer is not whole. `headers` is flat, and is modified.
 */
export async function writePieces(
  responder: Responder,
  context: RequestContext,
  headers: string[],
  pieces: AsyncIterable<string>,
): Promise<void> {
  const { request, response } = context;
  const begin = (): void => {
    if (!response.headersSent && !response.destroyed) response.writeHead(200, responder.withCommon(context, headers));
  };
  // one buffer for all pieces: with one for each, megabytes would wait for the garbage collector
  let buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  try {
    for await (const piece of pieces) {
      begin();
      if (response.destroyed || request.method === 'HEAD') break;
      if (Buffer.byteLength(piece) > buffer.length) buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(piece));
      await responder.writePart(response, buffer.subarray(0, buffer.write(piece)));
    }
  } catch (thrown) {
    if (!response.headersSent) throw thrown;
    response.destroy();
    const error = responder.refusalOf(context, thrown);
    responder.conclude(context, error.status, error);
    return;
  }
  begin();
  response.end();
  responder.limitSending(response);
  responder.conclude(context, 200, null);
}
