import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Fault, Faults } from './faults.ts';
import type { SandboxHost, SandboxRequest, SandboxResponse } from './host.ts';

/** One received request. */
export interface Asked {
  /** HTTP method, or `WHOIS`. */
  readonly method: string;
  /** URL of the platform; a WHOIS query is its path. */
  readonly url: string;
  readonly at: number;
}
export interface Stage {
  readonly faults: Faults;
  readonly note: (asked: Asked) => void;
  /** Called with each request (a WHOIS query as its path); the returned function is called when its connection or response has closed. */
  readonly watch?: (request: SandboxRequest) => () => void;
  readonly now: () => number;
  /** The days of the simulated platforms; default: it is always day 0. `next` begins one. */
  readonly days?: { readonly today: () => number; readonly next: () => number };
  /** Resolves after `ms`, or when the signal fires. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const HUGE = 100_000_000;
const CHUNK = Buffer.alloc(1_000_000, ' ');
/** Smaller bodies are sent uncompressed. */
const WORTH_GZIP = 512;

/** The simulated host of an origin: by the exact origin, else by the longest `https://*.suffix`. */
export function hostOf(hosts: readonly SandboxHost[]): (url: URL) => SandboxHost | undefined {
  const byOrigin = new Map(hosts.flatMap((host) => host.origins.map((origin) => [origin, host])));
  return (url) => {
    const exact = byOrigin.get(url.origin);
    if (exact) return exact;
    for (let dot = url.host.indexOf('.'); dot > 0; dot = url.host.indexOf('.', dot + 1)) {
      const wild = byOrigin.get(`${url.protocol}//*${url.host.slice(dot)}`);
      if (wild) return wild;
    }
    return undefined;
  };
}

/** Filler bytes, generated at most one chunk ahead of the client. */
function* filler(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
}

interface Written {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
function written(response: SandboxResponse, accepted: string): Written {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers ?? {})) headers[name.toLowerCase()] = value;
  const body = Buffer.from(response.body);
  if (body.length < WORTH_GZIP || headers['content-encoding'] || !/\bgzip\b/.test(accepted))
    return { status: response.status, headers, body };
  return { status: response.status, headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }, body: gzipSync(body) };
}

/** Sends an answer with the given fault. */
async function send(res: ServerResponse, answer: Written, fault: Fault | null, stage: Stage, url: URL, gone: AbortSignal): Promise<void> {
  const { status, body } = answer;
  const headers: Record<string, string> = { ...answer.headers, 'content-length': String(body.length) };
  const half = body.subarray(0, body.length >> 1);
  switch (fault?.kind) {
    case 'slow-headers':
      await stage.sleep(fault.ms, gone);
      if (gone.aborted) return;
      break;
    case 'slow-body':
      res.writeHead(status, headers).write(half);
      await stage.sleep(fault.ms, gone);
      res.end(body.subarray(half.length));
      return;
    case 'reset-body':
      res.writeHead(status, headers).write(half, () => res.socket?.resetAndDestroy());
      return;
    case 'truncated':
      res.writeHead(status, { ...headers, connection: 'close' }).write(half, () => res.socket?.end());
      return;
    case 'truncated-gzip': {
      const packed = headers['content-encoding'] === 'gzip' ? body : gzipSync(body);
      const { 'content-length': _, ...rest } = headers;
      res.writeHead(status, { ...rest, 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 12));
      return;
    }
    case 'wrong-type':
      headers['content-type'] = fault.contentType ?? 'application/octet-stream';
      break;
    case 'redirect-loop':
      res.writeHead(302, { location: url.href, 'content-length': '0' }).end();
      return;
    case 'huge':
      res.writeHead(200, { 'content-type': headers['content-type'] ?? 'text/plain' });
      await pipeline(Readable.from(filler(fault.bytes ?? HUGE)), res).catch((error: Error) => {
        if (!gone.aborted) throw error; // the client closed the connection, as expected
      });
      return;
    case 'bomb': {
      const member = gzipSync(CHUNK);
      const members = Array.from({ length: Math.ceil((fault.bytes ?? HUGE) / CHUNK.length) }, () => member);
      res
        .writeHead(200, { 'content-type': headers['content-type'] ?? 'text/plain', 'content-encoding': 'gzip' })
        .end(Buffer.concat(members));
      return;
    }
    case 'status':
      res.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers }).end(fault.body ?? '');
      return;
    case 'empty':
      res.writeHead(200, { 'content-type': headers['content-type'] ?? 'text/plain', 'content-length': '0' }).end();
      return;
  }
  res.writeHead(status, headers).end(body);
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * One HTTP server for all simulated platforms, selected by `Host` and `X-Forwarded-Proto`. The connection is reset for an unknown origin,
 * because an answer could be taken for the platform's own.
 */
export function createWeb(hosts: readonly SandboxHost[], stage: Stage): Server {
  const find = hostOf(hosts);
  /** The address of the server itself, which is no platform's: `POST /day` begins the next day. */
  function control(req: IncomingMessage, res: ServerResponse, url: URL): void {
    const isKnown = url.pathname === '/day' && (req.method === 'POST' || req.method === 'GET');
    const day = (isKnown && req.method === 'POST' ? stage.days?.next() : stage.days?.today()) ?? 0;
    res
      .writeHead(isKnown ? 200 : 404, { 'content-type': 'text/plain' })
      .end(isKnown ? `day ${day}\n` : 'The simulated platforms: POST /day begins their next day.\n');
  }
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const proto = req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    const base = `${proto}://${req.headers.host ?? 'nowhere.invalid'}`;
    const url = URL.canParse(req.url ?? '/', base) ? new URL(req.url ?? '/', base) : new URL('http://nowhere.invalid/');
    if (url.origin === `http://${req.socket.localAddress}:${req.socket.localPort}`) return control(req, res, url);
    const at = stage.now();
    const method = req.method ?? 'GET';
    stage.note({ method, url: url.href, at });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers[name] = String(value);
    const request: SandboxRequest = { method, url, headers, body: await read(req), at, day: stage.days?.today() ?? 0 };
    const ended = stage.watch?.(request);
    if (ended) res.once('close', ended);
    const fault = stage.faults.take(url.href);
    const host = find(url);
    if (fault?.kind === 'reset' || (!host && !fault)) {
      req.socket.resetAndDestroy();
      return;
    }
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const response = host ? await host.answer(request) : { status: 200, body: '' };
    await send(res, written(response, headers['accept-encoding'] ?? ''), fault, stage, url, gone.signal);
  }
  return createServer((req, res) => {
    serve(req, res).catch((error: unknown) => {
      // a defect of a simulated platform must not look like a failure of the platform
      console.error(`sandbox: ${req.headers.host}${req.url}:`, error);
      if (!res.headersSent) res.writeHead(599, { 'content-type': 'text/plain' });
      res.end('The simulated platform failed.');
    });
  });
}
