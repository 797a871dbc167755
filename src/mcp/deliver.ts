import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../gateway/http/request-context.ts';
import type { Responder } from '../gateway/http/response.ts';
import { writeCharged } from '../gateway/routes/lookup.ts';
import type { ToolCall } from './http-calls.ts';

const EVENT_STREAM = 'text/event-stream';
/** A stream begins before the price of its answer is known. */
const OF_THE_CHARGE = new Set(['X-Credits-Charged', 'X-Credits-Remaining', 'X-Receipt']);

/** Writes the answer, charged after its last byte; free if the client is gone before. Returns whether it was written. Throws where the hold has expired. */
export async function deliver(responder: Responder, context: RequestContext, answer: Response, call: ToolCall): Promise<boolean> {
  const { response } = context;
  const streams = answer.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
  const pieces = streams ? piecesOf(answer, response) : whole(answer);
  let isPaid = false;
  for await (const piece of pieces) {
    // null for what comes before the answer: news of its progress
    const { charge } = call;
    // no await between the last check of the hold and the write
    while (charge?.nearlyExpired) await charge.renew();
    if (response.destroyed) break;
    let isRead = true;
    const write = () => {
      if (!response.headersSent) begin(responder, context, answer, streams ? null : piece.length);
      isRead = response.write(piece);
    };
    if (charge && !isPaid) writeCharged(charge, response, write);
    else write();
    isPaid ||= charge !== null;
    if (!isRead) await responder.drained(response);
  }
  if (response.destroyed && !isPaid) return false;
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

async function* whole(answer: Response): AsyncGenerator<Buffer> {
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
