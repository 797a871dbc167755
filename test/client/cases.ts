/** The suite of the client: run by Node (client.test.ts) and by Chromium (browser.test.ts). */

import { realTiming, sleep } from '../../src/client/fetch.ts';
import { type ClientOptions, Sightline, SightlineError } from '../../src/client/index.ts';
import { answer, equal, errorOf, failed, found, hanging, lost, type Step, service, virtualTime } from './simulated.ts';

const BASE = 'https://sightline.example';
const KEY = 'sl_secret';

function start(steps: readonly Step[], options: ClientOptions = {}) {
  const timing = virtualTime();
  const { fetch, seen } = service(...steps);
  return { client: new Sightline({ baseUrl: BASE, apiKey: KEY, fetch, timing, ...options }), seen, timing };
}
const domain = { domain: 'acme.example' };
const resource = { domain: 'acme.example', available: true };

export const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async 'a lookup sends path, query and key, and gives data; withResponse also what the headers say'() {
    const headers = {
      'x-credits-charged': '2',
      'x-credits-remaining': '98',
      'cache-status': 'sightline; fwd=uri-miss; stored',
      age: '3',
      'x-data-source': 'serp/x',
      'x-receipt': 'acc.1',
      'x-fields-unread': 'organic, paid.url',
    };
    const { client, seen } = start([found({ keyword: 'a b' }, headers)]);
    const call = client.searchengine.serp({ keyword: 'a b', depth: 20, device: undefined });
    equal((await call).keyword, 'a b');
    const { credits, cache, ageMs, source, requestId, receipt, unread } = await call.withResponse();
    equal(
      { credits, cache, ageMs, source, requestId, receipt, unread },
      {
        credits: { charged: 2, remaining: 98 },
        cache: 'miss',
        ageMs: 3000,
        source: 'serp/x',
        requestId: 'request-1',
        receipt: 'acc.1',
        unread: ['organic', 'paid.url'],
      },
    );
    equal(seen.length, 1);
    equal(seen[0]?.url.href, `${BASE}/v1/searchengine/serp?keyword=a+b&depth=20`);
    equal([seen[0]?.headers['x-api-key'], seen[0]?.credentials, seen[0]?.redirect], [KEY, 'omit', 'manual']);
  },

  async 'Cache-Status becomes hit, stale, collapsed or miss'() {
    for (const [field, word] of [
      ['sightline; hit; ttl=5', 'hit'],
      ['sightline; hit; ttl=-5', 'stale'],
      ['sightline; fwd=stale; fwd-status=502; ttl=-9', 'stale'],
      ['sightline; fwd=uri-miss; stored; collapsed', 'collapsed'],
      ['sightline; fwd=request', 'miss'],
    ] as const) {
      const { client } = start([found(resource, { 'cache-status': field })]);
      equal((await client.registration.domain(domain).withResponse()).cache, word, field);
    }
  },

  async 'path parameters are encoded; those that would change the path, and missing ones, are refused before anything is sent'() {
    const { client, seen } = start([found(resource)]);
    await client.registration.domain({ domain: 'a/b?c' });
    equal(seen[0]?.url.pathname, '/v1/website/whois/domains/a%2Fb%3Fc');
    for (const name of ['', '.', '..']) await errorOf(client.registration.domain({ domain: name }), 'INVALID_REQUEST');
    await errorOf(client.searchengine.serp({ keyword: '' }), 'INVALID_REQUEST');
    equal(seen.length, 1);
  },

  async 'a parameter or an option that there is not is refused by name, whatever the compiler was told, and nothing is sent'() {
    const { client, seen } = start([found({})]);
    // who writes JavaScript has no compiler that refuses it
    const calls = client as object as Record<string, Record<string, (input: object, options?: object) => PromiseLike<unknown>>>;
    const examples = {
      searchengine: ['serp', { keyword: 'a' }],
      registration: ['domain', { domain: 'a.example' }],
      appmarket: ['appstoreReviews', { handle: 'a' }],
      forum: ['search', { query: 'a' }],
    } as const;
    const wrong = ['contry', 'depht', 'maxCredit', 'max_credits', 'nocache', 'timeout', 'requestID', 'maxage', 'sort_by', 'x'];
    for (const [area, [method, input]] of Object.entries(examples))
      for (const name of wrong) {
        const call = calls[area]?.[method];
        if (!call) throw new Error(method);
        const refused = await errorOf(call({ ...input, [name]: 'DE' }), 'INVALID_REQUEST');
        equal(/^There is no parameter "(.+?)": only .+\.$/.exec(refused.message)?.[1], name, refused.message);
        const option = await errorOf(call(input, { [name]: 1 }), 'INVALID_REQUEST');
        equal(/^There is no option "(.+?)": only .+\.$/.exec(option.message)?.[1], name, option.message);
      }
    const all = client.forum.community.all({ community: 'a' }, { limt: 3 } as object);
    await errorOf(all.next(), 'INVALID_REQUEST');
    await errorOf(client.account.get({ maxCredit: 1 } as object), 'INVALID_REQUEST');
    await errorOf(client.account.price('serp', { keyword: 'a', contry: 'DE' } as { keyword: string }), 'INVALID_REQUEST');
    equal(seen.length, 0);
    // a value that is left out is no value
    await client.searchengine.serp({ keyword: 'a', contry: undefined } as { keyword: string }, { maxCredit: undefined } as object);
    equal(seen.length, 1);
    let thrown: unknown;
    try {
      new Sightline({ baseUrl: BASE, apikey: KEY } as object);
    } catch (error) {
      thrown = error;
    }
    equal(String(thrown), 'TypeError: There is no option "apikey".');
  },

  async 'a field with another name in the URL is sent under that name'() {
    const { client, seen } = start([found({})]);
    await client.appmarket.appstoreReviews({ handle: 'x', sort: 'newest' });
    await client.account.price('appstore-reviews', { handle: 'x', sort: 'newest' });
    equal([seen[0]?.url.search, seen[1]?.url.search], ['?sort_by=newest', '?operation=appstore-reviews&handle=x&sort_by=newest']);
  },

  async 'what the error table calls retryable is asked again, with full jitter; the rest is final'() {
    const { client, seen, timing } = start([failed(502, 'UPSTREAM_TIMEOUT'), failed(500, 'INTERNAL_ERROR'), lost, found(resource)]);
    await client.registration.domain(domain);
    equal(seen.length, 4);
    equal(
      timing.slept.filter((ms) => ms < 35_000),
      [125, 250, 500],
    );
    for (const [status, code] of [
      [404, 'NOT_FOUND'],
      [502, 'UPSTREAM_CHANGED'],
      [402, 'INSUFFICIENT_CREDITS'],
    ] as const) {
      const final = start([failed(status, code)]);
      const error = await errorOf(final.client.registration.domain(domain), code);
      equal([error.status, error.retryable, error.charged, final.seen.length], [status, false, 0, 1]);
    }
  },

  async 'no more retries than allowed'() {
    const { client, seen } = start([failed(503, 'OVERLOADED')], { maxRetries: 2 });
    const error = await errorOf(client.registration.domain(domain), 'OVERLOADED');
    equal([seen.length, error.retryable], [3, true]);
    await errorOf(client.registration.domain(domain, { maxRetries: 0 }), 'OVERLOADED');
    equal(seen.length, 4);
  },

  async 'Retry-After is obeyed, in seconds and as a date'() {
    const date = new Date(virtualTime().now() + 9_000).toUTCString();
    const { client, timing } = start([
      failed(429, 'RATE_LIMITED', { 'retry-after': '7' }),
      failed(503, 'UNAVAILABLE', { 'retry-after': date }),
      found(resource),
    ]);
    await client.registration.domain(domain);
    const [first = 0, second = 0] = timing.slept.filter((ms) => ms < 35_000);
    equal([first >= 7_000, first < 7_500, first + second >= 9_000], [true, true, true]);
  },

  async 'a wait beyond the deadline is not begun: the error says how long the service asked for'() {
    const { client, seen } = start([failed(502, 'UPSTREAM_RATE_LIMITED', { 'retry-after': '120' })]);
    const error = await errorOf(client.registration.domain(domain), 'UPSTREAM_RATE_LIMITED');
    equal([error.retryAfterMs, seen.length], [120_000, 1]);
  },

  async 'the deadline ends a call that hangs, retries and reading included'() {
    const { client, timing } = start([failed(502, 'UPSTREAM_TIMEOUT'), hanging]);
    const begun = timing.now();
    const error = await errorOf(client.registration.domain(domain, { deadlineMs: 5_000 }), 'DEADLINE_EXCEEDED');
    equal([timing.now() - begun, error.charged, error.retryable], [5_000, null, true]);
    const slowBody = start([() => ({ ...answer(200, resource), text: () => new Promise<string>(() => {}) })]);
    await errorOf(slowBody.client.registration.domain(domain), 'DEADLINE_EXCEEDED');
  },

  async 'without deadlineMs a call ends five seconds after the deadline of its operation, never before the service'() {
    for (const [ms, call] of [
      [125_000, (client: Sightline) => client.searchengine.serp({ keyword: 'x' })],
      [95_000, (client: Sightline) => client.forum.comments({ postId: 'x' })],
      [35_000, (client: Sightline) => client.registration.domain(domain)],
      [35_000, (client: Sightline) => client.lookup('traffic', domain)],
    ] as const) {
      const { client, timing } = start([hanging]);
      const begun = timing.now();
      await errorOf(call(client), 'DEADLINE_EXCEEDED');
      equal(timing.now() - begun, ms);
    }
  },

  async 'an answer larger than maxBytes is a clear error; the rest of it is not read'() {
    const part = new Uint8Array(1000).fill(32);
    let [read, cancelled] = [0, false];
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          read++;
          controller.enqueue(part);
        },
        cancel() {
          cancelled = true;
        },
      });
    // a stream takes real time, in which the virtual one would run to the deadline
    const { client, seen } = start([() => ({ ...answer(200, resource, { 'x-credits-charged': '1' }), body: endless() })], {
      maxBytes: 5000,
      timing: realTiming,
    });
    const error = await errorOf(client.registration.domain(domain), 'ANSWER_TOO_LARGE');
    equal([error.status, error.charged, error.retryable, seen.length], [200, 1, false, 1]);
    equal([read <= 8, cancelled, /larger than 5000 bytes.*maxBytes/.test(error.message)], [true, true, true]);
    const whole = start([() => ({ ...answer(200, ''), body: new Blob([JSON.stringify(resource)]).stream() })], { timing: realTiming });
    equal(await whole.client.registration.domain(domain), resource);
  },

  async 'a signal ends a call before it is sent, while it runs and while it waits'() {
    const early = start([found(resource)]);
    await errorOf(early.client.registration.domain(domain, { signal: AbortSignal.abort() }), 'ABORTED');
    equal(early.seen.length, 0);
    for (const step of [hanging, failed(503, 'OVERLOADED', { 'retry-after': '30' })]) {
      const { client, seen } = start([step]);
      const controller = new AbortController();
      const call = errorOf(client.registration.domain(domain, { signal: controller.signal }), 'ABORTED');
      while (seen.length === 0) await Promise.resolve();
      controller.abort();
      await call;
      equal(seen.length, 1);
    }
  },

  async 'a retry accepts what would have done when the call began, so that an answer that was lost is not bought twice'() {
    const cases = [
      [{}, 'max-stale=0', 'max-stale=11'],
      [{ noCache: true, staleIfError: 9 }, 'no-cache, stale-if-error=9, max-stale=0', 'max-age=11, stale-if-error=9, max-stale=11'],
      [{ maxAge: 10, staleIfError: 5 }, 'max-age=10, stale-if-error=5, max-stale=0', 'max-age=21, stale-if-error=5, max-stale=11'],
      [{ maxAge: 0, maxStale: 3 }, 'max-age=0, max-stale=3', 'max-age=11, max-stale=14'],
      [{ onlyIfCached: true }, 'only-if-cached, max-stale=0', 'only-if-cached, max-stale=11'],
    ] as const;
    for (const [options, first, second] of cases) {
      const { client, seen } = start([lost, found(resource)]);
      await client.registration.domain(domain, options);
      equal(
        seen.map(({ headers }) => headers['cache-control']),
        [first, second],
      );
      // nothing was charged: the retry asks for what the call asked for
      const refused = start([failed(503, 'OVERLOADED'), found(resource)]);
      await refused.client.registration.domain(domain, options);
      equal(
        refused.seen.map(({ headers }) => headers['cache-control']),
        [first, first],
      );
    }
  },

  async 'an error after an answer was lost does not claim that nothing was charged'() {
    const { client } = start([lost, failed(404, 'NOT_FOUND')]);
    equal((await errorOf(client.registration.domain(domain), 'NOT_FOUND')).charged, null);
    const cut = start([found('{"domain":"acme', { 'x-credits-charged': '1' }), failed(404, 'NOT_FOUND')]);
    equal((await errorOf(cut.client.registration.domain(domain), 'NOT_FOUND')).charged, null);
  },

  async 'answers that are not in the form of the service are errors: cut JSON, pages of a proxy, redirects, unknown codes'() {
    const page: Step = () => answer(200, '<html>', {});
    for (const [step, attempts] of [
      [found('{"domain":"acme'), 2],
      [page, 2],
      [() => ({ ...answer(200, resource), headers: { get: () => null } }), 2],
      [() => answer(502, '<html>Bad gateway</html>'), 2],
      [() => answer(302, ''), 1],
      [() => answer(0, ''), 1],
      [failed(418, 'TEAPOT'), 1],
      [() => answer(403, '{"error":"denied"}'), 1],
    ] as const) {
      const { client, seen } = start([step as Step], { maxRetries: 1 });
      await errorOf(client.registration.domain(domain), 'UNEXPECTED_ANSWER');
      equal(seen.length, attempts);
    }
  },

  async 'maxCredits and the request id are sent'() {
    const { client, seen } = start([found(resource)]);
    await client.registration.domain(domain, { maxCredits: 0, requestId: 'mine-1' });
    equal([seen[0]?.headers['x-max-credits'], seen[0]?.headers['x-request-id']], ['0', 'mine-1']);
  },

  async 'one token serves many calls, is renewed before it ends, and once after a 401'() {
    let tokens = 0;
    let revoked = '';
    const fetch: Step = ({ url, body, headers, method }) => {
      if (url.pathname !== '/v1/oauth/token')
        return headers.authorization === `Bearer ${revoked}` || !headers.authorization
          ? answer(401, { error: { code: 'UNAUTHORIZED', message: 'no' } })
          : answer(200, resource);
      equal([method, body], ['POST', 'grant_type=client_credentials&client_id=id&client_secret=s%26cret&scope=forum']);
      return answer(200, { access_token: `t${++tokens}`, token_type: 'Bearer', expires_in: 3600 });
    };
    const { client, seen, timing } = start([fetch], {
      apiKey: undefined,
      oauth: { clientId: 'id', clientSecret: 's&cret', scope: 'forum' },
    });
    await Promise.all(Array.from({ length: 20 }, () => client.registration.domain(domain)));
    equal(tokens, 1);
    await sleep(timing, 3_580_000);
    await Promise.all([client.registration.domain(domain), client.registration.domain(domain)]);
    equal(tokens, 2);
    revoked = 't2';
    await client.registration.domain(domain);
    equal(tokens, 3);
    equal(seen.at(-1)?.headers['x-api-key'], undefined);
  },

  async 'a client that the token endpoint refuses is an error of its code, and nothing is asked'() {
    const refusal = { error: 'invalid_client', error_description: 'Unknown client.' };
    const { client, seen } = start([() => answer(401, refusal)], { oauth: { clientId: 'id', clientSecret: 'hidden' } });
    const error = await errorOf(client.registration.domain(domain), 'UNAUTHORIZED');
    equal([error.message, seen.length], ['Unknown client.', 1]);
  },

  async 'apiKey null sends no credentials but cookies of the same origin'() {
    const { client, seen } = start([found(resource)], { apiKey: null, headers: { 'x-sightline-console': '1' } });
    await client.registration.domain(domain);
    const headers = seen[0]?.headers ?? {};
    equal(
      [headers['x-api-key'], headers.authorization, headers['x-sightline-console'], seen[0]?.credentials],
      [undefined, undefined, '1', 'same-origin'],
    );
  },

  async 'pages follow the cursor, and end at the limit and on the last page'() {
    const pages: Step = ({ url }) => {
      const after = Number(url.searchParams.get('after') ?? 0);
      return answer(200, { posts: [after, after + 1], after: String(after + 2), hasMore: after < 4 });
    };
    for (const [limit, entries, requests] of [
      [undefined, [0, 1, 2, 3, 4, 5], 3],
      [3, [0, 1, 2], 2],
      [2, [0, 1], 1],
      [0, [], 0],
    ] as const) {
      const { client, seen } = start([pages]);
      const got: unknown[] = [];
      for await (const post of client.forum.community.all({ community: 'x' }, { limit })) got.push(post);
      equal([got, seen.length], [entries, requests], `limit ${limit}`);
    }
  },

  async 'numbered pages follow the number, from the one asked for'() {
    const pages: Step = ({ url }) => {
      const page = Number(url.searchParams.get('page'));
      return answer(200, { reviews: [page], pagination: { currentPage: page, hasNextPage: page < 4, totalPages: 4 } });
    };
    const { client, seen } = start([pages]);
    const got: unknown[] = [];
    for await (const review of client.appmarket.reviews.all({ handle: 'x', page: 2 })) got.push(review);
    equal(
      [got, seen.map(({ url }) => url.searchParams.get('page'))],
      [
        [2, 3, 4],
        ['2', '3', '4'],
      ],
    );
  },

  async 'a cursor that does not move ends the iteration with an error'() {
    const stuck = start([found({ posts: [1], after: 'a', hasMore: true })]);
    const all = async (entries: AsyncIterable<unknown>) => {
      for await (const entry of entries) equal(typeof entry, 'number');
    };
    await errorOf(all(stuck.client.forum.community.all({ community: 'x' })), 'CURSOR_REPEATED');
    equal(stuck.seen.length, 2);
    const samePage = start([found({ apps: [1], pagination: { currentPage: 1, hasNextPage: true } })]);
    await errorOf(all(samePage.client.appmarket.keywords.all({ keyword: 'x' })), 'CURSOR_REPEATED');
    equal(samePage.seen.length, 2);
  },

  async 'entries of the account are iterated over pages of the size that was asked for'() {
    const { client, seen } = start([
      found({ entries: [1, 2], after: '5.0', hasMore: true }),
      found({ entries: [3], after: null, hasMore: false }),
    ]);
    const got: unknown[] = [];
    for await (const entry of client.account.ledger.all({ limit: 2 })) got.push(entry);
    equal(
      [got, seen.map(({ url }) => url.search)],
      [
        [1, 2, 3],
        ['?limit=2', '?limit=2&after=5.0'],
      ],
    );
  },

  async 'requests are listed over pages that may be empty, and one is explained by its id'() {
    const { client, seen } = start([
      found({ requests: [], after: '8', hasMore: true }),
      found({ requests: [1], after: null, hasMore: false }),
      found({ requestId: 'a/b' }),
    ]);
    const got: unknown[] = [];
    for await (const request of client.account.requests.all({ status: 502 })) got.push(request);
    equal((await client.account.request('a/b')).requestId, 'a/b');
    equal(
      [got, seen.map(({ url }) => `${url.pathname}${url.search}`)],
      [[1], ['/v1/account/requests?status=502', '/v1/account/requests?status=502&after=8', '/v1/account/requests/a%2Fb']],
    );
  },

  async 'credentials are in no error and not visible on the client'() {
    const { client } = start([lost]);
    const error = await errorOf(client.registration.domain(domain), 'CONNECTION_FAILED');
    const texts = [String(error), JSON.stringify(error), JSON.stringify(client), String(error.stack), String(error.cause)];
    equal(
      texts.some((text) => text.includes(KEY)),
      false,
    );
    for (const apiKey of ['sl_\nsecret', 'sl_sécret', ''])
      try {
        new Sightline({ baseUrl: BASE, apiKey });
        throw new Error('no TypeError');
      } catch (thrown) {
        equal([thrown instanceof TypeError, String(thrown).includes('cret')], [true, false]);
      }
  },

  async 'a wrong URL of the service is refused with what it must be'() {
    for (const baseUrl of ['', 'sightline.example', 'ftp://x', 'https://user:secret@x', 'https://x/?a=1', 'https://x/#a'])
      try {
        new Sightline({ baseUrl, apiKey: KEY });
        throw new Error('no TypeError');
      } catch (thrown) {
        equal([thrown instanceof TypeError, String(thrown).includes('secret')], [true, false], baseUrl);
      }
    const { client, seen } = start([found(resource)], { baseUrl: `${BASE}/below/` });
    await client.registration.domain(domain);
    equal(seen[0]?.url.pathname, '/below/v1/website/whois/domains/acme.example');
  },

  async 'a failure that is read through withResponse alone is no unhandled rejection'() {
    const { client } = start([failed(404, 'NOT_FOUND')]);
    const error: unknown = await client.registration
      .domain(domain)
      .withResponse()
      .catch((thrown: unknown) => thrown);
    equal(error instanceof SightlineError, true);
  },
};
