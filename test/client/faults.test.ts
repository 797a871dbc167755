// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SEARXNG_ORIGIN } from '../../sandbox/searchengine/searxng.ts';
import { realTiming } from '../../src/client/fetch.ts';
import { Sightline, SightlineError } from '../../src/client/index.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { sizeOf } from '../support/sizes.ts';
import { FAULTS, type Fault, startFaultProxy } from './fault-proxy.ts';

const CALLS = sizeOf({ whole: 1000, part: 400 });
const AT_ONCE = 32;
const DEADLINE_MS = 8_000;
/** The timers of a busy machine; less than a second deadline. */
const SLACK_MS = 7_000;

/** Reproducible numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('the client and a service behind a proxy that spoils answers', () => {
  let service: Running;
  before(async () => {
    service = await startWhole({
      SEARXNG_URL: SEARXNG_ORIGIN,
      SIGHTLINE_RATE_PER_SECOND: '100000',
      SIGHTLINE_RATE_BURST: '100000',
      SIGHTLINE_FREE_CREDITS: '5000',
    });
  });
  after(() => service?.stop());

  /** Credits captured by label, once no hold is open. */
  async function captures(): Promise<Map<string, number[]>> {
    const direct = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
    while ((await direct.account.get()).credits.held > 0) await new Promise((resolve) => setImmediate(resolve));
    const found = new Map<string, number[]>();
    for await (const { kind, label, credits } of direct.account.ledger.all({ limit: 1000 }))
      if (kind === 'capture' && label) found.set(label, [...(found.get(label) ?? []), -credits]);
    return found;
  }

  test(`${CALLS} calls: none is charged twice, none ends after its deadline, each ends with data or a typed error`, async () => {
    const random = createRandom(16);
    const choose = (): Fault => {
      if (random() < 0.55) return 'none';
      return random() < 0.01 ? 'silence' : (FAULTS[1 + Math.floor(random() * (FAULTS.length - 2))] ?? 'none');
    };
    const proxy = await startFaultProxy(service.baseUrl, choose, random);
    const timing = { ...realTiming, random: () => random() * 0.1 };
    const client = new Sightline({ baseUrl: proxy.baseUrl, apiKey: service.key, deadlineMs: DEADLINE_MS, timing });
    const ends: Record<string, number> = {};
    const late: string[] = [];
    let next = 0;
    const caller = async () => {
      for (let n = next++; n < CALLS; n = next++) {
        const keyword = `proxied ${n}`;
        const begun = performance.now();
        const options = { requestId: `call-${n}`, noCache: n % 3 === 0, ...(n % 3 === 1 && { maxAge: 0 }) };
        const end = await client.searchengine.serp({ keyword }, options).then(
          (data) => {
            assert.equal(data.keyword, keyword);
            return 'data';
          },
          (error: unknown) => {
            assert.ok(error instanceof SightlineError, String(error));
            return error.code;
          },
        );
        ends[end] = (ends[end] ?? 0) + 1;
        if (performance.now() - begun > DEADLINE_MS + SLACK_MS) late.push(`${keyword}: ${end}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, caller));
    } finally {
      await proxy.stop();
    }
    console.log(`ends: ${JSON.stringify(ends)}; faults: ${JSON.stringify(proxy.counts)}`);
    assert.equal(
      Object.values(ends).reduce((sum, n) => sum + n, 0),
      CALLS,
    );
    assert.ok((ends.data ?? 0) > CALLS * 0.8);
    assert.ok(Object.keys(proxy.counts).length >= FAULTS.length - 1, 'every fault happened');
    assert.deepEqual(late, []);
    const charged = await captures();
    assert.deepEqual(
      [...charged].filter(([, credits]) => credits.length > 1 || credits[0] !== 1),
      [],
      'charged twice',
    );
    assert.ok(charged.size >= (ends.data ?? 0));
  });

  test('the retry after an answer that was charged and lost is free: one capture, whatever freshness was asked for', async () => {
    for (const [n, options] of [{}, { noCache: true }, { maxAge: 0 }, { staleIfError: 10 }].entries()) {
      const faults: Fault[] = ['cut answer', 'cut JSON', 'foreign page'];
      const proxy = await startFaultProxy(
        service.baseUrl,
        () => faults.shift() ?? 'none',
        () => 0.9,
      );
      try {
        // the clock stands still: the retry reaches the service later than the client can know
        const timing = { ...realTiming, now: () => 0, random: () => 0 };
        const client = new Sightline({ baseUrl: proxy.baseUrl, apiKey: service.key, timing });
        const call = client.searchengine.serp({ keyword: `lost ${n}` }, { ...options, requestId: `lost-${n}` });
        const { cache, credits } = await call.withResponse();
        assert.deepEqual([cache, credits.charged, proxy.counts.none], ['hit', 0, 1], JSON.stringify(options));
      } finally {
        await proxy.stop();
      }
      assert.deepEqual((await captures()).get(`lost-${n}`), [1], JSON.stringify(options));
    }
  });
});
