import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Input, OperationId } from '../../src/contract/operations/index.ts';
import { readSettings } from '../../src/settings.ts';
import { challengeIn } from '../../src/sources/challenge.ts';
import { READERS, SOURCES } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { browserSource } from '../../src/sources/searchengine/page/source.ts';
import type { Ask, Ports, Source } from '../../src/sources/source.ts';
import type { Answer, Reply } from '../../src/upstream/answer.ts';
import { exampleInput } from '../support/example-input.ts';
import { CHALLENGES, EMPTY, FOREIGN } from '../support/foreign-answers.ts';
import { createManualClock } from '../support/manual-clock.ts';

const STATUSES = [200, 404, 429, 503] as const;
const bytes = (body: string): Uint8Array => new TextEncoder().encode(body);
const told = (outcome: Outcome): string => (outcome.tag === 'found' ? 'found' : `${outcome.tag}: ${outcome.what} (${outcome.detail})`);

/** Whether the outcome states a fact: for an unregistered name or an empty list a wrong `found` is as harmful as a wrong `absent`. */
const isSold = (outcome: Outcome): boolean => outcome.tag === 'found' || outcome.tag === 'absent';

describe('parsers, as in `sightline parse`', () => {
  for (const [name, entry] of Object.entries(READERS)) {
    const answer = (body: string, status: number): Answer => ({
      status,
      headers: { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' },
      body: bytes(body),
      url: '',
      atMs: 0,
    });
    test(`${name}: a challenge, a consent page and an empty script page are blocked under every status`, async () => {
      const read = await entry.load();
      for (const [kind, body] of Object.entries(CHALLENGES))
        for (const status of STATUSES) {
          const outcome = read(answer(body, status), exampleInput(entry.operation));
          assert.equal(outcome.tag, 'blocked', `${kind} under ${status}: ${told(outcome)}`);
        }
    });
    test(`${name}: an answer that states nothing is neither found nor absent`, async () => {
      const read = await entry.load();
      for (const [kind, body] of Object.entries(EMPTY))
        for (const status of name === 'registration/whois' ? [200] : [200, 400, 401, 403, 404, 410, 451]) {
          const outcome = read(answer(body, status), exampleInput(entry.operation));
          assert.ok(!isSold(outcome), `${kind} under ${status}: ${told(outcome)}`);
        }
    });
    // a WHOIS text has no status
    test(`${name}: a body that does not come from the platform is neither found nor absent`, async () => {
      const read = await entry.load();
      for (const [kind, body] of Object.entries(FOREIGN))
        for (const status of name === 'registration/whois' ? [200] : [404, 410, 451, 429, 500, 503]) {
          const outcome = read(answer(body, status), exampleInput(entry.operation));
          assert.ok(!isSold(outcome), `${kind} under ${status}: ${told(outcome)}`);
          if (
            (status === 404 || status === 451 || (status === 410 && name !== 'registration/rdap')) &&
            // a WHOIS text has no status; an RDAP 404 may be a free name: its body decides, see below
            !(name.startsWith('registration') && status !== 451)
          )
            assert.ok(['changed', 'blocked'].includes(outcome.tag), `${kind} under ${status}: ${told(outcome)}`);
        }
    });
  }
});

describe("the platforms' own responses for missing resources", () => {
  const own: readonly (readonly [reader: string, status: number, body: string])[] = [
    ['forum/listing', 404, '{"message": "Not Found", "error": 404}'],
    ['forum/search', 404, '{"reason": "banned", "message": "Not Found", "error": 404}'],
    ['forum/thread', 403, '{"reason": "private", "message": "Forbidden", "error": 403}'],
    ['forum/thread', 451, '{"reason": "legal", "message": "Unavailable For Legal Reasons", "error": 451}'],
    [
      'microblog/api',
      200,
      '{"errors":[{"title":"Not Found Error","type":"https://api.twitter.com/2/problems/resource-not-found","detail":"Could not find tweet."}]}',
    ],
    ['microblog/syndication', 404, '{"errors":[{"code":144,"message":"No status found with that ID."}]}'],
    ['microblog/oembed', 404, '{"errors":[{"code":144,"message":"No status found with that ID."}]}'],
    ['microblog/graphql', 200, '{"data":{"tweetResult":{"result":{"__typename":"TweetUnavailable","reason":"Suspended"}}}}'],
    ['shortvideo/page', 200, '{"statusCode":10217,"statusMsg":"item is deleted"}'],
    ['shortvideo/oembed', 400, '{"code":400,"message":"Something went wrong"}'],
    ...['app', 'reviews', 'developer', 'category', 'search'].map(
      (kind) =>
        [
          `appmarket/${kind}`,
          404,
          '<html><head><title>404 | Shopify App Store</title></head><body><main><h1>Sorry, we couldn’t find that page</h1></main></body></html>',
        ] as const,
    ),
    [
      'traffic/similarweb',
      404,
      '{"meta":{"request":{"domain":"example.com"},"status":"Error","error_code":401,"error_message":"Data not found"}}',
    ],
    ['traffic/similarweb-v5', 401, '{"meta":{"status":"Error","error_code":401,"error_message":"Data not found"}}'],
    ['traffic/tranco', 200, '{"domain":"acme-widgets.com","ranks":[]}'],
    ['traffic/crux', 200, 'origin,rank\nhttps://other.example,1000\n'],
  ];
  for (const [reader, status, body] of own)
    test(`${reader}: ${status} ${body.slice(0, 60)} is absent`, async () => {
      const entry = READERS[reader] ?? assert.fail();
      const outcome = (await entry.load())({ status, headers: {}, body: bytes(body), url: '', atMs: 0 }, exampleInput(entry.operation));
      assert.equal(outcome.tag, 'absent', told(outcome));
    });
  test('registration/rdap: an RDAP error object, and an empty body of the RDAP media type, are a free name', async () => {
    const read = (await READERS['registration/rdap']?.load()) ?? assert.fail();
    const rdap = { 'content-type': 'application/rdap+json' };
    for (const [body, headers] of [
      ['{"errorCode":404}', {}],
      ['{"rdapConformance":["rdap_level_0"]}', {}],
      ['', rdap],
    ] as const) {
      const outcome = read({ status: 404, headers, body: bytes(body), url: '', atMs: 0 }, { domain: 'example.com' });
      assert.ok(outcome.tag === 'found' && (outcome.resource as { available: boolean }).available, told(outcome));
    }
  });
});

describe('sources, as requested by a lookup', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-negatives-'));
  after(() => rmSync(dataDir, { recursive: true }));
  const settings = readSettings({
    SIGHTLINE_DATA_DIR: dataDir,
    X_BEARER_TOKEN: 'x',
    REDDIT_CLIENT_ID: 'x',
    REDDIT_CLIENT_SECRET: 'x',
    DATAFORSEO_LOGIN: 'x',
    DATAFORSEO_PASSWORD: 'x',
    SERPAPI_KEY: 'x',
    SEARXNG_URL: 'https://searxng.example/',
    SIMILARWEB_API_KEY: 'x',
  });
  /** Ports for which every URL except robots.txt, the token and the bootstrap file returns the same document. */
  function portsAnswering(status: number, body: string, headers: Record<string, string>): Ports {
    const clock = createManualClock();
    const reply = (url: string, own = status, text = body): Reply => ({
      tag: 'answer',
      answer: { status: own, headers: own === status ? headers : {}, body: bytes(text), url, atMs: clock.now() },
    });
    return {
      settings,
      http: {
        async ask({ url }) {
          if (url.endsWith('/robots.txt')) return reply(url, 404, '');
          if (url.endsWith('/access_token')) return reply(url, 200, '{"access_token":"abc","expires_in":3600}');
          if (url.startsWith('https://data.iana.org/')) return reply(url, 503, '');
          return reply(url);
        },
      },
      whois: { ask: async ({ host }) => reply(`whois://${host}`, 200) },
      pace: { take: async () => 0, rest: async () => undefined, resting: async () => 0 },
      clock,
      random: () => 0.5,
      log() {},
    };
  }
  const shown = browserSource((ports) => ({
    open: async () => ({
      visit: (url) => ports.http.ask({ url, attempt: { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY } }),
      close: async () => undefined,
    }),
  }));
  const sources: readonly Source[] = [...SOURCES.filter((s) => s.id !== shown.id), shown];

  for (const source of sources)
    for (const operation of source.operations) {
      const input = exampleInput(operation) as Input;
      const ask = async (status: number, body: string, headers: Record<string, string> = {}): Promise<Outcome> => {
        const ports = portsAnswering(status, body, headers);
        const own = source.open(ports)[operation] as Ask<OperationId> | undefined;
        return own ? own(input, { signal: new AbortController().signal, deadlineMs: ports.clock.now() + 60_000 }) : assert.fail();
      };
      test(`${source.id}, ${operation}: a challenge of any kind is blocked under every status`, async () => {
        for (const [kind, body] of Object.entries(CHALLENGES))
          for (const status of source.id === 'registration/whois' ? [200] : STATUSES) {
            const outcome = await ask(status, body);
            assert.equal(outcome.tag, 'blocked', `${kind} under ${status}: ${told(outcome)}`);
          }
      });
      test(`${source.id}, ${operation}: answers that state nothing are neither found nor absent`, async () => {
        for (const [kind, body] of Object.entries(EMPTY))
          for (const status of [200, 404]) {
            const outcome = await ask(status, body);
            assert.ok(!isSold(outcome), `${kind} under ${status}: ${told(outcome)}`);
          }
      });
      test(`${source.id}, ${operation}: JSON whose transfer was cut is not a new form of the platform`, async () => {
        if (source.id === 'registration/whois') return;
        for (const status of [200, 404]) {
          const outcome = await ask(status, '{"data":{"items":[{"id":"1","name":"A');
          assert.ok(!isSold(outcome) && outcome.tag !== 'changed', `under ${status}: ${told(outcome)}`);
        }
      });
      test(`${source.id}, ${operation}: a 402 with a price for crawlers is blocked, and the message states the price`, async () => {
        const priced = await ask(402, '<html><h1>Payment Required</h1></html>', { 'crawler-price': 'USD 0.01' });
        if (source.id === 'registration/whois') return;
        assert.ok(priced.tag === 'blocked' && priced.what.includes('USD 0.01'), told(priced));
      });
      test(`${source.id}, ${operation}: a 404 or 451 that does not come from the platform is not absent`, async () => {
        for (const [kind, body] of Object.entries(FOREIGN))
          for (const status of [404, 451]) {
            const outcome = await ask(status, body);
            assert.ok(!isSold(outcome), `${kind} under ${status}: ${told(outcome)}`);
          }
      });
    }
});

