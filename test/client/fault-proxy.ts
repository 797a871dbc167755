import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const FAULTS = [
  'none',
  'cut request',
  'cut answer',
  '429',
  '503',
  'foreign 503',
  'slow',
  'cut JSON',
  'foreign page',
  'silence',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxy {
  readonly baseUrl: string;
  /** How often each fault happened. */
  readonly counts: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

interface Upstream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
function forward(target: URL, { url = '/', headers }: IncomingMessage): Promise<Upstream> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(url, target), { headers: { ...headers, host: target.host } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** A proxy between client and service that spoils answers as `choose` says. `random` gives the place of a cut. */
export async function startFaultProxy(target: string, choose: () => Fault, random: () => number): Promise<FaultProxy> {
  const counts: Record<string, number> = {};
  const serve = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = choose();
    counts[fault] = (counts[fault] ?? 0) + 1;
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'proxy', 'retry-after': '0' });
      response.end(JSON.stringify({ error: { code, message: `${code} by the proxy.` } }));
    };
    if (fault === 'cut request') return void asked.socket.destroy();
    if (fault === '429') return refuse(429, 'RATE_LIMITED');
    if (fault === '503') return refuse(503, 'OVERLOADED');
    if (fault === 'foreign 503') return void response.writeHead(503).end('<html>Service Unavailable</html>');
    if (fault === 'silence') return;
    const { status, headers, body } = await forward(new URL(target), asked);
    if (fault === 'foreign page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    const part = body.subarray(0, Math.floor(random() * body.length));
    if (fault === 'cut JSON') return void response.writeHead(status, { ...headers, 'content-length': part.length }).end(part);
    if (fault === 'cut answer') {
      if (random() < 0.3) return void asked.socket.destroy();
      response.writeHead(status, headers);
      response.write(part, () => asked.socket.destroy());
      return;
    }
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, random() * 200));
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((asked, response) => {
    serve(asked, response).catch(() => asked.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
