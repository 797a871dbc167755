import { existsSync, readFileSync } from 'node:fs';
import type { SandboxHost } from '../../sandbox/host.ts';
import type { Inputs, OperationId, Resources } from '../../src/contract/operations/index.ts';
import { readSettings } from '../../src/settings.ts';
import { appmarketPage, appmarketSearch } from '../../src/sources/appmarket/page/source.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Ask, Ports } from '../../src/sources/source.ts';
import type { Answer, Reply } from '../../src/upstream/answer.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';

const RECORDINGS = new URL('../../../shared/recordings/appmarket/', import.meta.url);
/** Why tests over the recordings are skipped; false: they run. */
export function skipRecordings(): string | false {
  if (existsSync(RECORDINGS)) return false;
  if (/recordings/.test(process.env.SIGHTLINE_TEST_REQUIRE ?? '')) throw new Error(`there are no recordings in ${RECORDINGS.pathname}`);
  return 'no recordings here';
}

/** One recording of each kind. */
export const FILES = {
  app: 'app_dropify-5_2026-10-05.trimmed.html',
  app2024: 'reconstructed-app_calendify_2024-11.html',
  reviews: 'reviews_shopify-pos_p1_relevance_2024-07-20.html',
  pastEnd: 'reviews_dropify-5_newest_p7_empty_2026-10-05.trimmed.html',
  search: 'reconstructed-search_facebook-feed_p1.html',
  searchFrame: 'reconstructed-search_turbo-frame_seo_p2.html',
  noResults: 'reconstructed-search_no-results.html',
  lazy: 'reconstructed-search_lazy-frame.html',
  developer: 'reconstructed-partner_order-printer.html',
  topic: 'reconstructed-category_topic_marketing-and-conversion.html',
  category: 'category_email-marketing_all_p1_2026-10-05.trimmed.html',
  old: 'browse_all_p1_2020-08-15.html',
  challenge: 'cloudflare_challenge_403_2026-10-05.html',
  notFound: 'reconstructed-app_404.html',
} as const;
export type Kind = keyof typeof FILES;
export const readRecording = (file: string): string => readFileSync(new URL(file, RECORDINGS), 'utf8');

export const answerOf = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(body),
  url: 'https://apps.shopify.com/some-app',
  at: 0,
  ...more,
});

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
    const answer = { status: made.status, headers: { ...made.headers }, body: Buffer.from(made.body), url: request.url, at: clock.now() };
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
    async lookup<Id extends OperationId>(operation: Id, input: Inputs[Id], leftMs = 600_000): Promise<Outcome<Resources[Id]>> {
      const one = asks[operation] as Ask<Id> | undefined;
      if (!one) throw new Error(`${operation} is not answered here`);
      return one(input, { signal: new AbortController().signal, deadlineMs: clock.now() + leftMs });
    },
  };
}
