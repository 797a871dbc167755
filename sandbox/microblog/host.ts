import { json, redirect, type SandboxArea, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { POSTS, type PostFact, postById, SPECIAL_POSTS, shortOf } from './facts.ts';
import { apiAnswer, embedAnswer, oembedAnswer, tombstone } from './wire.ts';

/** The bearer token that the simulated API accepts. */
export const DEMO_TOKEN = 'demo-x-token';
const PROBLEMS = 'https://api.twitter.com/2/problems';
const WINDOW_MS = 900_000;

const orphan = (): PostFact | undefined => (POSTS[0] ? { ...POSTS[0], id: SPECIAL_POSTS.orphan } : undefined);
const problem = (id: string, title: string, detail: string, kind: string) => ({
  errors: [{ value: id, detail, title, resource_type: 'tweet', parameter: 'id', resource_id: id, type: `${PROBLEMS}/${kind}` }],
});
/** The API's responses for a missing post: HTTP 200 with errors and no data. */
function apiProblem(id: string) {
  if (id === SPECIAL_POSTS.protected)
    return problem(
      id,
      'Authorization Error',
      `Sorry, you are not authorized to see the Tweet with id: [${id}].`,
      'not-authorized-for-resource',
    );
  if (id === SPECIAL_POSTS.suspended) return problem(id, 'Forbidden', 'User has been suspended: [2000001].', 'resource-not-found');
  return problem(id, 'Not Found Error', `Could not find tweet with id: [${id}].`, 'resource-not-found');
}
/** The rate limit window is a quarter of an hour; for `limited` it is always exhausted. */
function rate(at: number, left: number): Record<string, string> {
  const reset = String((Math.floor(at / WINDOW_MS) + 1) * (WINDOW_MS / 1000));
  return { 'x-rate-limit-limit': '300', 'x-rate-limit-remaining': String(left), 'x-rate-limit-reset': reset };
}
function answerApi({ url, headers, at }: SandboxRequest): SandboxResponse {
  const id = /^\/2\/tweets\/(\d{1,20})$/.exec(url.pathname)?.[1];
  if (headers.authorization !== `Bearer ${DEMO_TOKEN}`)
    return json({ title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' }, 401);
  if (!id) return json({ title: 'Not Found', type: 'about:blank', status: 404, detail: 'Not Found' }, 404);
  if (id === SPECIAL_POSTS.limited)
    return json({ title: 'Too Many Requests', detail: 'Too Many Requests', type: 'about:blank', status: 429 }, 429, rate(at, 0));
  const parentGone = id === SPECIAL_POSTS.orphan;
  const post = parentGone ? orphan() : postById(id);
  if (!post) return json(apiProblem(id), 200, rate(at, 299));
  const answer = apiAnswer(post, parentGone);
  // the default response contains id and text only; other fields are returned if requested
  const wanted = new Set((url.searchParams.get('tweet.fields') ?? '').split(','));
  const data = Object.fromEntries(
    Object.entries(answer.data).filter(([name]) => ['id', 'text', 'edit_history_tweet_ids'].includes(name) || wanted.has(name)),
  );
  return json({ ...answer, data, ...(url.searchParams.has('expansions') ? {} : { includes: undefined }) }, 200, rate(at, 299));
}

const TOMBSTONES: Readonly<Record<string, string>> = {
  [SPECIAL_POSTS.deleted]: 'This Post was deleted by the Post author.',
  [SPECIAL_POSTS.suspended]: 'This Post is from a suspended account.',
  [SPECIAL_POSTS.protected]: "You're unable to view this Post because this account owner limits who can view their Posts.",
  [SPECIAL_POSTS.ageRestricted]:
    'Age-restricted adult content. This content might not be appropriate for people under 18 years old. To view this media, you’ll need to log in to X.',
  [SPECIAL_POSTS.withheld]: 'This Post has been withheld in response to a report from the copyright holder.',
};
function answerEmbeds({ url, at }: SandboxRequest): SandboxResponse {
  if (url.pathname === '/robots.txt') return { status: 404, body: '' };
  const id = url.searchParams.get('id') ?? '';
  if (url.pathname !== '/tweet-result' || !url.searchParams.get('token')) return { status: 404, body: '' };
  if (id === SPECIAL_POSTS.limited) return { status: 429, headers: { 'x-rate-limit-reset': String(Math.ceil(at / 1000) + 60) }, body: '' };
  if (id === SPECIAL_POSTS.blank) return json({});
  const words = TOMBSTONES[id];
  if (words) return json(tombstone(words));
  const post = id === SPECIAL_POSTS.orphan ? orphan() : postById(id);
  return post ? json(embedAnswer(post)) : { status: 404, body: '' };
}

function answerPublisher({ url }: SandboxRequest): SandboxResponse {
  if (url.pathname !== '/oembed') return { status: 404, body: '' };
  if (url.searchParams.get('format') === 'xml') return json({ errors: [{ code: 356, message: 'xml not implemented' }] }, 400);
  const id = /\/status\/(\d+)/.exec(url.searchParams.get('url') ?? '')?.[1] ?? '';
  if (id === SPECIAL_POSTS.protected) return json({ error: 'Sorry, you are not authorized to see this status.' }, 403);
  if (id === SPECIAL_POSTS.limited) return { status: 429, body: '' };
  const hidden = id === SPECIAL_POSTS.hidden && POSTS[0] ? { ...POSTS[0], id } : undefined;
  const post = hidden ?? (id === SPECIAL_POSTS.orphan ? orphan() : postById(id));
  return post ? json(oembedAnswer(post)) : { status: 404, body: '' };
}

/** A short link of the platform to a post. */
export const shortLinkTo = (p: PostFact): string => shortOf(`post ${p.id}`);
function answerShort({ url }: SandboxRequest): SandboxResponse {
  if (url.pathname === '/robots.txt') return { status: 404, body: '' };
  const post = POSTS.find((p) => shortLinkTo(p) === `https://t.co${url.pathname}`);
  if (post) return redirect(`https://x.com/${post.handle}/status/${post.id}?s=20`, 301);
  return url.pathname.startsWith('/away') ? redirect('https://elsewhere.example/page', 301) : { status: 404, body: '' };
}

/** The microblog: its API, the endpoint of embedded posts, oEmbed, and its short links. */
export const microblogApi: SandboxHost = { origins: ['https://api.x.com'], answer: answerApi };
export const microblogEmbeds: SandboxHost = { origins: ['https://cdn.syndication.twimg.com'], answer: answerEmbeds };
export const microblogPublisher: SandboxHost = { origins: ['https://publish.x.com'], answer: answerPublisher };
export const microblogLinks: SandboxHost = { origins: ['https://t.co'], answer: answerShort };
export const microblogArea: SandboxArea = {
  hosts: [microblogApi, microblogEmbeds, microblogPublisher, microblogLinks],
  settings: { X_BEARER_TOKEN: DEMO_TOKEN },
};
