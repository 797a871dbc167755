import { Worker } from 'node:worker_threads';
import { OperatorError } from '../../settings.ts';
import type { EngineOptions, StoreRequest } from './engine.ts';
import type { WorkerReply } from './worker.ts';

/** Where the engine runs: its requests are answered in order of arrival. */
export interface EngineThread {
  /** Rejects with SQLite's error, which has `errcode`. */
  run(request: StoreRequest): Promise<unknown>;
  end(): Promise<void>;
}
/** Starts an engine; `lost` is called if it ends without `end`. Throws an OperatorError if another process holds the folder. */
export type StartEngine = (options: EngineOptions, lost: (reason: Error) => void) => Promise<EngineThread>;

const folderHeld = (folder: string, holder: string): OperatorError =>
  new OperatorError(
    `The data folder ${folder} is held by another Sightline process${holder}: one process serves a folder. Stop it first, choose another SIGHTLINE_DATA_DIR, or set DATABASE_URL to share a store.`,
  );

export const startWorker: StartEngine = async (options, lost) => {
  /** The requests without an answer, in the order in which the engine answers them. */
  let waiting: { resolve: (result: unknown) => void; reject: (error: Error) => void }[] = [];
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options, name: 'store', execArgv: [] });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    // postMessage keeps own properties of an Error but not its class
    worker.on('error', (error: Error & { readonly holder?: string }) =>
      reject(error.holder === undefined ? error : folderHeld(options.folder, error.holder)),
    );
    worker.on('exit', (code) => reject(new Error(`the store's thread ended with ${code} before it began`)));
  });
  const gone = (reason: Error): void => {
    for (const asked of waiting) asked.reject(reason);
    waiting = [];
    lost(reason);
  };
  worker.on('message', (answer: WorkerReply) => {
    const asked = waiting.shift();
    if (answer.ok) asked?.resolve(answer.result);
    else asked?.reject(Object.assign(new Error(answer.message), { code: answer.code, errcode: answer.errcode }));
  });
  worker.on('error', gone);
  worker.on('exit', () => gone(new Error("the store's thread ended")));
  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        // throws for what cannot be sent: nothing answers it
        worker.postMessage(request);
        waiting.push({ resolve, reject });
      }),
    end: async () => void (await worker.terminate()),
  };
};
