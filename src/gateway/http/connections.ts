import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, type Clock } from '../../runtime/clock.ts';

/** Waiting requests of one connection at which reading from it stops. */
export const MAX_WAITING_REQUESTS = 64;

interface Queue {
  last: ServerResponse;
  waiting: number;
  /** A listener keeps the socket paused. */
  guarded: boolean;
}

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline() {
  const queues = new WeakMap<Socket, Queue>();

  function queueOf(socket: Socket, response: ServerResponse): Queue {
    const known = queues.get(socket);
    if (known) {
      known.last = response;
      return known;
    }
    const queue = { last: response, waiting: 0, guarded: false };
    queues.set(socket, queue);
    return queue;
  }

  /** Counts a waiting request; at the limit reading stops, even where Node would resume it after a response. */
  function enqueue(socket: Socket, queue: Queue): void {
    queue.waiting++;
    if (queue.waiting < MAX_WAITING_REQUESTS) return;
    if (!queue.guarded) {
      queue.guarded = true;
      socket.on('resume', () => {
        if (queue.waiting >= MAX_WAITING_REQUESTS) socket.pause();
      });
    }
    socket.pause();
  }

  return {
    /** Calls `begin` once all earlier responses of the connection were written, or never if it ends before: only what can be answered is charged. */
    inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
      const { socket } = request;
      const queue = queueOf(socket, response);
      if (response.socket) {
        // not writable: the previous response has ended the connection
        if (response.socket.writable) begin();
        return;
      }
      enqueue(socket, queue);
      // Node assigns the socket to a response once the previous response was sent
      response.once('socket', () => {
        queue.waiting--;
        if (queue.waiting === MAX_WAITING_REQUESTS - 1) socket.resume();
        queueMicrotask(begin);
      });
    },
    /** Whether all requests so far are answered, to the last byte, or lost. */
    isAnswered: (socket: Socket): boolean => queues.get(socket)?.last.closed ?? true,
    /** Calls `then` once all requests so far are answered, or never if the connection ends before. */
    afterAll(socket: Socket, then: () => void): void {
      const last = queues.get(socket)?.last;
      if (!last || last.closed) then();
      else last.once('close', then);
    },
  };
}

const CHECK_INTERVAL_MS = 20;

/** Destroys the connection unless `answer` (the response, or the socket itself) is closed within `withinMs`: the client does not read. */
export function cutOffUnread(socket: Socket, answer: EventEmitter, clock: Clock, withinMs: number): void {
  answer.once(
    'close',
    after(clock, withinMs, () => socket.destroy()),
  );
}

/** How long connections that wait to be accepted may delay the end of a listener. */
const MAX_ACCEPTING_MS = 2_000;

export function trackConnections(server: Server, { clock, pipeline }: { readonly clock: Clock; readonly pipeline: Pipeline }) {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted++;
    sockets.add(socket);
    // Node removes its own error listener when it detaches the socket (CONNECT); 'close' follows
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const isSending = (): boolean => [...sockets].some((socket) => socket.writableLength > 0);
  const isAnswering = (): boolean => [...sockets].some((socket) => !pipeline.isAnswered(socket));
  return {
    /**
     * Resolves once two turns of the event loop have brought no new connection, in the second of which what the last one sent was read; at most
     * until `untilMs`. The system has accepted connections that wait here, one of which comes in a turn: it would reset them with the listener.
     */
    async accepting(untilMs: number): Promise<void> {
      const until = Math.min(untilMs, clock.now() + MAX_ACCEPTING_MS);
      for (let before = -1; accepted !== before && clock.now() < until; ) {
        before = accepted;
        await nextTurn();
        await nextTurn();
      }
    },
    /**
     * Until the signal aborts: destroys all connections once nothing is in work and no response is being sent, or at `untilMs`. Default of
     * `isInWork`: until every request is answered.
     */
    async cutAfter(untilMs: number, isInWork: (() => boolean) | undefined, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        // not closeAllConnections: Node's list lacks detached sockets
        if (clock.now() >= untilMs || (!(isInWork ?? isAnswering)() && !isSending())) for (const socket of sockets) socket.destroy();
        await clock.sleep(CHECK_INTERVAL_MS, signal);
      }
    },
  };
}