test('pages with content of their own are no challenge, whatever words they contain', () => {
  const long = '<p>An ordinary page has some text of its own that a reader came for.</p>'.repeat(30);
  const pages = [
    `<title>just a moment - Search</title><script>var a=1</script><h1>Just a moment</h1>${long}`,
    `<title>Reviews</title><p>window._cf_chl_opt id="challenge-form" captcha-delivery.com</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>${long}`,
    `<title>Contact</title><form><div class="g-recaptcha"></div></form>${long}`,
    '<title>Video</title><div id="app"></div><script id="__DATA__" type="application/json">{"a":"_cf_chl_opt, captcha-delivery.com"}</script>',
    '<title>captcha - Search</title><a href="/search?q=captcha&start=10">2</a><p>Your search - <em>captcha</em> - did not match any documents.</p>',
    '<title>javascript - Search</title><form action="/search"><input name="q" value="javascript"></form><p>Your search - javascript browser - did not match any documents.</p>',
    `<title>Tea</title><noscript>Enable JavaScript in your browser.</noscript>${long}`,
    '{"title":"Just a moment...","text":"_cf_chl_opt"}',
    'Domain Name: just-a-moment.example\r\nRegistrar: Attention Required!',
  ];
  for (const body of pages)
    assert.equal(challengeIn({ status: 200, headers: {}, body: bytes(body), url: '', atMs: 0 }), null, body.slice(0, 80));
});
test('a challenge is recognised by headers and URLs if not by its body', () => {
  const of = (headers: Record<string, string>, url = ''): string | null =>
    challengeIn({ status: 403, headers, body: bytes(''), url, atMs: 0 });
  assert.equal(of({ 'cf-mitigated': 'challenge' }), 'challenge');
  assert.equal(of({ 'x-amzn-waf-action': 'captcha' }), 'challenge');
  assert.equal(of({ location: 'https://www.google.com/sorry/index?continue=x' }), 'challenge');
  assert.equal(of({ location: 'https://consent.google.com/ml?continue=x' }), 'consent');
  assert.equal(of({}, 'https://consent.google.com/ml'), 'consent');
  assert.equal(of({ server: 'cloudflare' }), null);
});
