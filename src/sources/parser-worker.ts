/** Entry point of the parser threads: one request in, one reply out. Published as .js; parser-threads.ts finds it by its own URL. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../runtime/priority.ts';
import type { Answer } from '../upstream/answer.ts';
import { loadParser, type Parser } from './source.ts';

export interface ParserRequest {
  readonly parser: Pick<Parser<unknown, unknown>, 'module' | 'name'>;
  readonly answer: Answer;
  readonly input: unknown;
}
/** `begun`: the module is loaded and the parser runs now. */
export type ParserReply = 'begun' | { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: Error };

// cache hits on the main thread run first
lowerPriority(5);

const port = parentPort;
if (!port) throw new Error('sources/parser-worker.ts runs as a worker thread only');

port.on('message', async ({ parser, answer, input }: ParserRequest) => {
  let reply: ParserReply;
  try {
    const read = await loadParser(parser);
    port.postMessage('begun' satisfies ParserReply);
    reply = { ok: true, result: await read(answer, input) };
  } catch (error) {
    reply = { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
  port.postMessage(reply);
});
