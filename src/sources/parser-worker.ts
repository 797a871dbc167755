/** A thread that reads answers: one message in, one out. Published as .js; see parser-threads.ts for how it is found. */
import { parentPort } from 'node:worker_threads';
import type { ParserReply, ParserRequest } from './parser-threads.ts';
import { parseHere } from './parsers.ts';

const port = parentPort;
if (!port) throw new Error('sources/parser-worker.ts runs as a worker thread only');

port.on('message', async ({ name, answer, input }: ParserRequest) => {
  let reply: ParserReply;
  try {
    reply = { ok: true, result: await parseHere(name, answer, input as never) };
  } catch (error) {
    reply = { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
  port.postMessage(reply);
});
