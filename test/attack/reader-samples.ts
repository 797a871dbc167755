import { LEAVES } from '../../sandbox/appmarket/categories.ts';
import { appmarket } from '../../sandbox/appmarket/host.ts';
import { SANDBOX_NOW } from '../../sandbox/competitors.ts';
import { discussionOf } from '../../sandbox/forum/discussion.ts';
import { EXAMPLE_POST as FORUM_POST, postFact } from '../../sandbox/forum/facts.ts';
import { commentThing, listing, moreThing, postThing, type Thing } from '../../sandbox/forum/wire.ts';
import type { SandboxHost, SandboxRequest, SandboxResponse } from '../../sandbox/host.ts';
import { EXAMPLE_POST, POSTS } from '../../sandbox/microblog/facts.ts';
import { apiAnswer, embedAnswer, oembedAnswer } from '../../sandbox/microblog/wire.ts';
import { RDAP_HOSTS } from '../../sandbox/registration/rdap.ts';
import { WHOIS_HOSTS } from '../../sandbox/registration/whois.ts';
import { bingPage } from '../../sandbox/searchengine/bing.ts';
import { serpOf } from '../../sandbox/searchengine/facts.ts';
import { googlePage } from '../../sandbox/searchengine/google.ts';
import { DEMO_DATAFORSEO, DEMO_SERPAPI_KEY, dataforseoAnswer } from '../../sandbox/searchengine/providers.ts';
import { searxngAnswer } from '../../sandbox/searchengine/searxng.ts';
import { serpapiAnswer } from '../../sandbox/searchengine/serpapi.ts';
import { VIDEOS } from '../../sandbox/shortvideo/facts.ts';
import { shortVideoSite } from '../../sandbox/shortvideo/host.ts';
import { DEMO_PANEL_KEY, panel, tranco } from '../../sandbox/traffic/hosts.ts';

/** A valid answer that a reader parses: the starting point of the growth tests. */
export interface Sample {
  readonly reader: string;
  readonly input: object;
  readonly url: string;
  readonly text: string;
}

function given<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('the simulated world lacks what a sample is made of');
  return value;
}
const request = (url: string, headers: Record<string, string> = {}, body = ''): SandboxRequest => ({
  method: body ? 'POST' : 'GET',
  url: new URL(url),
  headers,
  body,
  at: SANDBOX_NOW,
});
const textOf = (response: SandboxResponse): string => String(response.body);
async function asked(hosts: readonly SandboxHost[], url: string, headers: Record<string, string> = {}): Promise<string> {
  const host = given(hosts.find((one) => one.origins.includes(new URL(url).origin)));
  return textOf(await host.answer(request(url, headers)));
}

const serp = { keyword: 'linen sheets', location: 'US', language: 'en', device: 'desktop', depth: 10 };
const googleSerp = { ...serp, engine: 'engine_a' };
const bingSerp = { ...serp, engine: 'engine_b' };

function thread(): string {
  const post = given(postFact(FORUM_POST));
  const [first, second] = discussionOf(post).comments;
  const reply = commentThing({ ...given(second), parentId: `t1_${given(first).commentId}` }, post, 1, '');
  const replies = listing([reply, moreThing(`t1_${given(first).commentId}`, ['zz1', 'zz2'], 2, 1)]);
  const comments: Thing[] = [commentThing(given(first), post, 0, replies), moreThing(`t3_${FORUM_POST}`, ['zz3'], 1, 0)];
  return JSON.stringify([listing([postThing(post)]), listing(comments)]);
}
function graphql(): string {
  const post = given(POSTS[0]);
  const { data, includes } = apiAnswer(post) as unknown as { data: { text: string }; includes: { media?: unknown[] } };
  const legacy = {
    id_str: post.id,
    full_text: `${data.text} https://t.co/abc`,
    created_at: 'Wed Oct 10 20:19:24 +0000 2018',
    lang: 'en',
    conversation_id_str: post.id,
    is_quote_status: false,
    entities: {
      hashtags: [{ text: 'one', indices: [0, 4] }],
      urls: [{ url: 'https://t.co/abc', expanded_url: 'https://a.example/x?utm_source=y', display_url: 'a.example/x', indices: [0, 9] }],
    },
    extended_entities: { media: [{ type: 'photo', url: 'https://t.co/pic', media_url_https: 'https://pbs.example/a.jpg' }] },
    favorite_count: 1,
    media: includes?.media,
  };
  const user = { core: { screen_name: 'acme', name: 'Acme' }, avatar: { image_url: 'https://pbs.example/b.jpg' }, is_blue_verified: true };
  const note = { is_expandable: true, note_tweet_results: { result: { text: data.text, entity_set: { hashtags: [], urls: [] } } } };
  const core = { user_results: { result: user } };
  return JSON.stringify({ data: { tweetResult: { result: { __typename: 'Tweet', rest_id: post.id, core, legacy, note_tweet: note } } } });
}

