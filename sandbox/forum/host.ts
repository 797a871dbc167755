import { json, redirect, type SandboxArea, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { BLOCK_PAGES, blockedPage, blockPageOfPost, forbidden, noSuchCommunity, notFound, unauthorized } from './block-pages.ts';
import { discussionOf } from './discussion.ts';
import { communityOf, postFact } from './facts.ts';
import { foundPosts, pageOf, sortedPosts } from './pages.ts';
import { forumProvider } from './provider.ts';
import { type DiscussionServer, serveDiscussion } from './thread.ts';
import { commentThing, listing, postThing, type Thing, wireText } from './wire.ts';

/** The application credentials that the simulated platform accepts. */
export const DEMO_CLIENT = { id: 'demo', secret: 'demo-secret' };
const TOKEN_SECONDS = 3_600;
const WINDOW_MS = 600_000;
/** The rate limit of a large approved application, so that demos and tests are not slowed down. */
const ALLOWANCE = 10_000;
const STRANGER: Thing = {
  kind: 't5',
  data: { id: '9szzx', name: 't5_9szzx', display_name: 'elsewhere', title: 'A community among the posts' },
};

/** The simulated discussion platform: token endpoint and API. `tokenSeconds`: lifetime of a token. */
export function createForumHosts({ tokenSeconds = TOKEN_SECONDS, allowance = ALLOWANCE } = {}): readonly SandboxHost[] {
  const servers = new Map<string, DiscussionServer>();
  let window = { at: 0, used: 0 };

  const token = (request: SandboxRequest): SandboxResponse => {
    const [scheme, given] = (request.headers.authorization ?? '').split(' ');
    const expected = Buffer.from(`${DEMO_CLIENT.id}:${DEMO_CLIENT.secret}`).toString('base64');
    if (request.method !== 'POST' || scheme?.toLowerCase() !== 'basic' || given !== expected) return unauthorized();
    const form = new URLSearchParams(request.body);
    if (form.get('grant_type') !== 'client_credentials') return json({ error: 'unsupported_grant_type' }); // HTTP 200, as there
    // a token contains only its time of issue
    return json({ access_token: `demo-${request.at.toString(36)}`, token_type: 'bearer', expires_in: tokenSeconds, scope: '*' });
  };
  const knows = (request: SandboxRequest): boolean => {
    const made = /^bearer demo-([a-z0-9]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return made !== undefined && request.at < Number.parseInt(made, 36) + tokenSeconds * 1000;
  };

  const serverOf = (postId: string, day: number): DiscussionServer | null => {
    const post = postFact(postId, day);
    if (!post) return null;
    let server = servers.get(postId);
    if (!server) {
      const { comments, quirks } = discussionOf(post);
      const served = comments.map((c) => ({
        id: c.commentId,
        parentId: c.parentId,
        depth: c.depth,
        thing: (depth: number, replies: Thing | '') => commentThing(c, post, depth, replies),
      }));
      server = serveDiscussion(`t3_${postId}`, served, quirks);
      servers.set(postId, server);
    }
    return server;
  };

  /** The response of an API path: a body, or another response. */
  function api(path: string, query: URLSearchParams, day: number): { body: unknown } | SandboxResponse {
    const [head, name = '', ...rest] = path.split('/').filter(Boolean);
    if (head === 'comments') return discussion(name.toLowerCase(), rest[1], Number(query.get('limit') ?? 200), day);
    if (head === 'api' && name === 'morechildren') {
      const postId = (query.get('link_id') ?? '').replace(/^t3_/, '');
      const things = serverOf(postId, day)?.more((query.get('children') ?? '').split(','));
      return things ? { body: { json: { errors: [], data: { things } } } } : forbidden();
    }
    if (head === 'search') return found(query, null, day);
    if (head !== 'r') return notFound();
    const asked = name.toLowerCase();
    const blockPage = Object.hasOwn(BLOCK_PAGES, asked) ? BLOCK_PAGES[asked] : undefined;
    if (blockPage) return blockPage.answer();
    // a former name redirects to the current one
    if (name.toLowerCase() === 'acme_widgets_old') return redirect(`https://oauth.reddit.com/r/acmewidgets/${rest.join('/')}`, 301);
    const community = communityOf(name, day);
    if (!community && name !== 'all') return noSuchCommunity(name);
    if (rest[0] === 'search') return found(query, query.get('restrict_sr') ? name : null, day);
    if (!community) return notFound();
    const { sticky, posts } = sortedPosts(community, rest[0] ?? 'hot', query.get('t') ?? '', day);
    return { body: pageOf(posts, sticky, query, name.toLowerCase() === 'cobaltkettle' ? [STRANGER] : []) };
  }

  function found(query: URLSearchParams, community: string | null, day: number): { body: unknown } | SandboxResponse {
    const q = query.get('q') ?? '';
    if (/^https?:\/\/\S+$/.test(q)) return redirect(`https://oauth.reddit.com/submit?url=${encodeURIComponent(q)}`);
    return { body: pageOf(foundPosts(q, query.get('sort') ?? 'relevance', community, day), [], query) };
  }

  function discussion(postId: string, comment: string | undefined, limit: number, day: number): { body: unknown } | SandboxResponse {
    const blockPage = blockPageOfPost(postId);
    if (blockPage) return blockPage;
    const [post, server] = [postFact(postId, day), serverOf(postId, day)];
    if (!post || !server) return notFound();
    const most = Math.min(500, Math.max(1, limit || 200));
    return { body: [listing([postThing(post)], null, 1), comment ? server.at(comment, most) : server.first(most)] };
  }

  return [
    {
      origins: ['https://www.reddit.com', 'https://old.reddit.com'],
      // unauthenticated access except to the token endpoint was closed in 2026
      answer: (request) => (request.url.pathname === '/api/v1/access_token' ? token(request) : blockedPage()),
    },
    {
      origins: ['https://oauth.reddit.com'],
      answer(request) {
        if (!request.headers['user-agent']) return blockedPage();
        if (!knows(request)) return unauthorized();
        const at = Math.floor(request.at / WINDOW_MS) * WINDOW_MS;
        window = window.at === at ? { at, used: window.used + 1 } : { at, used: 1 };
        const left = allowance - window.used;
        const rate = {
          'x-ratelimit-used': String(window.used),
          'x-ratelimit-remaining': `${Math.max(0, left)}.0`,
          'x-ratelimit-reset': String(Math.ceil((at + WINDOW_MS - request.at) / 1000)),
        };
        if (left < 0) return json({ message: 'Too Many Requests', error: 429 }, 429, rate);
        const query = new URLSearchParams([...request.url.searchParams, ...new URLSearchParams(request.body)]);
        const answer = api(request.url.pathname.replace(/\.json$/, ''), query, request.day ?? 0);
        if ('status' in answer) return answer;
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=UTF-8', ...rate },
          body: wireText(answer.body, query.get('raw_json') === '1'),
        };
      },
    },
  ];
}
export const forumArea: SandboxArea = {
  hosts: [...createForumHosts(), forumProvider],
  settings: {
    REDDIT_CLIENT_ID: DEMO_CLIENT.id,
    REDDIT_CLIENT_SECRET: DEMO_CLIENT.secret,
    REDDIT_USER_AGENT: 'sightline-demo/1.0 (by /u/acmewidgets)',
  },
};
