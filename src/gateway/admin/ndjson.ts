import type { Socket } from 'node:net';

const MAX_LINE = 16_000_000;

/** Calls back with each line of a socket; one that never ends its line is cut off. */
export function readLines(socket: Socket, line: (text: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) if (text) line(text);
    if (rest.length > MAX_LINE) socket.destroy(new Error('a line without end'));
  });
}
