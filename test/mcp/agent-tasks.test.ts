// In the gate alone: it runs the clients and the suite of the protocol.
/** Tasks as people give them to agents. The scripted agent knows the task and the results of its calls, nothing else. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Running } from '../end-to-end/service.ts';
import { type Agent, type Answered, connectWith, contentOf, errorIn, type Failed, type Sdk, startSandboxService } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startSandboxService({ SIGHTLINE_FREE_CREDITS: '100' });
});
after(() => service.stop());

interface Script {
  /** The data of an answer; fails on an error. */
  call<T>(name: string, args: Record<string, unknown>): Promise<T>;
  /** The whole structured answer. */
  whole(name: string, args: Record<string, unknown>): Promise<Answered>;
  /** The error of a call that must fail. */
  fails(name: string, args: Record<string, unknown>): Promise<Failed>;
  balance(): Promise<number>;
}
function scriptOf(agent: Agent): Script {
  const whole: Script['whole'] = async (name, args) => {
    const result = await agent.callTool({ name, arguments: args });
    assert.ok(!('isError' in result), JSON.stringify(result));
    return contentOf(result);
  };
  return {
    whole,
    call: async <T>(name: string, args: Record<string, unknown>) => (await whole(name, args)).data as T,
    fails: async (name, args) => errorIn(await agent.callTool({ name, arguments: args })),
    balance: async () => {
      const account = contentOf(await agent.callTool({ name: 'account', arguments: {} })) as unknown as { credits: { balance: number } };
      return account.credits.balance;
    },
  };
}

/** The task with the clients of both SDKs. `key`: of the account that pays. */
const task = (wanted: string, run: (script: Script) => Promise<void>, key = () => Promise.resolve(service.key)): void => {
  for (const sdk of ['v1', 'v2'] as Sdk[])
    test(`${wanted} (client ${sdk})`, async (t) => {
      const agent = await connectWith(sdk, { url: `${service.baseUrl}/mcp`, headers: { 'x-api-key': await key() } });
      t.after(() => agent.close());
      await run(scriptOf(agent));
    });
};

interface Ranked {
  readonly handle: string;
  readonly isSponsored: boolean;
  readonly position: number;
}
interface Review {
  readonly rating: number;
  readonly reviewContent: string;
}

task('Which apps rank for "reviews", and what do reviews of the best organic one complain about?', async ({ call, whole }) => {
  const { apps } = await call<{ apps: Ranked[] }>('app_keywords', { keyword: 'reviews' });
  assert.ok(apps[0]?.isSponsored, 'the first entry is an advertisement: an agent has to tell them apart');
  const [best] = apps.filter((app) => !app.isSponsored).sort((a, b) => a.position - b.position);
  assert.ok(best);
  assert.notEqual(best.handle, apps[0]?.handle);
  const complaints: string[] = [];
  let cursor: unknown;
  let credits = 0;
  do {
    const { data, call: facts } = await whole('app_reviews', { handle: best.handle, ...(cursor ? { cursor } : {}) });
    for (const { rating, reviewContent } of data.reviews as Review[]) if (rating <= 3 && reviewContent) complaints.push(reviewContent);
    credits += facts.credits;
    cursor = facts.nextCursor;
  } while (cursor);
  assert.ok(complaints.length > 0);
  assert.ok(credits <= 1, 'the parts of one answer cost once');
});

interface Registered {
  readonly available: boolean;
  readonly registrar: { readonly name: string } | null;
}
task('Is acme-widgets-free.com free, and who holds its neighbours?', async ({ call }) => {
  const holders: Record<string, string | null> = {};
  for (const domain of ['acme-widgets-free.com', 'acme-widgets.com', 'https://www.eberhard-messer.de/kontakt']) {
    const { available, registrar } = await call<Registered>('registration', { domain });
    assert.equal(available, domain === 'acme-widgets-free.com', domain);
    holders[domain] = registrar?.name ?? null;
  }
  assert.equal(holders['acme-widgets-free.com'], null);
  assert.equal(holders['acme-widgets.com'], 'Nordlicht Domains GmbH');
  assert.notEqual(holders['https://www.eberhard-messer.de/kontakt'], undefined);
});

interface Traffic {
  readonly visits: number | null;
  readonly visitsLow: number | null;
  readonly visitsHigh: number | null;
  readonly method: string;
}
task('Which of five competitors has most visits, and which cannot be compared?', async ({ call, fails }) => {
  const competitors = ['acme-widgets.com', 'ibisoptics.org', 'rivermillsoap.co', 'cobaltkettle.net'];
  const rows = [];
  for (const domain of competitors) {
    const { visits, visitsLow, visitsHigh, method } = await call<Traffic>('traffic', { domain });
    assert.ok(visits !== null && visitsLow !== null && visitsHigh !== null && visitsLow < visits && visits < visitsHigh, domain);
    assert.equal(method, 'model', 'an estimate says that it is one');
    rows.push({ domain, visits });
  }
  rows.sort((a, b) => b.visits - a.visits);
  assert.equal(rows[0]?.domain, 'cobaltkettle.net');
  const unknown = await fails('traffic', { domain: 'pinewoodaudio.com' });
  assert.deepEqual([unknown.code, unknown.retryable, unknown.charged], ['NOT_FOUND', false, 0]);
  assert.match(unknown.message, /pinewoodaudio\.com is in none of the rank lists/);
});

