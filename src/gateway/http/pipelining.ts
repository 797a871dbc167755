import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait on one connection; with so many, nothing more is read from it. */
export const MAX_WAITING_REQUESTS = 64;

interface Line {
  /** Response to the request that came last. */
  last: ServerResponse;
  waiting: number;
  /** Whether something sees to it that reading stays paused. */
  guarded: boolean;
}

/** The order of the requests of each connection. */
export interface Pipeline {
  /**
   * Calls `begin` once every earlier answer of the connection was handed to the system (at once where there is none); never, where the
   * connection ends before. So a pipelined request costs nothing until its answer can be written.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Calls `then` once the requests that came so far are answered, or at once; never, where the connection ends before. */
  afterAll(socket: Socket, then: () => void): void;
}

export function createPipeline(): Pipeline {
  const lines = new WeakMap<Socket, Line>();

  function lineOf(socket: Socket, response: ServerResponse): Line {
    const known = lines.get(socket);
    if (known) {
      known.last = response;
      return known;
    }
    const line = { last: response, waiting: 0, guarded: false };
    lines.set(socket, line);
    return line;
  }

  /** Counts one that waits; reading stops at the limit, also where Node would resume it after an answer. */
  function stay(socket: Socket, line: Line): void {
    line.waiting++;
    if (line.waiting < MAX_WAITING_REQUESTS) return;
    if (!line.guarded) {
      line.guarded = true;
      socket.on('resume', () => {
        if (line.waiting >= MAX_WAITING_REQUESTS) socket.pause();
      });
    }
    socket.pause();
  }

  return {
    inTurn(request, response, begin) {
      const { socket } = request;
      const line = lineOf(socket, response);
      if (response.socket) {
        // not writable: the answer before has ended the connection
        if (response.socket.writable) begin();
        return;
      }
      stay(socket, line);
      // Node gives a response its socket once the one before has left; it is written to after that
      response.once('socket', () => {
        line.waiting--;
        if (line.waiting === MAX_WAITING_REQUESTS - 1) socket.resume();
        queueMicrotask(begin);
      });
    },
    afterAll(socket, then) {
      const last = lines.get(socket)?.last;
      if (!last || last.closed) then();
      else last.once('close', then);
    },
  };
}
