import type { Log } from '../telemetry/log.ts';
import { outliveReader } from './closed-output.ts';

interface StopOptions {
  /** How long `stop` may wait for requests in flight. */
  readonly drainMs: number;
  /** How long it may take after that to close connections and stores. */
  readonly closeMs?: number;
  readonly log: Log;
}
const CLOSE_MS = 5_000;

/** Stops on SIGTERM (exit code 0) or SIGINT (130). A second signal exits at once with 130; a stop beyond its time limit is logged and exits with 1. Returns whether a stop has begun. */
export function stopOnSignals(stop: () => Promise<void>, { drainMs, closeMs = CLOSE_MS, log }: StopOptions): () => boolean {
  outliveReader(log);
  let stopping = false;
  const exitLate = () => {
    log.error({ drainMs, closeMs }, 'shutdown exceeded its time limit: the process exits');
    process.exit(1);
  };
  const exitFailed = (error: Error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      setTimeout(exitLate, drainMs + closeMs).unref();
      stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 0), exitFailed);
    });
  }
  return () => stopping;
}
