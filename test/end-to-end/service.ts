import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all operations, asserted field by field
  readonly body: any;
}
export interface Running {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly key: string;
  readonly accountId: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly accounts: Awaited<ReturnType<typeof startService>>['accounts'];
  readonly admin: Awaited<ReturnType<typeof startService>>['accounts']['admin'];
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  stop(): Promise<void>;
}

/** The service on real sockets with the embedded store and the simulated platforms. */
export async function startWhole(environment: Record<string, string> = {}, options: { readonly apps?: boolean } = {}): Promise<Running> {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'));
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_HOSTS: sandbox.mapFile,
    SIGHTLINE_PACE_PER_SECOND: '1000',
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    REDDIT_CLIENT_ID: 'demo',
    REDDIT_CLIENT_SECRET: 'demo-secret',
    ...environment,
  });
  const service = await startService(settings, { log: silent, ...options });
  const first = await service.accounts.admin.ensureFirstAccount();
  const key = first?.key ?? '';
  return {
    baseUrl: service.baseUrl,
    adminUrl: service.adminUrl,
    key,
    accountId: first?.accountId ?? '',
    folder,
    sandbox,
    accounts: service.accounts,
    admin: service.accounts.admin,
    async get(path, headers = { 'x-api-key': key }) {
      const answer = await fetch(`${service.baseUrl}${path}`, { headers, redirect: 'manual' });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
    },
    async stop() {
      await service.stop();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
