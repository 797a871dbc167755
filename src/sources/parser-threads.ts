import { Worker } from 'node:worker_threads';
import { after, type Clock } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import { changed, type NotFound, timeout } from './outcome.ts';
import type { ParserReply, ParserRequest } from './parser-worker.ts';
import { type Attempt, type Parser, type ParserThreads, parseHere } from './source.ts';

interface ParserThreadsParts {
  readonly clock: Clock;
  readonly threadBytes?: number;
  readonly threads?: number;
  readonly maxMs?: number;
}
/** Smaller answers are parsed on the calling thread: the worst of them takes less than 50 ms. */
const THREAD_BYTES = 65_536;
const THREADS = 3;
/** Ten times what the largest recorded answer takes; longer gives `changed`. */
const MAX_MS = 5_000;
const HEAP_MIB = 512;
/** So many smaller answers of its source may overtake a waiting answer. */
const MAX_OVERTAKEN = 8;

const TOO_COSTLY = 'The answer of the source takes too long to parse.';

interface Job {
  readonly request: ParserRequest;
  /** Results after the first are ignored. */
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  overtaken: number;
  cancel: () => void;
}
/** A source has its parsers in a module of its own. */
const sourceOf = ({ request }: Job): string => request.parser.module;
const late = () => timeout('There was no time left to parse the answer of the source.');

/**
 * Parses large answers in worker threads. A thread ends when an answer takes too long, its attempt ends or its memory limit is reached, so
 * that one bad answer fails only its own lookup. One source has all threads but one at most; waiting sources take turns.
 */
export function createParserThreads({
  clock,
  threadBytes = THREAD_BYTES,
  threads = THREADS,
  maxMs = MAX_MS,
}: ParserThreadsParts): ParserThreads {
  const share = Math.max(1, threads - 1);
  const idle: Worker[] = [];
  const running = new Map<Worker, Job>();
  /** By source, in the order of their turns. */
  const waiting = new Map<string, Job[]>();
  let closed = false;

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB };
    const worker = new Worker(new URL('./parser-worker.ts', import.meta.url), { name: 'parser', execArgv: [], resourceLimits });
    worker.on('message', (reply: ParserReply) => {
      const job = running.get(worker);
      if (!job) return;
      if (reply === 'begun') {
        job.cancel = after(clock, maxMs, () => stop(worker, changed(TOO_COSTLY, `more than ${maxMs} ms`)));
        return;
      }
      lose(worker);
      // an idle thread does not keep the process alive
      worker.unref();
      idle.push(worker);
      if (reply.ok) job.resolve(reply.result);
      else job.reject(reply.error);
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
    job?.cancel();
    running.delete(worker);
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    return job;
  }
  function stop(worker: Worker, outcome: NotFound): void {
    lose(worker)?.resolve(outcome);
    void worker.terminate();
    next();
  }
  function cancel(job: Job): void {
    const jobs = waiting.get(sourceOf(job)) ?? [];
    const place = jobs.indexOf(job);
    if (place >= 0) jobs.splice(place, 1);
    job.resolve(late());
    for (const [worker, its] of running) if (its === job) stop(worker, late());
  }

  function next(): void {
    while (!closed && running.size < threads) {
      const job = take();
      if (!job) return;
      const worker = idle.pop() ?? start();
      running.set(worker, job);
      worker.ref();
      // transfers a copy, because the caller may need the bytes again
      const body = new Uint8Array(job.request.answer.body);
      worker.postMessage({ ...job.request, answer: { ...job.request.answer, body } }, [body.buffer]);
    }
  }
  /** An answer of the first source in turn that has less than its share of the threads. */
  function take(): Job | undefined {
    for (const [source, jobs] of waiting) {
      if ([...running.values()].filter((job) => sourceOf(job) === source).length >= share) continue;
      const job = takeSmallest(jobs);
      waiting.delete(source);
      if (jobs.length > 0) waiting.set(source, jobs);
      if (job) return job;
    }
    return undefined;
  }

  return {
    async parse<Input, Result>(parser: Parser<Input, Result>, answer: Answer, input: Input, attempt: Attempt, where?: 'thread') {
      if (where !== 'thread' && !answer.encoded && answer.body.length < threadBytes) return parseHere(parser, answer, input);
      if (closed || attempt.signal.aborted) return late();
      return new Promise<unknown>((resolve, reject) => {
        const job: Job = { request: { parser, answer, input }, resolve, reject, overtaken: 0, cancel: () => {} };
        attempt.signal.addEventListener('abort', () => cancel(job), { once: true });
        waiting.set(parser.module, [...(waiting.get(parser.module) ?? []), job]);
        next();
      }) as Promise<Result | NotFound>;
    },
    async close() {
      closed = true;
      const all = [...running.keys(), ...idle];
      for (const job of [...waiting.values()].flat()) job.resolve(late());
      for (const worker of all) lose(worker)?.resolve(late());
      waiting.clear();
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}

/** The smallest one, unless the oldest was overtaken too often. */
function takeSmallest(jobs: Job[]): Job | undefined {
  const sizes = jobs.map(({ request }) => request.answer.body.length);
  const index = (jobs[0]?.overtaken ?? 0) < MAX_OVERTAKEN ? sizes.indexOf(Math.min(...sizes)) : 0;
  for (const earlier of jobs.slice(0, index)) earlier.overtaken++;
  return jobs.splice(index, 1)[0];
}
