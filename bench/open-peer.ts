import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(import.meta.dirname, 'peers/package.json'));

/** A package of bench/peers, which has a lock file of its own: what the benchmarks compare with is no part of `npm ci`. */
export function openPeer(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`${name}, with which this is compared, is not installed: run npm ci --prefix bench/peers.`, { cause: error });
  }
}

export interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: { readonly domain: string };
  readonly url: string;
  account?: string;
}
export interface FastifyReply {
  readonly statusCode: number;
  readonly elapsedTime: number;
  code(status: number): FastifyReply;
  header(name: string, value: string): FastifyReply;
  send(body: unknown): FastifyReply;
}
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | FastifyReply;
/** The part of Fastify that the references use. */
export interface FastifyInstance {
  readonly server: Server;
  decorateRequest(name: string, value: unknown): void;
  addHook(name: 'onRequest' | 'onResponse', hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void;
  register(plugin: unknown, options: object): PromiseLike<unknown>;
  get(path: string, ...handlers: readonly [Handler] | readonly [object, Handler]): void;
  listen(options: { readonly port: number; readonly host: string }): Promise<string>;
}
export const openFastify = (): FastifyInstance => (openPeer('fastify') as (options: object) => FastifyInstance)({ logger: false });
