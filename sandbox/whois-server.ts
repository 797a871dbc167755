import { createServer, type Server, type Socket } from 'node:net';
import type { SandboxWhois } from './host.ts';
import type { Stage } from './http-server.ts';

const HUGE = 100_000_000;
const MAX_QUERY = 4096;

/** Writes the number of bytes, or until the client disconnects. */
function fill(socket: Socket, bytes: number): void {
  const chunk = Buffer.alloc(64_000, '%');
  let left = bytes;
  const more = () => {
    while (left > 0 && socket.writable) {
      left -= chunk.length;
      if (!socket.write(chunk)) return;
    }
    socket.end();
  };
  socket.on('drain', more);
  more();
}

/** A simulated WHOIS server with its own port, because the protocol names no host. `null`: every connection is reset. */
export function createNames(host: SandboxWhois | null, stage: Stage): Server {
  async function serve(socket: Socket, query: string, gone: AbortSignal): Promise<void> {
    const url = `whois://${host?.host ?? 'nowhere.invalid'}`;
    const at = stage.now();
    stage.note({ method: 'WHOIS', url: `${url}/${query}`, at });
    const asked = new URL(`${url}/${encodeURIComponent(query)}`);
    const ended = stage.watch?.({ method: 'WHOIS', url: asked, headers: {}, body: '', at });
    if (ended) socket.once('close', ended);
    const fault = stage.faults.take(url);
    if (!host || fault?.kind === 'reset') {
      socket.resetAndDestroy();
      return;
    }
    const answer = Buffer.from(await host.answer(query, at, stage.days?.today()));
    const half = answer.subarray(0, answer.length >> 1);
    if (fault?.kind === 'empty') socket.end();
    else if (fault?.kind === 'huge') fill(socket, fault.bytes ?? HUGE);
    else if (fault?.kind === 'reset-body' || fault?.kind === 'truncated') socket.write(half, () => socket.resetAndDestroy());
    else if (fault?.kind === 'slow-headers' || fault?.kind === 'slow-body') {
      const early = fault.kind === 'slow-body' ? half : Buffer.alloc(0);
      socket.write(early);
      await stage.sleep(fault.ms, gone);
      socket.end(answer.subarray(early.length));
    } else socket.end(answer);
  }
  return createServer((socket) => {
    const gone = new AbortController();
    let heard = '';
    const listen = (chunk: Buffer) => {
      heard += chunk.toString('utf8');
      if (!heard.includes('\n') && heard.length < MAX_QUERY) return;
      socket.off('data', listen);
      socket.resume();
      serve(socket, heard.split(/\r?\n/)[0] ?? '', gone.signal).catch((error: unknown) => {
        console.error(`sandbox: whois://${host?.host}:`, error);
        socket.resetAndDestroy();
      });
    };
    socket.on('data', listen);
    socket.once('close', () => gone.abort());
    socket.on('error', () => gone.abort()); // the client disconnected early
  });
}
