import { write, writeSync } from 'node:fs';

/** What waits at most: a log that cannot be written takes no more memory. */
const MOST_WAITING = 4_194_304;
const AGAIN_MS = 100;
/** How long the end of the process waits for a reader that is slow. */
const MOST_TRIES = 20;
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export interface LogOutput {
  write(line: string): void;
}

/**
 * Writes lines to a file descriptor, in their order and without waiting for it. Where it cannot be written (a full disk, a terminal that is gone) the
 * process goes on: lines wait and are tried again, those beyond a limit are left out, and `onLost` says how many. For a reader that ended nothing waits.
 */
export function createLogOutput(fd: number, onLost: (lines: number) => void): LogOutput {
  let waiting: string[] = [];
  let size = 0;
  let lost = 0;
  let part: Buffer | null = null;
  let isWriting = false;
  let state: 'new' | 'open' | 'closed' = 'new';

  function take(): Buffer {
    const text = waiting.join('');
    waiting = [];
    size = 0;
    return Buffer.from(text);
  }
  function begin(): void {
    if (isWriting || (part === null && waiting.length === 0)) return;
    const written = part ?? take();
    part = written;
    isWriting = true;
    write(fd, written, (error, bytes) => {
      isWriting = false;
      if (error) {
        if (error.code === 'EPIPE') close();
        else setTimeout(begin, AGAIN_MS).unref();
        return;
      }
      part = bytes < written.length ? written.subarray(bytes) : null;
      if (part === null && lost > 0) {
        const lines = lost;
        lost = 0;
        onLost(lines);
      }
      begin();
    });
  }
  function close(): void {
    state = 'closed';
    part = null;
    waiting = [];
  }
  /** At the end of the process. What is being written is written by its thread. */
  function flush(): void {
    let rest = isWriting || part === null ? take() : Buffer.concat([part, take()]);
    for (let tries = 0; rest.length > 0 && tries < MOST_TRIES; )
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (codeOf(error) !== 'EAGAIN') return;
        tries++;
        pause(AGAIN_MS / 2);
      }
  }
  return {
    write(line) {
      if (state === 'closed') return;
      if (state === 'new') process.on('exit', flush);
      state = 'open';
      if (size + line.length > MOST_WAITING) {
        lost++;
        return;
      }
      waiting.push(line);
      size += line.length;
      begin();
    },
  };
}
