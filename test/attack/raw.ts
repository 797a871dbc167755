/** Raw connections to a gateway, for requests that an HTTP client library would not send. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { realClock } from '../../src/runtime/clock.ts';
import { KEY, type Rig, rig } from '../contract/fakes.ts';

export interface Listening extends Rig {
  readonly port: number;
  /** Number of connections that the server has open. */
  connections(): Promise<number>;
  /** Number of requests whose head has arrived. */
  heads(): number;
}

/** A gateway over fakes on a real socket. Its pauses are real unless a test replaces `clock.sleep`. */
export async function listening(options: Parameters<typeof rig>[0] = {}): Promise<Listening> {
  const it = rig(options);
  it.clock.sleep = realClock.sleep;
  await it.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { server } = it.gateway.app;
  let heads = 0;
  server.on('request', () => heads++);
  const connections = () => new Promise<number>((done, failed) => server.getConnections((error, n) => (error ? failed(error) : done(n))));
  return Object.assign(it, { port: (server.address() as AddressInfo).port, connections, heads: () => heads });
}

/** Approximate number of answer characters that are stored. */
const MAX_RECEIVED = 100_000;
const STATUS_LINE = 'HTTP/1.1 200 ';

/** One connection and the bytes received on it so far. */
export class Raw {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #text = '';
  #tail = '';
  readonly #statuses: number[] = [];
  #heard: () => void = () => {};

  /** `halfOpen`: the client's side stays open when the server ends its side. */
  constructor(port: number, { halfOpen = false, reads = true } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen });
    this.socket.on('error', () => {});
    this.closed = new Promise((done) => {
      this.socket.once('close', () => done());
    });
    if (reads) this.read();
    this.socket.on('close', () => this.#heard());
  }

  read(): void {
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      // a status line may be split between two chunks
      const fresh = this.#tail + text;
      for (const [, status] of fresh.matchAll(/HTTP\/1\.1 (\d{3}) /g)) this.#statuses.push(Number(status));
      this.#tail = fresh.slice(1 - STATUS_LINE.length);
      if (this.#text.length < MAX_RECEIVED) this.#text += text;
      this.#heard();
    });
    this.socket.on('end', () => this.#heard());
  }

  send(...requests: readonly string[]): this {
    this.socket.write(requests.join(''), 'latin1');
    return this;
  }

  /** The first answers as received. */
  get text(): string {
    return this.#text;
  }

  /** Status codes of the answers so far. */
  get statuses(): readonly number[] {
    return this.#statuses;
  }

  /** Resolves when the server has ended its side. */
  async ended(): Promise<void> {
    while (!this.socket.readableEnded && !this.socket.closed) await this.#news();
  }

  /** Resolves when this many answers have started; rejects if the connection ends before. */
  async answers(count: number): Promise<readonly number[]> {
    while (this.statuses.length < count) {
      assert.ok(!this.socket.readableEnded && !this.socket.closed, `ended after ${this.statuses.join()}`);
      await this.#news();
    }
    return this.statuses;
  }

  async reset(): Promise<void> {
    if (this.socket.connecting) await once(this.socket, 'connect');
    this.socket.resetAndDestroy();
    await this.closed;
  }

  #news(): Promise<void> {
    return new Promise((done) => {
      this.#heard = done;
    });
  }
}

/** One GET as bytes, with a valid key. */
export const get = (path: string, more: readonly string[] = []): string =>
  ['GET ', path, ' HTTP/1.1\r\nHost: a\r\nX-API-Key: ', KEY, '\r\n', ...more.map((line) => `${line}\r\n`), '\r\n'].join('');

/** A promise that a test resolves. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open: () => open() };
}
