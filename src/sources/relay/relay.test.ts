import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { readSettings, SettingError } from '../../settings.ts';
import type { Reply } from '../../upstream/answer.ts';
import type { HttpRequest } from '../../upstream/ports.ts';
import type { Outcome } from '../outcome.ts';
import type { Ports, Source } from '../source.ts';
import { parseRelays } from './config.ts';
import { relaySource, withRelays } from './connector.ts';
import { payloadOf } from './payload.ts';

const SECRET = 'k-5ecret/with slash';
const relay = (fields: Record<string, unknown> = {}) => ({
  name: 'provider',
  reader: 'microblog/graphql',
  url: 'https://api.provider.example/post?id={id}&url={url}',
  headers: { 'X-Api-Key': '$' + '{PROVIDER_KEY}' },
  pointer: '/payload/0',
  ...fields,
});
const read = (...relays: unknown[]) => parseRelays(JSON.stringify({ relays }), { PROVIDER_KEY: SECRET });
const post = (id: string) => ({
  data: {
    tweetResult: {
      result: {
        __typename: 'Tweet',
        rest_id: id,
        legacy: { full_text: 'Hello', created_at: 'Thu Apr 20 23:21:13 +0000 2023', favorite_count: 3 },
      },
    },
  },
});
const ID = '1801234567890123456';
const json = (body: unknown, status = 200): Reply => ({
  tag: 'answer',
  answer: { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: `https://x.example/${SECRET}`, atMs: 0 },
});

function open(source: Source, replies: Reply[]) {
  const asked: HttpRequest[] = [];
  const logged: string[] = [];
  const costs: [string, number][] = [];
  const ports = {
    paid: { cost: (source: string, usd: number) => void costs.push([source, usd]), capRefused: () => {} },
    settings: readSettings({}),
    clock: createManualClock(),
    http: {
      ask: async (request: HttpRequest) => {
        asked.push(request);
        return replies.shift() ?? { tag: 'unreachable', what: 'Away.', detail: `GET ${request.url} with ${SECRET}` };
      },
    },
    log: (_: string, message: string, facts: unknown) => void logged.push(`${message} ${JSON.stringify(facts)}`),
  } as unknown as Ports;
  const asks = source.open(ports);
  const ask = async (url: string): Promise<Outcome> => {
    const own = asks['microblog-post'];
    assert.ok(own);
    return own({ url }, { signal: new AbortController().signal, deadlineMs: 0 });
  };
  return { asked, logged, costs, ask };
}
const only = (relays: ReturnType<typeof read>): Source => {
  const [one] = relays;
  assert.ok(one);
  return relaySource(one);
};

