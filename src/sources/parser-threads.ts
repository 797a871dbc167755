import { Worker } from 'node:worker_threads';
import type { Clock } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import { changed, type NotFound, timeout } from './outcome.ts';
import type { ParserReply, ParserRequest } from './parser-worker.ts';
import { parseHere } from './parsers.ts';
import type { Attempt, Parser, ParserThreads } from './source.ts';

export interface ParserThreadsParts {
  readonly clock: Clock;
  /** Smaller answers are parsed on the calling thread: the worst of them takes less than 50 ms. */
  readonly threadBytes?: number;
  readonly threads?: number;
  /** Longest time for one answer; longer gives `changed`. The end of the attempt gives `timeout`. */
  readonly maxMs?: number;
}
const THREAD_BYTES = 65_536;
const THREADS = 2;
/** Ten times what the largest recorded answer takes. */
const MAX_MS = 5_000;
const HEAP_MIB = 512;

const TOO_COSTLY = 'The answer of the source takes too long to parse.';

interface Job {
  readonly request: ParserRequest;
  readonly attempt: Attempt;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Parses large answers in worker threads, started on first use. A thread is terminated when an answer takes too long, when the attempt ends
 * or when its memory limit is reached, so that one bad answer fails only its own lookup.
 */
export function createParserThreads(parts: ParserThreadsParts): ParserThreads {
  const { clock, threadBytes = THREAD_BYTES, threads = THREADS, maxMs = MAX_MS } = parts;
  const idle: Worker[] = [];
  const running = new Map<Worker, Job>();
  const waiting: Job[] = [];
  let closed = false;

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB };
    const worker = new Worker(new URL('./parser-worker.ts', import.meta.url), { name: 'parser', execArgv: [], resourceLimits });
    worker.on('message', (reply: ParserReply) => {
      const job = running.get(worker);
      running.delete(worker);
      // an idle thread does not keep the process alive
      worker.unref();
      idle.push(worker);
      if (reply.ok) job?.resolve(reply.result);
      else job?.reject(reply.error);
      next();
    });
    worker.on('error', (error: Error & { code?: string }) => {
      const job = lose(worker);
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') job?.resolve(changed(TOO_COSTLY, `more than ${HEAP_MIB} MiB`));
      else job?.reject(error);
      next();
    });
    worker.on('exit', (code) => {
      lose(worker)?.reject(new Error(`the parser thread ended with ${code}`));
      next();
    });
    return worker;
  }
  function lose(worker: Worker): Job | undefined {
    const job = running.get(worker);
    running.delete(worker);
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    return job;
  }

  function next(): void {
    while (!closed && waiting.length > 0 && running.size < threads) {
      const job = waiting.shift();
      if (!job || job.attempt.signal.aborted) continue;
      const worker = idle.pop() ?? start();
      running.set(worker, job);
      worker.ref();
      // transfers a copy, because the caller may need the bytes again
      const body = new Uint8Array(job.request.answer.body);
      worker.postMessage({ ...job.request, answer: { ...job.request.answer, body } }, [body.buffer]);
      void limit(worker, job);
    }
  }
  async function limit(worker: Worker, job: Job): Promise<void> {
    const { signal, deadlineMs } = job.attempt;
    const leftMs = Math.max(1, deadlineMs - clock.now());
    const over = new AbortController();
    const { resolve, reject } = job;
    const settled =
      <T>(settle: (value: T) => void) =>
      (value: T) => {
        over.abort('over');
        settle(value);
      };
    running.set(worker, { ...job, resolve: settled(resolve), reject: settled(reject) });
    const stop = () => over.abort('over');
    signal.addEventListener('abort', stop, { once: true });
    await clock.sleep(Math.min(maxMs, leftMs), over.signal);
    signal.removeEventListener('abort', stop);
    if (running.get(worker)?.request !== job.request) return;
    lose(worker);
    void worker.terminate();
    resolve(signal.aborted || leftMs < maxMs ? late() : changed(TOO_COSTLY, `more than ${maxMs} ms`));
    next();
  }
  const late = () => timeout('There was no time left to parse the answer of the source.');

  return {
    async parse<Input, Result>(parser: Parser<Input, Result>, answer: Answer, input: Input, attempt: Attempt): Promise<Result | NotFound> {
      if (answer.body.length < threadBytes) return parseHere(parser, answer, input);
      if (closed || attempt.signal.aborted) return late();
      return new Promise<unknown>((resolve, reject) => {
        const job: Job = { request: { parser, answer, input }, attempt, resolve, reject };
        attempt.signal.addEventListener('abort', () => resolve(late()), { once: true });
        waiting.push(job);
        next();
      }) as Promise<Result | NotFound>;
    },
    async close() {
      closed = true;
      for (const job of [...waiting.splice(0), ...running.values()]) job.resolve(late());
      const all = [...running.keys(), ...idle];
      running.clear();
      idle.length = 0;
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}
