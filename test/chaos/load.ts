import { Agent, request } from 'undici';
import type { Member } from './process.ts';
import type { Random } from './random.ts';

export interface Gateway extends Member {
  readonly baseUrl: string;
}
export interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly granted: number;
}
/** One request from outside and what became of it. */
export interface Told {
  readonly id: string;
  readonly gateway: Gateway;
  readonly account: Account;
  readonly path: string;
  readonly operation: 'serp' | 'registration';
  readonly from: number;
  until: number;
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Why there is no whole answer. */
  error: string | null;
}

/** Longer than any deadline and any pause of the suite. */
const PATIENCE_MS = 60_000;

/** Questions of outside: new ones, ones asked before, the same ones at both gateways at once. */
export function createLoad(gateways: readonly Gateway[], accounts: readonly Account[], random: Random) {
  const all: Told[] = [];
  const running = new Set<Promise<void>>();
  const agent = new Agent({ connections: 256, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const known: { path: string; operation: Told['operation'] }[] = [];
  let count = 0;

  function question(): { path: string; operation: Told['operation'] } {
    if (known.length > 20 && random.next() < 0.35) return random.pick(known.slice(-60));
    const n = count++;
    const fresh =
      random.next() < 0.75
        ? { path: `/v1/searchengine/serp?keyword=shoes+number+${n}`, operation: 'serp' as const }
        : {
            path: `/v1/website/whois/domains/chaos-${n}.${random.pick(['com', 'de', 'org', 'io', 'nl', 'fr'])}`,
            operation: 'registration' as const,
          };
    known.push(fresh);
    return fresh;
  }

  async function ask(
    gateway: Gateway,
    account: Account,
    { path, operation }: ReturnType<typeof question>,
    id: string,
    again: boolean,
  ): Promise<void> {
    const told: Told = {
      id,
      gateway,
      account,
      path,
      operation,
      from: Date.now(),
      until: Number.POSITIVE_INFINITY,
      status: null,
      headers: {},
      body: null,
      error: null,
    };
    all.push(told);
    try {
      const answer = await request(gateway.baseUrl + path, {
        dispatcher: agent,
        headers: { 'x-api-key': account.key, 'x-request-id': id, ...(again && { 'cache-control': 'no-cache' }) },
      });
      told.status = answer.statusCode;
      told.headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
      told.body = await answer.body.text();
    } catch (error) {
      told.error = `${(error as { code?: string }).code ?? ''} ${(error as Error).message}`;
    }
    told.until = Date.now();
  }

  return {
    all,
    /** Sends one question, at times to both gateways or more than once. Waits for nothing. */
    send(): void {
      const up = gateways.filter((g) => g.running());
      if (!up.length) return;
      const asked = question();
      const again = random.next() < 0.1;
      const times = random.next() < 0.2 ? random.int(2, 4) : 1;
      for (let i = 0; i < times; i++) {
        const sent = ask(random.pick(up), random.pick(accounts), asked, `chaos-${all.length}`, again);
        running.add(sent);
        void sent.finally(() => running.delete(sent));
      }
    },
    inFlight: () => running.size,
    async settled(): Promise<void> {
      await Promise.all(running);
      await agent.close();
    },
  };
}