test('the request has id, URL and the secret header, and the payload is parsed', async () => {
  const source = only(read(relay()));
  const { ask, asked } = open(source, [json({ payload: [post(ID)] })]);
  const outcome = await ask(`https://x.com/acme/status/${ID}`);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  assert.deepEqual((outcome.resource as { text: string }).text, 'Hello');
  const [request] = asked;
  assert.equal(request?.url, `https://api.provider.example/post?id=${ID}&url=${encodeURIComponent(`https://x.com/acme/status/${ID}`)}`);
  assert.equal(request?.headers?.['x-api-key'], SECRET);
  assert.equal(request?.named, true);
  assert.equal(request?.redirects, 0);
  assert.equal(source.id, 'relay/provider');
});
test('a payload of another post is changed', async () => {
  const { ask } = open(only(read(relay())), [json({ payload: [post('1801234567890123999')] })]);
  assert.equal((await ask(`https://x.com/acme/status/${ID}`)).tag, 'changed');
});
const cut = (reply: Reply): Reply =>
  reply.tag === 'answer' ? { ...reply, answer: { ...reply.answer, body: reply.answer.body.subarray(0, -3) } } : reply;
test('failures of the provider are never absent, except configured statuses', async () => {
  const wanted: [Reply, string][] = [
    [json({}, 401), 'refused'],
    [json({}, 402), 'refused'],
    [json({}, 404), 'changed'],
    [json({}, 451), 'changed'],
    [json({}, 410), 'absent'],
    [cut(json({ reason: 'gone' }, 410)), 'unreachable'],
    [cut(json({ payload: [post(ID)] })), 'unreachable'],
    [json({}, 429), 'limited'],
    [json({}, 503), 'unreachable'],
    [json({ payload: [] }), 'changed'],
    [json({ payload: [{ data: {} }] }), 'changed'],
    [json({ payload: [{ data: { tweetResult: {} } }] }), 'absent'],
  ];
  for (const [reply, tag] of wanted) {
    const { ask } = open(only(read(relay({ absentStatuses: [410] }))), [reply]);
    assert.equal((await ask(`https://x.com/acme/status/${ID}`)).tag, tag);
  }
});
test('each answered request of a relay is settled at its price, a lost one is not', async () => {
  const source = only(read(relay({ usdEach: 0.02 })));
  const { ask, costs } = open(source, [json({ payload: [post(ID)] }), json({}, 503)]);
  const url = `https://x.com/acme/status/${ID}`;
  const tags = [(await ask(url)).tag, (await ask(url)).tag, (await ask(url)).tag];
  assert.deepEqual(tags, ['found', 'unreachable', 'unreachable']);
  assert.deepEqual(costs, [
    [source.id, 0.02],
    [source.id, 0.02],
  ]);
});
test('no outcome and no log line contains a secret', async () => {
  const { ask, logged } = open(only(read(relay({ url: 'https://p.example/{id}?key=$' + '{PROVIDER_KEY}', maxRequestsPerDay: 1 }))), []);
  const url = `https://x.com/acme/status/${ID}`;
  const outcomes = [await ask(url), await ask(url)];
  assert.deepEqual(
    outcomes.map((o) => o.tag),
    ['unreachable', 'limited'],
  );
  const words = JSON.stringify(outcomes) + logged.join();
  assert.doesNotMatch(words, /k-5ecret|k-5ecret%2F/);
  assert.match(logged.join(), /maxRequestsPerDay/);
});
test('a string payload is parsed as a page', async () => {
  const item = { id: '7301234567890123456', desc: 'A', author: { uniqueId: 'acme' }, stats: { playCount: 5 }, video: { duration: 9 } };
  const page = `<html><script id="api-data" type="application/json">${JSON.stringify({ videoDetail: { statusCode: 0, itemInfo: { itemStruct: item } } })}</script></html>`;
  const source = only(read(relay({ reader: 'shortvideo/page', url: 'https://p.example/?u={url}', pointer: '/html' })));
  const asks = source.open({
    settings: readSettings({}),
    clock: createManualClock(),
    http: { ask: async () => json({ html: page }) },
    log: () => {},
  } as unknown as Ports);
  const outcome = await asks['short-video']?.(
    { url: 'https://www.tiktok.com/@acme/video/7301234567890123456' },
    { signal: new AbortController().signal, deadlineMs: 0 },
  );
  assert.ok(outcome?.tag === 'found', JSON.stringify(outcome));
  assert.equal(outcome.resource.metrics.views, 5);
});
test('a relay does not serve short links', () => {
  const source = only(read(relay()));
  assert.equal(source.serves?.('microblog-post', { url: 'https://t.co/AbC123xyz0' }), false);
  assert.equal(source.serves?.('microblog-post', { url: `https://x.com/i/status/${ID}` }), true);
});
test('relays come before or after the built-in sources', () => {
  const relays = read(relay({ name: 'a', place: 'last' }), relay({ name: 'b' }));
  const own = only(read(relay({ name: 'own' })));
  assert.deepEqual(
    withRelays([own], relays).map((s) => s.id),
    ['relay/b', 'relay/own', 'relay/a'],
  );
});
test('an invalid file is rejected with the path of the field, without secrets', () => {
  const wrong: [unknown, RegExp][] = [
    [relay({ name: 'No Good' }), /\/relays\/0\/name /],
    [relay({ reader: 'x/y' }), /\/relays\/0\/reader must be one of .*microblog\/graphql/],
    [relay({ url: 'ftp://p.example/{id}' }), /\/relays\/0\/url /],
    [relay({ url: 'https://{handle}.example/' }), /\/relays\/0\/url must name its host/],
    [relay({ url: 'https://p.example/{keyword}' }), /\/relays\/0\/url holds \{keyword\}, .*\{url\}, \{id\}/],
    [relay({ pointer: 'data' }), /\/relays\/0\/pointer /],
    [relay({ headers: { a: '$' + '{NOT_SET}' } }), /\/relays\/0\/headers\/a names the environment variable NOT_SET/],
    [relay({ place: 'middle' }), /\/relays\/0\/place /],
    [relay({ absentStatuses: [200] }), /\/relays\/0\/absentStatuses /],
    [relay({ usdEach: -1 }), /\/relays\/0\/usdEach /],
    [relay({ pionter: '/a' }), /\/relays\/0\/pionter is not known/],
    ['text', /\/relays\/0 must be an object/],
  ];
  for (const [fields, message] of wrong) {
    assert.throws(
      () => read(fields),
      (error: Error) => error instanceof SettingError && message.test(error.message) && !error.message.includes(SECRET),
      String(message),
    );
  }
  assert.throws(() => read(relay(), relay()), /given twice/);
  assert.throws(() => parseRelays('{', {}), /not JSON/);
});
test('JSON pointers follow RFC 6901', () => {
  const doc = { a: [{ 'b/c': 1, 'm~n': 2, '': 3 }] };
  const at = (pointer: string) => {
    const { reading } = read(relay({ pointer }))[0] ?? assert.fail();
    const payload = payloadOf(reading.by === 'reader' ? reading.pointer : ['no'], JSON.stringify(doc));
    return payload && JSON.parse(payload);
  };
  assert.deepEqual(
    [at(''), at('/a/0/b~1c'), at('/a/0/m~0n'), at('/a/0/'), at('/a/1'), at('/a/00'), at('/toString')],
    [doc, 1, 2, 3, null, null, null],
  );
  for (const wrong of ['a', '/~2']) assert.throws(() => at(wrong), /must be a JSON pointer/);
});
