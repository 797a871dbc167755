import type { Log } from '../telemetry/log.ts';

const unlessClosed = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};

/** The reader of a pipe ended (`sightline … | head`): a command has nothing left to do. */
export function endWithReader(error: NodeJS.ErrnoException): void {
  unlessClosed(error);
  process.exit();
}

/** A service goes on without one. */
export function outliveReader(log: Pick<Log, 'warn'>): void {
  process.stdout.off('error', endWithReader).once('error', (error: NodeJS.ErrnoException) => {
    unlessClosed(error);
    log.warn({}, 'nobody reads standard output any more: what it would show is lost');
    process.stdout.on('error', unlessClosed);
  });
}
