/** Entry point of the parser threads: one request in, one reply out. Published as .js; parser-threads.ts finds it by its own URL. */
import { parentPort } from 'node:worker_threads';
import type { Answer } from '../upstream/answer.ts';
import { parseHere } from './parsers.ts';
import type { ParserReference } from './source.ts';

export interface ParserRequest {
  readonly parser: ParserReference;
  readonly answer: Answer;
  readonly input: unknown;
}
export type ParserReply = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: Error };

const port = parentPort;
if (!port) throw new Error('sources/parser-worker.ts runs as a worker thread only');

port.on('message', async ({ parser, answer, input }: ParserRequest) => {
  let reply: ParserReply;
  try {
    reply = { ok: true, result: await parseHere(parser, answer, input) };
  } catch (error) {
    reply = { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
  port.postMessage(reply);
});
