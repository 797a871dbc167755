import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';

const CHECK_INTERVAL_MS = 20;

/** Destroys the connection unless `answer` (the response, or the socket itself) is closed within `withinMs`: the client does not read. */
export function cutOffUnread(socket: Socket, answer: EventEmitter, clock: Clock, withinMs: number): void {
  const taken = new AbortController();
  answer.once('close', () => taken.abort());
  void clock.sleep(withinMs, taken.signal).then(() => {
    if (!taken.signal.aborted) socket.destroy();
  });
}

/** Tracks connections with unsent response bytes. */
export interface LastBytes {
  /** Until the signal aborts: destroys all connections, incomplete requests too, once no response is being sent or at `untilMs`. */
  cutAfter(untilMs: number, signal: AbortSignal): Promise<void>;
}

export function watchLastBytes(server: Server, clock: Clock): LastBytes {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    // Node removes its own error listener when it detaches the socket (CONNECT); 'close' follows
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const isSending = (): boolean => [...sockets].some((socket) => socket.writableLength > 0);
  return {
    async cutAfter(untilMs, signal) {
      while (!signal.aborted) {
        // not closeAllConnections: Node's list lacks detached sockets
        if (clock.now() >= untilMs || !isSending()) for (const socket of sockets) socket.destroy();
        await clock.sleep(CHECK_INTERVAL_MS, signal);
      }
    },
  };
}
