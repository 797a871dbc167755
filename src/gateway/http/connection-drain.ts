import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';

const LOOK_EVERY_MS = 20;

/** Destroys the connection where `answer` (the response, or the socket itself) is not closed within `withinMs`: its client does not read. */
export function cutOffUnread(socket: Socket, answer: EventEmitter, clock: Clock, withinMs: number): void {
  const taken = new AbortController();
  answer.once('close', () => taken.abort());
  void clock.sleep(withinMs, taken.signal).then(() => {
    if (!taken.signal.aborted) socket.destroy();
  });
}

/** Knows who has not yet taken the last bytes of an answer. */
export interface LastBytes {
  /** Until the signal: cuts every connection off, half a question among them, once nobody reads an answer any more, at `untilMs` at the latest. */
  cutAfter(untilMs: number, signal: AbortSignal): Promise<void>;
}

export function watchLastBytes(server: Server, clock: Clock): LastBytes {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // Node takes its own listener away where it hands the socket over (CONNECT); 'close' follows
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const someoneReads = (): boolean => [...sockets].some((socket) => socket.writableLength > 0);
  return {
    async cutAfter(untilMs, signal) {
      while (!signal.aborted) {
        // all of ours: Node's own list lacks those that it handed over
        if (clock.now() >= untilMs || !someoneReads()) for (const socket of sockets) socket.destroy();
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
    },
  };
}
