import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A status and a body; of a lookup. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A service in the form of ours: an account, prices, and lookups by `answer`. */
export async function startFake(answer: (url: URL) => Reply | Promise<Reply>) {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const isAccount = url.pathname.startsWith('/v1/account');
    if (!isAccount) asked.push(url);
    const account = url.pathname.endsWith('/price')
      ? { price: 1 }
      : url.pathname.endsWith('/ledger')
        ? { entries: [], after: null, hasMore: false }
        : {
            credits: { balance: 100_000, held: 0 },
            key: { operations: null, expiresAt: null },
            limits: { ratePerSecond: 50, burst: 200 },
          };
    void Promise.resolve(isAccount ? { body: account } : answer(url)).then(({ status = 200, headers = {}, body }) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'r',
        'x-credits-charged': isAccount || status !== 200 ? '0' : '1',
        ...headers,
      });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}
/** Starts `sightline bulk`. */
export function startBulk(baseUrl: string, args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ran> } {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'bulk', ...args, '--yes'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SIGHTLINE_URL: baseUrl, SIGHTLINE_API_KEY: 'key' },
  });
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const ended = once(child, 'close').then(([code]): Ran => ({ code: code as number | null, out, error }));
  return { child, ended };
}
export const bulk = (baseUrl: string, args: readonly string[]): Promise<Ran> => startBulk(baseUrl, args).ended;
