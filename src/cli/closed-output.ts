import type { Log } from '../telemetry/log.ts';

/** The reader of a pipe ended (`sightline … | head`): a command has nothing left to do. Else nobody has its result: a full disk, a terminal that is gone. */
export function endWithReader({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`Standard output cannot be written: ${message}.\n`);
  process.exit(1);
}

/** A service goes on without one. */
export function outliveReader(log: Pick<Log, 'warn'>): void {
  process.stdout.off('error', endWithReader).once('error', ({ code }: NodeJS.ErrnoException) => {
    log.warn({ code }, 'standard output cannot be written: what it would show is lost');
    process.stdout.on('error', () => {});
  });
}
