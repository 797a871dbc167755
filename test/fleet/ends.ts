import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { limit, type realTime } from '../support/real-time.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const DRAIN_MS = 1_000;
/** Closing may take at most this much longer than the wait. */
const CLOSING_MS = 1_000;

type Role = 'worker' | 'gateway' | 'both';
interface Process {
  readonly role: Role;
  readonly child: ChildProcess;
  /** Output of the process. */
  readonly said: () => string;
  /** Sends SIGTERM; returns the exit code or signal, and the time. */
  end(): Promise<{ role: Role; code: number | string | null; ms: number }>;
}

const LOSSES = {
  killed: (server: OwnServer) => server.kill(),
  frozen: async (server: OwnServer) => server.freeze(),
  there: async () => {},
};

/** What a process does on SIGTERM while Redis is in each of these states. */
export function testEnds(states: readonly (keyof typeof LOSSES)[], asRealTime: typeof realTime): void {
  describe('a process of a fleet exits on SIGTERM', { skip: missing('redis') }, () => {
    const folders: string[] = [];
    const running = new Set<ChildProcess>();
    after(() => {
      for (const child of running) child.kill('SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });

    async function until(what: string, good: () => boolean): Promise<void> {
      for (const end = performance.now() + 60_000; performance.now() < end; await sleep(10)) if (good()) return;
      assert.fail(what);
    }

    async function start(role: Role, url: string): Promise<Process> {
      const folder = mkdtempSync(join(tmpdir(), 'sightline-end-'));
      folders.push(folder);
      const child = spawn(process.execPath, ['test/fleet/end-child.ts', role], {
        env: {
          ...CHILD_ENVIRONMENT,
          REDIS_URL: url,
          PORT: '0',
          SIGHTLINE_ADMIN_PORT: '0',
          SIGHTLINE_DATA_DIR: folder,
          SIGHTLINE_DRAIN_MS: String(DRAIN_MS),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.add(child);
      let text = '';
      child.stdout?.on('data', (data: Buffer) => {
        text += data;
      });
      child.once('exit', () => running.delete(child));
      await until(`${role} runs`, () => /^ready.*\n/m.test(text));
      return {
        role,
        child,
        said: () => text,
        async end() {
          const began = performance.now();
          const gone = once(child, 'exit');
          child.kill('SIGTERM');
          const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
          const [code, signal] = (await gone) as [number | null, string | null];
          clearTimeout(late);
          return { role, code: code ?? signal, ms: Math.round(performance.now() - began) };
        },
      };
    }

    /** Requests lookups that are never answered, until this worker runs an attempt. */
    async function occupy(gateway: Process, worker: Process): Promise<void> {
      const [, baseUrl, key = ''] = /^ready (\S+) (\S+)/m.exec(gateway.said()) ?? [];
      let asked = 0;
      const get = (domain: string) => fetch(`${baseUrl}/v1/website/whois/domains/${domain}`, { headers: { 'x-api-key': key } });
      await until('an attempt runs', () => {
        if (!worker.said().includes('begun')) get(`d${asked++}.com`).catch(() => undefined);
        return worker.said().includes('begun');
      });
    }

    for (const state of states)
      for (const busy of [false, true])
        for (const sinceMs of state === 'there' ? [0] : [0, 1_500]) {
          const name = `Redis ${state}${sinceMs ? ' for a while' : ''}, ${busy ? 'an attempt in hand' : 'idle'}: within the drain time and a second`;
          test(
            name,
            asRealTime(100, async (t) => {
              const server = await startRedis();
              t.after(() => server.close());
              const [worker, gateway, both] = await Promise.all([
                start('worker', server.url),
                start('gateway', server.url),
                start('both', server.url),
              ]);
              if (busy) for (const p of [worker, both]) await occupy(gateway, p);
              await LOSSES[state](server);
              await sleep(sinceMs);
              const ends = await Promise.all([worker, gateway, both].map((p) => p.end()));
              for (const { role, code, ms } of ends) {
                assert.equal(code, 0, `${role} after ${ms} ms`);
                assert.ok(ms <= limit(DRAIN_MS + CLOSING_MS), `${role}: ${ms} ms`);
              }
            }),
          );
        }
  });
}
