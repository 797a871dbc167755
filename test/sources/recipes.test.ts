import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { captureFilesIn } from '../../src/captures/capture-files.ts';
import type { ForumPostPage } from '../../src/contract/operations/forum.ts';
import { type Input, OPERATIONS, type OperationId } from '../../src/contract/operations/index.ts';
import type { MicroblogPost } from '../../src/contract/operations/microblog-post/operation.ts';
import { readSettings } from '../../src/settings.ts';
import { missingSettings } from '../../src/sources/availability.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { type KeyOf, recipeSource, relayOf, servesInput } from '../../src/sources/recipes/recipe-source.ts';
import { COVERAGE, describeRecipe, exampleOf, operationsIn, RECIPES, type Recipe } from '../../src/sources/recipes/recipes.ts';
import { demandExpressions, loadSources } from '../../src/sources/relay/connector.ts';
import { requestOf } from '../../src/sources/relay/request.ts';
import type { Ask, Ports } from '../../src/sources/source.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { coverageOf, mapAnswer } from '../../tools/recipe-coverage.ts';
import { answerOf, capturesIn, exchangeOf, folderOf, sentOf } from '../evidence/samples.ts';
import { createManualClock } from '../support/manual-clock.ts';

const KEY = 'k-5ecret/with slash';
const replyOf = (status: number, body: unknown): Reply => ({
  tag: 'answer',
  answer: { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: `https://x.example/?${KEY}`, atMs: 0 },
});
const inputOf = (recipe: Recipe, operation: OperationId): Input => {
  const read = OPERATIONS[operation].readInput(
    Object.entries(exampleOf(recipe, operation).input).map(([name, value]) => [name, String(value)]),
  );
  assert.ok(read.ok, JSON.stringify(read));
  return read.value;
};
function open(recipe: Recipe, operation: OperationId, keyOf: KeyOf, reply: Reply) {
  const requests: HttpRequest[] = [];
  const logged: string[] = [];
  const ports = {
    settings: readSettings({}),
    clock: createManualClock(),
    http: {
      ask: async (request: HttpRequest) => {
        requests.push(request);
        return reply;
      },
    },
    log: (_: string, message: string, facts: unknown) => void logged.push(`${message} ${JSON.stringify(facts)}`),
  } as unknown as Ports;
  const lookup = recipeSource(recipe, keyOf).open(ports)[operation] as Ask<OperationId>;
  const ask = (): Promise<Outcome> => lookup(inputOf(recipe, operation) as never, { signal: new AbortController().signal, deadlineMs: 0 });
  return { requests, logged, ask };
}

