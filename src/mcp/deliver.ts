import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../gateway/http/request-context.ts';
import { type Responder, writeDeliverable } from '../gateway/http/response.ts';
import type { ToolCall } from './http-calls.ts';

const EVENT_STREAM = 'text/event-stream';
/** A stream begins before the price of its answer is known. */
const OF_THE_CHARGE = new Set(['X-Credits-Charged', 'X-Credits-Remaining', 'X-Receipt']);

/** Writes the answer, charged after its last byte; free if the client is gone before. Returns whether it was written. Throws where the hold has expired. */
export async function deliver(responder: Responder, context: RequestContext, message: Response, call: ToolCall): Promise<boolean> {
  const { response } = context;
  const streams = message.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
  const pieces = streams ? piecesOf(message, response) : wholeBody(message);
  let isDelivering = false;
  for await (const piece of pieces) {
    let isRead = true;
    const write = () => {
      if (!response.headersSent) begin(responder, context, message, streams ? null : piece.length);
      isRead = response.write(piece);
    };
    // null for what comes before the answer: news of its progress
    const { answered } = call;
    if (!answered) {
      if (response.destroyed) break;
      write();
    } else
      await answered.deliver((answer) => {
        if (response.destroyed) return;
        if (isDelivering) write();
        else writeDeliverable(context, answer, write);
        isDelivering = true;
      });
    if (response.destroyed) break;
    if (!isRead) await responder.drained(response);
  }
  if (response.destroyed && !isDelivering) return false;
  response.end();
  responder.limitSending(response);
  return true;
}

function begin(responder: Responder, context: RequestContext, answer: Response, length: number | null): void {
  const own: string[] = [];
  for (const [name, value] of answer.headers) if (name !== 'content-length' && name !== 'cache-control') own.push(name, value);
  own.push('Cache-Control', 'private, no-store');
  if (length !== null) own.push('Content-Length', String(length));
  const headers = responder.withCommon(context, own);
  const flat: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = [headers[i], headers[i + 1]];
    if (length !== null || !OF_THE_CHARGE.has(name)) flat.push(name, value);
  }
  context.response.writeHead(answer.status, flat);
  if (length === null) context.response.flushHeaders();
}

async function* wholeBody(answer: Response): AsyncGenerator<Buffer> {
  yield Buffer.from(await answer.arrayBuffer());
}

async function* piecesOf(answer: Response, response: ServerResponse): AsyncGenerator<Buffer> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  const cancel = () => void reader.cancel().catch(() => undefined); // the reader ends either way
  response.once('close', cancel);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield Buffer.from(read.value);
  } finally {
    response.off('close', cancel);
  }
}
