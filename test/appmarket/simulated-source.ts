import type { SandboxHost } from '../../sandbox/host.ts';
import type { Input, OperationId, Resource } from '../../src/contract/operations/index.ts';
import { readSettings } from '../../src/settings.ts';
import { appmarketPage, appmarketSearch } from '../../src/sources/appmarket/page/source.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Ask, Ports } from '../../src/sources/source.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** The connector before a platform that is a function, on a clock that moves by the pace with every request. */
export function market(host: SandboxHost, environment: Record<string, string> = {}) {
  const clock = createManualClock();
  const settings = readSettings(environment);
  const asked: HttpRequest[] = [];
  const rests: number[] = [];
  let restUntil = 0;
  const logged: string[] = [];
  async function ask(request: HttpRequest): Promise<Reply> {
    asked.push(request);
    if (asked.length > 1) await clock.advance(request.pace?.everyMs ?? 0);
    const url = new URL(request.url);
    const made = await host.answer({ method: 'GET', url, headers: request.headers ?? {}, body: '', at: clock.now() });
    const answer = { status: made.status, headers: { ...made.headers }, body: Buffer.from(made.body), url: request.url, atMs: clock.now() };
    return { tag: 'answer', answer };
  }
  const ports: Ports = {
    settings,
    http: { ask },
    whois: { ask: () => Promise.reject(new Error('no WHOIS here')) },
    pace: {
      take: async () => 0,
      async rest(_, ms) {
        rests.push(ms);
        restUntil = clock.now() + ms;
      },
      resting: async () => Math.max(0, restUntil - clock.now()),
    },
    clock,
    random: () => 0.5,
    log: (_, message) => void logged.push(message),
  };
  const asks = { ...appmarketPage.open(ports), ...appmarketSearch.open(ports) };
  return {
    clock,
    asked,
    rests,
    logged,
    paths: () => asked.map(({ url }) => url.replace('https://apps.shopify.com', '')),
    async lookup<Id extends OperationId>(operation: Id, input: Input<Id>, leftMs = 600_000): Promise<Outcome<Resource<Id>>> {
      const one = asks[operation] as Ask<Id> | undefined;
      if (!one) throw new Error(`${operation} is not answered here`);
      return one(input, { signal: new AbortController().signal, deadlineMs: clock.now() + leftMs });
    },
  };
}