/** Fields of a recipe's evidence: an address and the day of the copy that was read. */
const isEvidence = (value: unknown): boolean => {
  const { address, date, copy = address } = value as { address?: unknown; date?: unknown; copy?: unknown };
  return [address, copy].every((one) => String(one).startsWith('https://')) && /^20\d\d-\d\d-\d\d$/.test(String(date));
};
const FIELDS = ['provider', 'site', 'variables', 'price', 'free', 'terms', 'errors', 'lookups', 'relay', 'name'];
/** Pages of others that hold copies of what providers say. */
const OTHERS = /^https:\/\/github\.com\/api-evangelist\//;
/** The answer without each of its members in turn, by the member's path. */
function lacking(value: unknown, path = ''): (readonly [path: string, rest: unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const rebuilt = (members: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? members.map(([, one]) => one) : Object.fromEntries(members);
  return entries.flatMap(([name, one]) => [
    [`${path}/${name}`, rebuilt(entries.filter(([other]) => other !== name))] as const,
    ...lacking(one, `${path}/${name}`).map(
      ([below, rest]) => [below, rebuilt(entries.map(([other, member]) => [other, other === name ? rest : member]))] as const,
    ),
  ]);
}
const LOOKUPS = RECIPES.flatMap((recipe) => operationsIn(recipe).map((operation) => ({ recipe, operation })));

test('there is a recipe for each file, and its example beside it', () => {
  const files = readdirSync('recipes');
  assert.deepEqual(files.sort(), RECIPES.flatMap(({ name }) => [`${name}.example.json`, `${name}.json`]).sort());
  assert.ok(RECIPES.length > 0);
});

for (const recipe of RECIPES) {
  const { name } = recipe;

  test(`${name}: every statement names the copy that was read, second-hand ones as such, and what was not read is null`, () => {
    assert.deepEqual(Object.keys(recipe).sort(), [...FIELDS].sort());
    assert.ok(operationsIn(recipe).length > 0);
    assert.deepEqual(Object.keys(recipe.lookups), operationsIn(recipe));
    const answers = Object.values(recipe.lookups).map(({ answer }) => answer);
    for (const statement of [recipe.price, recipe.free, recipe.terms, recipe.errors, ...answers]) {
      assert.ok(statement === null || isEvidence(statement), JSON.stringify(statement));
      assert.doesNotMatch(statement?.address ?? '', OTHERS, 'a copy by others stands in `copy`');
      assert.match(statement?.copy ?? 'https://github.com/api-evangelist/', OTHERS, 'another repository of others? add it here');
    }
    for (const statement of [recipe.price, recipe.free]) assert.ok(statement === null || statement.text.length > 0);
    assert.ok(recipe.variables.length > 0 && recipe.variables.every((v) => /^[A-Z][A-Z0-9_]+$/.test(v.name) && v.about.length > 0));
    assert.ok(recipe.price === null || recipe.price.usdEach === null || recipe.price.usdEach > 0);
  });

  test(`${name}: is in use only while its variables are set`, async () => {
    const names = recipe.variables.map((variable) => variable.name);
    const keys: Record<string, string> = {};
    const source = (await loadSources(readSettings({}), keys)).find(({ id }) => id === `recipe/${name}`);
    assert.ok(source);
    assert.deepEqual(source.operations, operationsIn(recipe));
    assert.deepEqual(missingSettings(source, readSettings({})), names);
    for (const variable of names) keys[variable] = KEY;
    assert.deepEqual(missingSettings(source, readSettings({})), []);
    assert.deepEqual(missingSettings(source, readSettings({ SIGHTLINE_SOURCES_OFF: `recipe/${name}` })), ['SIGHTLINE_SOURCES_OFF']);
  });
}

for (const { recipe, operation } of LOOKUPS) {
  const title = `${recipe.name}, ${operation}`;
  const { answer, failures } = exampleOf(recipe, operation);
  const openWith = (status: number, body: unknown) => open(recipe, operation, () => KEY, replyOf(status, body));

  test(`${title}: the relay has a valid form, and asks over https without the key in what is shown`, async () => {
    const relay = await relayOf(recipe, operation, () => KEY);
    await demandExpressions([relay]);
    assert.match(String(relay.url[0]), /^https:/);
    assert.ok(relay.reading.by === 'reader' || relay.reading.nothingWhen !== null || !OPERATIONS[operation].rows);
    assert.ok(relay.secrets.includes(KEY));
  });

  test(`${title}: the documented example gives the resource, with nothing unread and the fields of coverage.json`, async () => {
    const outcome = await mapAnswer(recipe, operation, answer);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    assert.equal(outcome.unread, undefined);
    assert.deepEqual(COVERAGE[recipe.name], await coverageOf(recipe), 'run npm run generate');
    assert.ok(servesInput(recipe, operation, inputOf(recipe, operation)));
  });

  test(`${title}: each documented failure has its meaning, and shows no key`, async () => {
    assert.ok(failures.length > 0);
    for (const { status, body, tag } of failures) {
      const { ask, logged } = openWith(status, body);
      const outcome = await ask();
      assert.equal(outcome.tag, tag, `${status} ${JSON.stringify(outcome)}`);
      assert.doesNotMatch(JSON.stringify([outcome, logged]), /5ecret/);
    }
  });

  test(`${title}: what is no answer of the provider is never sold`, async () => {
    for (const body of [{}, [], null, { error: 'quota' }, { message: 'Unauthorized' }, { success: false }, 'x', { data: null }, [{}]])
      for (const status of [200, 400, 401, 402, 403, 404, 429, 500, 503]) {
        const outcome = await openWith(status, body).ask();
        assert.ok(outcome.tag !== 'found' && outcome.tag !== 'absent', `${status} ${JSON.stringify(body)} gives ${outcome.tag}`);
      }
  });

  test(`${title}: the answer under another status, or about another thing, is never sold`, async () => {
    for (const status of [400, 403, 404, 429, 500]) {
      const { tag } = await openWith(status, answer).ask();
      assert.ok(tag !== 'found' && tag !== 'absent', `${status} gives ${tag}`);
    }
    if (!OPERATIONS[operation].parameters.some(({ parts }) => parts)) return;
    const other = JSON.parse(JSON.stringify(answer).replaceAll(/\d{19}/g, '7309999999999999999'));
    assert.equal((await openWith(200, other).ask()).tag, 'changed');
  });

  test(`${title}: an answer without any one of its parts is read as far as it goes, or is no answer`, async () => {
    const outcomes = await Promise.all(
      lacking(answer).map(async ([path, part]) => ({ path, ...(await mapAnswer(recipe, operation, part)) })),
    );
    for (const { tag, path } of outcomes) assert.ok(['found', 'changed', 'unreachable'].includes(tag), `without ${path}: ${tag}`);
    assert.ok(outcomes.filter(({ tag }) => tag === 'found').length > outcomes.length / 2, 'most parts may be missing');
  });

  test(`${title}: the key is read at each request, and reaches the provider alone`, async () => {
    let key: string | undefined;
    const { ask, requests, logged } = open(recipe, operation, () => key, replyOf(200, answer));
    assert.equal((await ask()).tag, 'refused');
    assert.equal(requests.length, 0);
    for (key of ['first-key-0001', 'second-key-0002']) {
      const outcome = await ask();
      assert.equal(outcome.tag, 'found', JSON.stringify(outcome));
      const request = requests.at(-1);
      assert.ok(JSON.stringify([request?.url, request?.headers, request?.body]).includes(key));
      assert.ok(request?.secrets?.includes(key));
      assert.equal(request?.redirects, 0);
      assert.ok(!JSON.stringify([outcome, logged]).includes(key));
    }
  });
}

test('a capture of a request to a provider holds no key, wherever the recipe puts it', async (t) => {
  const folder = join(folderOf(t), 'captures');
  const { captures } = capturesIn(folder, readSettings({ SIGHTLINE_CAPTURE: 'all' }));
  t.after(() => captures.close(5_000));
  for (const { recipe, operation } of LOOKUPS) {
    const { ask, requests } = open(recipe, operation, () => KEY, replyOf(200, exampleOf(recipe, operation).answer));
    await ask();
    const { method = 'GET', url = '', headers = {}, body = null, secrets = [] } = requests[0] ?? {};
    const answer = answerOf({ url, text: JSON.stringify({ echo: { url, headers, body } }) });
    const recording = captures.begin({ source: `recipe/${recipe.name}`, operation, input: inputOf(recipe, operation) });
    recording.record(exchangeOf([sentOf({ method, url, headers, body, answer })], { asked: { method, url, body }, secrets }));
    recording.end({ tag: 'changed', what: '' });
  }
  await captures.flush();
  assert.equal(captures.counts().written, LOOKUPS.length);
  for (const { file } of captureFilesIn(folder)) assert.doesNotMatch(gunzipSync(readFileSync(file)).toString(), /5ecret/);
});

test('what is shown of a recipe has price, allowance, variables and coverage, and no request', () => {
  for (const recipe of RECIPES) {
    const { lookups, ...shown } = describeRecipe(recipe);
    assert.ok(!('relay' in shown) && 'price' in shown && 'free' in shown);
    for (const lookup of Object.values(lookups)) assert.ok(!('relay' in lookup) && Object.values(lookup.coverage).includes(true));
  }
});

test('what a provider does not answer is not asked of it: communities of its own, orders, addresses without an id', () => {
  const served = (name: string, operation: OperationId, given: Record<string, string>): boolean => {
    const recipe = RECIPES.find((one) => one.name === name);
    const read = OPERATIONS[operation].readInput(Object.entries(given));
    assert.ok(recipe && read.ok);
    return servesInput(recipe, operation, read.value);
  };
  for (const name of ['konbiniapi', 'scrapecreators']) {
    for (const community of ['acmewidgets', 'allotment']) assert.ok(served(name, 'forum-community', { community, sort: 'new' }), community);
    for (const community of ['all', 'popular', 'u/hillwalker']) assert.ok(!served(name, 'forum-community', { community }), community);
    assert.ok(served(name, 'forum-search', { query: 'acme' }));
    assert.ok(!served(name, 'forum-search', { query: 'acme', community: 'acmewidgets' }));
  }
  assert.ok(!served('scrapecreators', 'forum-community', { community: 'acmewidgets', sort: 'top' }));
  for (const name of ['konbiniapi', 'brightdata-scraper']) {
    assert.ok(served(name, 'microblog-post', { url: 'https://x.com/i/status/1801234567890123456' }), name);
    assert.ok(!served(name, 'microblog-post', { url: 'https://t.co/AbC123xyz0' }), name);
  }
});

test('the first page is asked for without a cursor, a further one with it', async () => {
  const recipe = RECIPES.find(({ name }) => name === 'konbiniapi');
  assert.ok(recipe);
  const relay = await relayOf(recipe, 'forum-search', () => KEY);
  const urlOf = (input: object) => requestOf(relay, input as Input)?.url;
  assert.equal(
    urlOf({ query: 'a b', sort: 'new' }),
    'https://api.konbiniapi.com/v1/reddit/search/posts?q=a%20b&count=100&order=new&time=all',
  );
  assert.match(String(urlOf({ query: 'a', sort: 'new', after: 't3_1abc02' })), /&time=all&cursor=t3_1abc02$/);
});

/** A recipe's documented example of a post, changed, as it is read. */
async function changedPost(name: string, change: (answer: Record<string, unknown>) => void) {
  const recipe = RECIPES.find((one) => one.name === name);
  assert.ok(recipe);
  const answer = structuredClone(exampleOf(recipe, 'microblog-post').answer) as Record<string, unknown>;
  change(Array.isArray(answer) ? answer[0] : (answer.data ?? answer));
  const outcome = await mapAnswer(recipe, 'microblog-post', answer);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { post: outcome.resource as MicroblogPost, unread: outcome.unread };
}

test('texts of posts: short links that stay are unread, entities of markup are plain, a quote that is empty is not known', async () => {
  const read = async (name: string, change: (answer: Record<string, unknown>) => void) => {
    const { post, unread } = await changedPost(name, change);
    return { text: post.text, isQuote: post.isQuote, unread };
  };
  for (const [name, field] of [
    ['konbiniapi', 'content'],
    ['brightdata-scraper', 'description'],
  ] as const) {
    const cut = await read(name, (post) => Object.assign(post, { [field]: 'See https://t.co/zzz' }));
    assert.deepEqual([cut.text, cut.unread], [null, ['text']], name);
  }
  assert.equal((await read('brightdata-scraper', () => {})).text, 'The widget is out & about. #widgets');
  assert.equal((await read('brightdata-scraper', (post) => Object.assign(post, { quoted_post: { post_id: null } }))).isQuote, null);
});

test('media of which the file of each is not told apart, or is in another form, are unread, not missing without a word', async () => {
  const read = async (name: string, change: (answer: Record<string, unknown>) => void) => {
    const { post, unread } = await changedPost(name, change);
    return [post.media, unread];
  };
  const image = ['a', 'b'].map((name) => ({ type: 'Image', url: `https://pbs.example/${name}.jpg` }));
  const mixed = image.map(({ url }) => ({ url: null, thumbnailUrl: url }));
  assert.deepEqual(await read('konbiniapi', (post) => Object.assign(post, { image })), [mixed, ['media.url']]);
  const none = [[{ url: null, thumbnailUrl: null }], ['media.url', 'media.thumbnailUrl']];
  assert.deepEqual(await read('konbiniapi', (post) => Object.assign(post, { image: [] })), none);
  assert.deepEqual(await read('konbiniapi', (post) => Object.assign(post, { image, attachment: [] })), [
    image.map(({ url }) => ({ url, thumbnailUrl: url })),
    undefined,
  ]);
  const url = 'https://video.example/a.mp4';
  const film = (videos: unknown[]) => read('brightdata-scraper', (post) => Object.assign(post, { photos: null, videos }));
  assert.deepEqual(await film([url]), [[{ url, thumbnailUrl: null }], undefined]);
  assert.deepEqual(await film([{ source: url }]), [[{ url: null, thumbnailUrl: null }], ['media.url']]);
});

test('a promoted post is no post of a community', async () => {
  const recipe = RECIPES.find(({ name }) => name === 'konbiniapi');
  assert.ok(recipe);
  const answer = structuredClone(exampleOf(recipe, 'forum-community').answer) as { data: { orderedItems: Record<string, unknown>[] } };
  Object.assign(answer.data.orderedItems[0] ?? {}, { isSponsored: true });
  const outcome = await mapAnswer(recipe, 'forum-community', answer);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  assert.deepEqual(
    (outcome.resource as ForumPostPage).posts.map(({ postId }) => postId),
    ['1abc02'],
  );
});

/** Every list of the answer without its entries: what a provider sends when it got a block page. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, emptied(field)]));
};
for (const { recipe, operation } of LOOKUPS.filter((one) => OPERATIONS[one.operation].rows))
  test(`${recipe.name}, ${operation}: an answer whose lists are empty is no empty list`, async () => {
    const outcome = await mapAnswer(recipe, operation, emptied(exampleOf(recipe, operation).answer));
    assert.equal(outcome.tag, 'changed', JSON.stringify(outcome));
  });

test('a recipe whose provider repeats the search sells no ranking of another keyword, and takes the same one with other blanks', async () => {
  const places: Readonly<Record<string, string>> = {
    brightdata: 'general.query',
    serper: 'searchParameters.q',
    valueserp: 'search_parameters.q',
  };
  for (const [name, place] of Object.entries(places)) {
    const recipe = RECIPES.find((one) => one.name === name) as Recipe;
    const answered = async (keyword: string) => {
      const answer = structuredClone(exampleOf(recipe, 'serp').answer) as Record<string, Record<string, unknown>>;
      const [part = '', key = ''] = place.split('.');
      Object.assign(answer[part] ?? {}, { [key]: keyword });
      return (await open(recipe, 'serp', () => KEY, replyOf(200, answer)).ask()).tag;
    };
    const { keyword } = exampleOf(recipe, 'serp').input;
    assert.equal(await answered(String(keyword)), 'found', name);
    assert.equal(await answered(` ${String(keyword).replace(' ', '  ').toUpperCase()}`), 'found', name);
    assert.equal(await answered('another search'), 'changed', name);
  }
});
