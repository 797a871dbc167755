import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Waiting requests of one connection at which reading from it stops. */
export const MAX_WAITING_REQUESTS = 64;

interface Queue {
  /** Response to the latest request. */
  last: ServerResponse;
  waiting: number;
  /** A listener keeps the socket paused. */
  guarded: boolean;
}

/** Serves the pipelined requests of each connection in order. */
export interface Pipeline {
  /**
   * Calls `begin` once all earlier responses of the connection were written to the system (immediately if there are none), or never if the
   * connection ends before. A pipelined request is charged only when its response can be written.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Calls `then` once all requests so far are answered, or never if the connection ends before. */
  afterAll(socket: Socket, then: () => void): void;
}

export function createPipeline(): Pipeline {
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
    inTurn(request, response, begin) {
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
    afterAll(socket, then) {
      const last = queues.get(socket)?.last;
      if (!last || last.closed) then();
      else last.once('close', then);
    },
  };
}
