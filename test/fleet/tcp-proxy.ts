import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between one process and a server, which a test can close for that process alone. */
export interface TcpProxy {
  readonly url: string;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** `delayMs`: delay of each byte, in both directions. */
export async function openTcpProxy(url: string, delayMs = 0): Promise<TcpProxy> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy();
    const onward = connect(Number(to.port), to.hostname);
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
  return {
    url: `${to.protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
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
