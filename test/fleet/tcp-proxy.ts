import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between one process and a server, which a test can close for that process alone. */
export interface TcpProxy {
  readonly url: string;
  /** Connections so far, in order; each may fall silent. */
  readonly connections: number;
  /** Drops what the open connections send from now on, in both directions, and leaves them open; `from`: only the connections from this number on. */
  swallow(from?: number): void;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'postgres:': 5432, 'redis:': 6379 };

/** `delayMs`: delay of each byte, in both directions. */
export async function openTcpProxy(url: string, delayMs = 0): Promise<TcpProxy> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  const silent: (() => void)[] = [];
  let isOpen = true;
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy();
    const onward = connect(Number(to.port || DEFAULT_PORTS[to.protocol]), to.hostname);
    silent.push(() => {
      for (const one of [socket, onward]) one.unpipe().removeAllListeners('data').resume();
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      if (delayMs > 0) one.on('data', (chunk) => setTimeout(() => other.writable && other.write(chunk), delayMs));
      else one.pipe(other);
      one.on('error', () => undefined); // 'close' follows
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shut = (): void => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    get connections() {
      return silent.length;
    },
    swallow(from = 0) {
      for (const fallSilent of silent.slice(from)) fallSilent();
    },
    shut,
    open: () => {
      isOpen = true;
    },
    async close() {
      shut();
      server.close();
      await once(server, 'close');
    },
  };
}
