import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../outside/world.ts';

const LOOK_EVERY_MS = 20;

/** Knows who has not yet taken the last bytes of an answer. */
export interface LastBytes {
  /** Until the signal: cuts every connection off, half a question among them, once nobody reads an answer any more, at `untilMs` at the latest. */
  cutAfter(untilMs: number, signal: AbortSignal): Promise<void>;
}

export function watchLastBytes(server: Server, clock: Clock): LastBytes {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const someoneReads = (): boolean => [...sockets].some((socket) => socket.writableLength > 0);
  return {
    async cutAfter(untilMs, signal) {
      while (!signal.aborted) {
        if (clock.now() >= untilMs || !someoneReads()) server.closeAllConnections();
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
    },
  };
}
