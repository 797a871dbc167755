import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

const COMPILE_CACHE = join(tmpdir(), 'sightline-bench-compile-cache');

export interface Server {
  readonly baseUrl: string;
  readonly key: string;
  /** Time from the start of the process to its output line, measured by the parent, ms. */
  readonly startMs: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts bench/<kind>.ts and waits for its output line. */
export async function startServer(kind: string, environment: Record<string, string> = {}): Promise<Server> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, [`bench/${kind}.ts`], {
    // the same Node options as bin/sightline.mjs, for every server
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (d: Buffer) => {
      text += d;
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    child.once('exit', (code) => reject(new Error(`${kind} ended with ${code}`)));
  });
  const startMs = performance.now() - began;
  const { baseUrl, key = '' } = JSON.parse(line) as { baseUrl: string; key?: string };
  return {
    baseUrl,
    key,
    startMs,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Requests one path (or generated paths) over 50 connections for some seconds; any status but 200 fails the bench. */
export async function load(server: Server, path: string | ((n: number) => string), seconds: number, connections = 50): Promise<Load> {
  let n = 0;
  const headers = { 'x-api-key': server.key };
  const result = await autocannon({
    url: server.baseUrl,
    connections,
    duration: seconds,
    headers,
    requests: [typeof path === 'string' ? { method: 'GET', path } : { method: 'GET', setupRequest: (r) => ({ ...r, path: path(n++) }) }],
  });
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} answers other than 200, ${result.errors} errors`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}
