import { Agent, request } from 'undici';
import type { Account, Told } from './evidence.ts';
import type { Member } from './process.ts';
import type { Random } from './random.ts';

export interface Gateway extends Member {
  readonly baseUrl: string;
}
/** Longer than any deadline plus the longest freeze. */
const PATIENCE_MS = 60_000;

/** Client requests: new lookups, repeated lookups, and identical lookups at both gateways at once. */
export function createLoad(gateways: readonly Gateway[], accounts: readonly Account[], random: Random) {
  const all: Told[] = [];
  const running = new Set<Promise<void>>();
  const agent = new Agent({ connections: 256, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const known: { path: string; operation: Told['operation'] }[] = [];
  let count = 0;

  function pickLookup(isNew = false): { path: string; operation: Told['operation'] } {
    if (!isNew && known.length > 20 && random.next() < 0.35) return random.pick(known.slice(-60));
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
    { path, operation }: ReturnType<typeof pickLookup>,
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
      begun: Number.POSITIVE_INFINITY,
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
      told.begun = Date.now();
      told.status = answer.statusCode;
      told.headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
      told.body = await answer.body.text();
    } catch (error) {
      told.error = `${(error as { code?: string }).code ?? ''} ${(error as Error).message}`;
    }
    told.until = Date.now();
  }

  const start = (...request: Parameters<typeof ask>): void => {
    const sent = ask(...request);
    running.add(sent);
    void sent.finally(() => running.delete(sent));
  };

  return {
    all,
    /** Sends this many new lookups of an account with credits to one gateway; returns their ids. */
    burst(name: string, times: number): string[] {
      const [gateway, account] = [gateways.find((g) => g.name === name), accounts[0]];
      if (!gateway || !account) return [];
      return Array.from({ length: times }, () => {
        const id = `chaos-${all.length}`;
        start(gateway, account, pickLookup(true), id, false);
        return id;
      });
    },
    /** Sends one lookup, at times to both gateways or several times. Does not await the answers. */
    send(): void {
      const up = gateways.filter((g) => g.running());
      if (!up.length) return;
      const asked = pickLookup();
      const again = random.next() < 0.1;
      const times = random.next() < 0.2 ? random.int(2, 4) : 1;
      for (let i = 0; i < times; i++) {
        start(random.pick(up), random.pick(accounts), asked, `chaos-${all.length}`, again);
      }
    },
    async settled(): Promise<void> {
      await Promise.all(running);
      await agent.close();
    },
  };
}
