import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A status and a body; of a lookup. Status 0: the connection is closed. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Blanks by which a proxy indents the body. */
  readonly indent?: number;
}

const EMPTY: Reply = { body: { entries: [], after: null, hasMore: false } };
/** A service in the form of ours: an account, prices, its `ledger`, and lookups by `answer`, which gets the label of the request. */
export async function startFake(answer: (url: URL, label: string) => Reply | Promise<Reply>, ledger = () => EMPTY) {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const isAccount = url.pathname.startsWith('/v1/account');
    if (!isAccount) asked.push(url);
    const account = {
      credits: { balance: 100_000, held: 0 },
      key: { operations: null, expiresAt: null },
      limits: { ratePerSecond: 50, burst: 200 },
    };
    const reply = (): Reply | Promise<Reply> => {
      if (!isAccount) return answer(url, String(request.headers['x-request-id']));
      if (url.pathname.endsWith('/ledger')) return ledger();
      return { body: url.pathname.endsWith('/price') ? { price: 1 } : account };
    };
    void Promise.resolve(reply()).then(({ status = 200, headers = {}, body, indent }) => {
      if (status === 0) return void response.destroy();
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'r',
        'x-credits-charged': isAccount || status !== 200 ? '0' : '1',
        ...headers,
      });
      response.end(JSON.stringify(body, null, indent));
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