interface Post {
  readonly postId: string;
  readonly createdAt: string;
  readonly numComments: number;
}
task('What did people say about us in the last week?', async ({ call }) => {
  const { posts } = await call<{ posts: Post[] }>('forum_search', { query: 'acme', sort: 'new' });
  const newest = Math.max(...posts.map(({ createdAt }) => Date.parse(createdAt)));
  const recent = posts.filter(({ createdAt, numComments }) => newest - Date.parse(createdAt) < 7 * 86_400_000 && numComments > 0);
  assert.ok(recent.length > 0);
  const { comments, post } = await call<{ comments: { body: string }[]; post: Post }>('forum_comments', {
    postId: recent[0]?.postId ?? '',
  });
  assert.equal(post.postId, recent[0]?.postId);
  assert.ok(comments.some(({ body }) => body.length > 0));
});

task('What would the traffic of a domain cost? Then spend no more than that.', async ({ whole, fails, balance }) => {
  const domain = 'bluebirdlooms.com';
  const priceOf = async () =>
    (await whole('price', { operation: 'traffic', parameters: { domain } })) as unknown as { price: number; charge: number };
  const before = await balance();
  const { price, charge } = await priceOf();
  if (charge > 0) {
    const refused = await fails('traffic', { domain, maxCredits: price - 1 });
    assert.deepEqual([refused.code, refused.charged], ['INSUFFICIENT_CREDITS', 0]);
    assert.equal(await balance(), before, 'a refusal and a price cost nothing');
  }
  const { call: facts } = await whole('traffic', { domain, maxCredits: price });
  assert.equal(facts.credits, charge);
  assert.equal((await priceOf()).charge, 0, 'the answer is stored now: asked again it is free');
});

task('A wrong input is repaired from the text of the error alone.', async ({ fails, call }) => {
  const misspelt = await fails('forum_search', { qurey: 'acme', sort: 'new' });
  assert.equal(misspelt.code, 'INVALID_REQUEST');
  const [, names = ''] = /it takes ([\w, ]+)\./.exec(misspelt.message) ?? [];
  const meant = names.split(', ').find((name) => [...name].sort().join('') === [...'qurey'].sort().join(''));
  assert.equal(meant, 'query', misspelt.message);
  assert.ok((await call<{ posts: Post[] }>('forum_search', { [meant]: 'acme', sort: 'new' })).posts.length > 0);

  const tooShort = await fails('registration', { domain: 'acme-widgets' });
  const [, example = ''] = /such as ([\w.-]+)\.(?: |$)/.exec(tooShort.message) ?? [];
  assert.match(example, /^\w+\.\w+$/, tooShort.message);
  const suffix = example.slice(example.indexOf('.'));
  assert.equal((await call<Registered>('registration', { domain: `acme-widgets${suffix}` })).available, false);

  const noNumber = await fails('app_reviews', { handle: 'acme-reviews', page: 'two' });
  const [, least = ''] = /whole number from (\d+)/.exec(noNumber.message) ?? [];
  assert.ok((await call<{ reviews: Review[] }>('app_reviews', { handle: 'acme-reviews', page: Number(least) })).reviews.length > 0);
});

let poor = 0;
task(
  'The credits end in the middle: the agent says what it has, what is missing and why.',
  async ({ whole, fails, balance }) => {
    const wanted = ['never-1.com', 'never-2.com', 'never-3.com', 'never-4.com'].map((domain) => `${poor}-${domain}`);
    const answered: string[] = [];
    let refusal: Failed | null = null;
    for (const domain of wanted) {
      if (refusal) break;
      if ((await balance()) > 0) {
        const { call: facts } = await whole('registration', { domain });
        assert.equal(facts.credits, 1);
        answered.push(domain);
      } else refusal = await fails('registration', { domain });
    }
    assert.equal(answered.length, 2);
    assert.deepEqual([refusal?.code, refusal?.retryable, refusal?.charged], ['INSUFFICIENT_CREDITS', false, 0]);
    assert.match(refusal?.message ?? '', /credit/);
    assert.equal(await balance(), 0);
    // what was paid for stays readable without credits
    assert.equal((await whole('registration', { domain: answered[0] ?? '' })).call.credits, 0);
  },
  async () => {
    const { accountId } = await service.admin.createAccount({ name: `poor ${++poor}`, credits: 2 });
    return (await service.admin.createKey({ accountId, label: 'agent' })).key;
  },
);