/** One answer per reader; some readers have several, for their other layouts. */
export async function samples(): Promise<readonly Sample[]> {
  const video = given(VIDEOS[0]);
  const app = 'https://apps.shopify.com';
  const market = (path: string) => asked([appmarket], `${app}${path}`);
  const login = Buffer.from(`${DEMO_DATAFORSEO.login}:${DEMO_DATAFORSEO.password}`).toString('base64');
  const task = JSON.stringify([{ keyword: serp.keyword, location_code: 2840, language_code: 'en', device: 'desktop', depth: 10 }]);
  const dataforseo = dataforseoAnswer(
    request('https://api.dataforseo.com/v3/serp/google/organic/live/advanced', { authorization: `Basic ${login}` }, task),
  );
  const searxng = 'https://searx.sandbox.example/search?q=linen+sheets&format=json&engines=google&language=en-US';
  const leaf = given(LEAVES[0]).handle;
  const serpapi = `https://serpapi.com/search.json?engine=google&q=linen+sheets&gl=us&hl=en&api_key=${DEMO_SERPAPI_KEY}`;
  const whois = (host: string, query: string) => given(WHOIS_HOSTS.find((one) => one.host === host)).answer(query, SANDBOX_NOW);
  const oembedUrl = `https://www.tiktok.com/oembed?url=${encodeURIComponent(`https://www.tiktok.com/@${video.handle}/video/${video.id}`)}`;
  const videoInput = { url: `https://www.tiktok.com/@${video.handle}/video/${video.id}` };
  const post = given(POSTS.find((one) => one.id === EXAMPLE_POST) ?? POSTS[0]);
  const postInput = { url: `https://x.com/i/status/${post.id}` };
  const panelUrl =
    'https://api.similarweb.com/v5/website-analysis/websites/traffic-and-engagement?domain=acme-widgets.com&metrics=visits&granularity=monthly&start_date=2026-05&end_date=2026-10&country=ww';
  const earlierPanel = {
    meta: { request: { domain: 'acme-widgets.com' }, status: 'Success' },
    visits: [
      { date: '2026-09-01', visits: 1100 },
      { date: '2026-10-01', visits: 1204 },
    ],
  };
  const forumPost = postThing(given(postFact(FORUM_POST)));
  const of = (reader: string, input: object, url: string, text: string): Sample => ({ reader, input, url, text });
  return [
    of('appmarket/app', { handle: 'acme-reviews' }, `${app}/acme-reviews`, await market('/acme-reviews')),
    of(
      'appmarket/reviews',
      { handle: 'acme-reviews', page: 1, sort: 'relevance' },
      `${app}/acme-reviews/reviews`,
      await market('/acme-reviews/reviews'),
    ),
    of('appmarket/search', { keyword: 'reviews', page: 1 }, `${app}/search?q=reviews`, await market('/search?q=reviews')),
    of('appmarket/developer', { handle: 'acme-widgets' }, `${app}/partners/acme-widgets`, await market('/partners/acme-widgets')),
    of('appmarket/category', { handle: leaf, page: 1 }, `${app}/categories/${leaf}/all`, await market(`/categories/${leaf}/all`)),
    of('forum/thread', { postId: FORUM_POST }, 'https://oauth.reddit.com/comments/x?raw_json=1', thread()),
    of(
      'forum/listing',
      { community: 'acmewidgets', sort: 'hot' },
      'https://oauth.reddit.com/r/x/hot',
      JSON.stringify(listing([forumPost])),
    ),
    of('forum/search', { query: 'shoes', sort: 'new' }, 'https://oauth.reddit.com/search?raw_json=1', JSON.stringify(listing([forumPost]))),
    of('shortvideo/page', videoInput, videoInput.url, await asked([shortVideoSite], videoInput.url)),
    of('shortvideo/oembed', videoInput, oembedUrl, await asked([shortVideoSite], oembedUrl)),
    of('microblog/api', postInput, `https://api.x.com/2/tweets/${post.id}`, JSON.stringify(apiAnswer(post))),
    of('microblog/syndication', postInput, 'https://cdn.syndication.twimg.com/tweet-result', JSON.stringify(embedAnswer(post))),
    of('microblog/graphql', { url: `https://x.com/i/status/${given(POSTS[0]).id}` }, '', graphql()),
    of('microblog/oembed', postInput, 'https://publish.x.com/oembed', JSON.stringify(oembedAnswer(post))),
    of('registration/rdap', { domain: 'acme-widgets.com' }, 'https://rdap.verisign.com/com/v1/domain/acme-widgets.com', await rdap()),
    of(
      'registration/whois',
      { domain: 'acme-widgets.com' },
      'whois://whois.verisign-grs.com',
      String(await whois('whois.verisign-grs.com', 'domain acme-widgets.com')),
    ),
    of(
      'registration/whois',
      { domain: 'dunmorecycles.co.uk' },
      'whois://whois.nic.uk',
      String(await whois('whois.nic.uk', 'dunmorecycles.co.uk')),
    ),
    of('registration/whois', { domain: 'kumotea.jp' }, 'whois://whois.jprs.jp', String(await whois('whois.jprs.jp', 'kumotea.jp'))),
    of('traffic/similarweb-v5', { domain: 'acme-widgets.com' }, panelUrl, await asked([panel], panelUrl, { 'api-key': DEMO_PANEL_KEY })),
    of('traffic/similarweb', { domain: 'acme-widgets.com' }, 'https://api.similarweb.com/v1/website/', JSON.stringify(earlierPanel)),
    of(
      'traffic/crux',
      { domain: 'acme-widgets.com' },
      'https://crux.example/',
      'origin,rank\nhttps://www.acme-widgets.com,50000\nhttps://other.org,1000\n',
    ),
    of(
      'traffic/tranco',
      { domain: 'acme-widgets.com' },
      'https://tranco-list.eu/api/ranks/domain/acme-widgets.com',
      await asked([tranco], 'https://tranco-list.eu/api/ranks/domain/acme-widgets.com'),
    ),
    of('serp/google-page', googleSerp, 'https://www.google.com/search?q=linen+sheets', googlePage(serpOf(serp.keyword, 'a'), 0, 'desktop')),
    of('serp/google-page', googleSerp, 'https://www.google.com/search?q=linen+sheets', googlePage(serpOf(serp.keyword, 'a'), 0, 'plain')),
    of('serp/bing-page', bingSerp, 'https://www.bing.com/search?q=linen+sheets', bingPage(serpOf(serp.keyword, 'b'), 0)),
    of('serp/dataforseo', googleSerp, 'https://api.dataforseo.com/', textOf(dataforseo)),
    of('serp/serpapi', googleSerp, 'https://serpapi.com/', textOf(serpapiAnswer(request(serpapi)))),
    of('serp/searxng', googleSerp, 'https://searx.sandbox.example/', textOf(searxngAnswer(request(searxng)))),
  ];

  async function rdap(): Promise<string> {
    const origin = given(RDAP_HOSTS[1]?.origins[0]);
    for (const one of RDAP_HOSTS[1]?.origins ?? []) {
      for (const path of [
        '/com/v1/domain/acme-widgets.com',
        '/domain/acme-widgets.com',
        '/v1/domain/acme-widgets.com',
        '/rdap/domain/acme-widgets.com',
      ]) {
        const text = await asked(RDAP_HOSTS, `${one}${path}`);
        if (text.includes('"ldhName"')) return text;
      }
    }
    throw new Error(`no RDAP record at ${origin}`);
  }
}
