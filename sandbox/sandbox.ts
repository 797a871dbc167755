import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaults, type Faults } from './faults.ts';
import type { SandboxHost, SandboxWhois } from './host.ts';
import { type Asked, createWeb, type Stage } from './http-server.ts';
import { createNames } from './whois-server.ts';

export interface Sandbox {
  /** Address of the HTTP server. `POST /day` there is `nextDay()`. */
  readonly url: string;
  /** Begins the next day of the simulated platforms, on which some of their facts are others. Returns it. */
  nextDay(): number;
  /** Value for SIGHTLINE_HOSTS. It maps every host to the sandbox, so that no request leaves the machine. */
  readonly mapFile: string;
  /** The map itself. */
  readonly map: Readonly<Record<string, string>>;
  /** Received requests, oldest first; the last 10,000. */
  readonly requests: readonly Asked[];
  readonly faults: Faults;
  close(): Promise<void>;
}
export interface SandboxParts {
  readonly hosts: readonly SandboxHost[];
  readonly whois: readonly SandboxWhois[];
  /** Port of the HTTP server; 0 (default) takes a free one. */
  readonly port?: number;
  /** Day of the simulated platforms at the start. Default: 0. */
  readonly day?: number;
  readonly now?: () => number;
  /** Delays slow answers; by default with a timer. */
  readonly sleep?: Stage['sleep'];
  readonly watch?: Stage['watch'];
}

const MAX_REQUESTS = 10_000;

const sleepReally: Stage['sleep'] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/** Serves the simulated platforms on loopback: one HTTP server for all origins, one TCP server per WHOIS host. */
export async function startSandbox(parts: SandboxParts): Promise<Sandbox> {
  const { hosts, whois, port = 0, now = Date.now, sleep = sleepReally, watch } = parts;
  let { day = 0 } = parts;
  const nextDay = (): number => ++day;
  const faults = createFaults();
  const requests: Asked[] = [];
  const note = (asked: Asked) => {
    if (requests.push(asked) > MAX_REQUESTS) requests.splice(0, MAX_REQUESTS / 10);
  };
  const stage: Stage = { faults, note, now, days: { today: () => day, next: nextDay }, sleep, ...(watch && { watch }) };

  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server, at: number): Promise<string> => {
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const web = `http://${await listen(createWeb(hosts, stage), port)}`;
  const map: Record<string, string> = { 'https://*': web, 'http://*': web };
  for (const origin of hosts.flatMap((h) => h.origins)) map[origin] = web;
  map['whois://*'] = await listen(createNames(null, stage), 0);
  for (const host of whois) map[`whois://${host.host}`] = await listen(createNames(host, stage), 0);

  const folder = await mkdtemp(join(tmpdir(), 'sightline-sandbox-'));
  const mapFile = join(folder, 'hosts.json');
  await writeFile(mapFile, JSON.stringify(map, null, 2));
  return {
    url: web,
    nextDay,
    mapFile,
    map,
    requests,
    faults,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
