/** The thread of the embedded store, which thread.ts starts: node:sqlite is synchronous, and a slow disk must not block the event loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { type EngineOptions, openEngine, type StoreRequest } from './engine.ts';

/** `errcode`: SQLite's extended result code. */
export type WorkerReply = { ok: true; result: unknown } | { ok: false; message: string; code: string | null; errcode: number | null };

const port = parentPort;
if (!port) throw new Error('store/worker.ts runs as a worker thread only');
const engine = openEngine(workerData as EngineOptions);

port.on('message', (ask: StoreRequest) => {
  let reply: WorkerReply;
  try {
    reply = { ok: true, result: engine.run(ask) };
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
    reply = { ok: false, message, code: code ?? null, errcode: errcode ?? null };
  }
  port.postMessage(reply);
  if (ask.kind === 'close') port.close();
});
port.postMessage('started');
