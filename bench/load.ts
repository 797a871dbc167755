import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Loaded } from './measure.ts';

const COMPILE_CACHE = join(tmpdir(), 'sightline-bench-compile-cache');
const run = promisify(execFile);

export interface Server {
  readonly baseUrl: string;
  readonly key: string;
  /** Time from the start of the process to its output line, measured by the parent, ms. */
  readonly startMs: number;
  readonly pid: number;
  /** Writes a line to its standard input, and returns the next line of its output. */
  ask(line: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts bench/<kind>.ts and waits for its output line. */
export async function startServer(kind: string, environment: Record<string, string> = {}): Promise<Server> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, [`bench/${kind}.ts`], {
    // the same Node options as bin/sightline.mjs, for every server
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let arrived = (): void => {};
  child.stdout?.on('data', (d: Buffer) => {
    text += d;
    arrived();
  });
  const nextLine = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const failed = (code: number | null) => reject(new Error(`${kind} ended with ${code}`));
      child.once('exit', failed);
      arrived = () => {
        const end = text.indexOf('\n');
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        child.off('exit', failed);
        resolve(line);
      };
      arrived();
    });
  const line = await nextLine();
  const startMs = performance.now() - began;
  const { baseUrl, key = '' } = JSON.parse(line) as { baseUrl: string; key?: string };
  return {
    baseUrl,
    key,
    startMs,
    pid: child.pid ?? 0,
    ask(command) {
      child.stdin?.write(`${command}\n`);
      return nextLine();
    },
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

export interface LoadOptions {
  readonly seconds?: number;
  readonly connections?: number;
  /** Mean pause of a connection between two requests, ms. Default: none. */
  readonly pauseMs?: number;
  /** `#` is a random number below this. Default: counted up. */
  readonly range?: number;
  /** File of API keys that are used in turn. */
  readonly keys?: string;
}

/** Requests one path by wrk; `#` in the path becomes a number. Any status of 400 or more and any broken connection fails the bench. */
export async function load(server: Server, path: string, options: LoadOptions = {}): Promise<Loaded> {
  const { seconds = 1, connections = 50, pauseMs = 0, range = 0, keys } = options;
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    'bench/wrk.lua',
    ...(keys ? [] : ['-H', `X-API-Key: ${server.key}`]),
  ];
  const { stdout } = await run('wrk', [...args, server.baseUrl + path.replace('#', '0')], {
    env: {
      ...process.env,
      BENCH_PATH: path,
      BENCH_PAUSE_MS: String(pauseMs),
      BENCH_RANGE: String(range),
      ...(keys && { BENCH_KEYS: keys }),
    },
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error('wrk is not installed: npm run services installs it (Debian package wrk).', { cause: error });
    throw error;
  });
  const { refused, broken, ...loaded } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Loaded & { refused: number; broken: number };
  if (refused || broken) throw new Error(`${server.baseUrl}${path}: ${refused} answers of 400 and more, ${broken} broken connections`);
  return loaded;
}

/** Starts servers, and stops them after the work. */
export async function withServers<K extends string, T>(
  starting: Readonly<Record<K, Promise<Server>>>,
  work: (servers: Readonly<Record<K, Server>>) => Promise<T>,
): Promise<T> {
  const entries = Object.entries<Promise<Server>>(starting);
  const started = await Promise.allSettled(entries.map(([, server]) => server));
  const running = started.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  try {
    const servers = await Promise.all(entries.map(async ([name, server]) => [name, await server] as const));
    return await work(Object.fromEntries(servers) as Record<K, Server>);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}
