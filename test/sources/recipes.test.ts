import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { captureFilesIn } from '../../src/captures/capture-files.ts';
import { type Input, OPERATIONS } from '../../src/contract/operations/index.ts';
import { readSettings } from '../../src/settings.ts';
import { missingSettings } from '../../src/sources/availability.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { type KeyOf, recipeSource, relayOf, servesInput } from '../../src/sources/recipes/recipe-source.ts';
import { COVERAGE, describeRecipe, exampleOf, RECIPES, type Recipe } from '../../src/sources/recipes/recipes.ts';
import { demandExpressions, loadSources } from '../../src/sources/relay/connector.ts';
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
const inputOf = (recipe: Recipe): Input => {
  const read = OPERATIONS[recipe.operation].readInput(
    Object.entries(exampleOf(recipe).input).map(([name, value]) => [name, String(value)]),
  );
  assert.ok(read.ok, JSON.stringify(read));
  return read.value;
};
function open(recipe: Recipe, keyOf: KeyOf, reply: Reply) {
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
  const lookup = recipeSource(recipe, keyOf).open(ports)[recipe.operation] as Ask<Recipe['operation']>;
  const ask = (): Promise<Outcome> => lookup(inputOf(recipe) as never, { signal: new AbortController().signal, deadlineMs: 0 });
  return { requests, logged, ask };
}

/** Fields of a recipe's evidence: an address and the day of the copy that was read. */
const isEvidence = (value: unknown): boolean => {
  const { address, date } = value as { address?: unknown; date?: unknown };
  return typeof address === 'string' && address.startsWith('https://') && /^20\d\d-\d\d-\d\d$/.test(String(date));
};
const FIELDS = ['provider', 'site', 'variables', 'operation', 'serves', 'price', 'free', 'terms', 'answer', 'errors', 'relay', 'name'];

test('there is a recipe for each file, and its example beside it', () => {
  const files = readdirSync('recipes');
  assert.deepEqual(files.sort(), RECIPES.flatMap(({ name }) => [`${name}.example.json`, `${name}.json`]).sort());
  assert.ok(RECIPES.length > 0);
});

for (const recipe of RECIPES) {
  const { name } = recipe;
  const { answer, input, failures } = exampleOf(recipe);

  test(`${name}: every statement names the copy that was read, and what was not read is null`, () => {
    assert.deepEqual(Object.keys(recipe).sort(), [...FIELDS].sort());
    for (const statement of [recipe.price, recipe.free, recipe.terms, recipe.answer, recipe.errors])
      assert.ok(statement === null || isEvidence(statement), JSON.stringify(statement));
    for (const statement of [recipe.price, recipe.free]) assert.ok(statement === null || statement.text.length > 0);
    assert.ok(recipe.variables.length > 0 && recipe.variables.every((v) => /^[A-Z][A-Z0-9_]+$/.test(v.name) && v.about.length > 0));
    assert.ok(recipe.price === null || recipe.price.usdEach === null || recipe.price.usdEach > 0);
  });

  test(`${name}: the relay has a valid form, and asks over https without the key in what is shown`, async () => {
    const relay = await relayOf(recipe, () => KEY);
    await demandExpressions([relay]);
    assert.match(String(relay.url[0]), /^https:/);
    assert.ok(relay.reading.by === 'reader' || relay.reading.nothingWhen !== null || !OPERATIONS[recipe.operation].rows);
    assert.ok(relay.secrets.includes(KEY));
  });

  test(`${name}: the documented example gives the resource, with nothing unread and the fields of coverage.json`, async () => {
    const outcome = await mapAnswer(recipe, answer, input);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    assert.equal(outcome.unread, undefined);
    assert.deepEqual(COVERAGE[name], await coverageOf(recipe), 'run npm run generate');
    assert.ok(servesInput(recipe, inputOf(recipe)));
  });

  test(`${name}: each documented failure has its meaning, and shows no key`, async () => {
    assert.ok(failures.length > 0);
    for (const { status, body, tag } of failures) {
      const { ask, logged } = open(recipe, () => KEY, replyOf(status, body));
      const outcome = await ask();
      assert.equal(outcome.tag, tag, `${status} ${JSON.stringify(outcome)}`);
      assert.doesNotMatch(JSON.stringify([outcome, logged]), /5ecret/);
    }
  });

  test(`${name}: what is no answer of the provider is never sold`, async () => {
    for (const body of [{}, [], null, { error: 'quota' }, { message: 'Unauthorized' }, { success: false }, 'x'])
      for (const status of [200, 400, 401, 402, 403, 404, 429, 500, 503]) {
        const outcome = await open(recipe, () => KEY, replyOf(status, body)).ask();
        assert.ok(outcome.tag !== 'found' && outcome.tag !== 'absent', `${status} ${JSON.stringify(body)} gives ${outcome.tag}`);
      }
  });

  test(`${name}: the key is read at each request, and reaches the provider alone`, async () => {
    let key: string | undefined;
    const { ask, requests, logged } = open(recipe, () => key, replyOf(200, answer));
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

  test(`${name}: is in use only while its variables are set`, async () => {
    const names = recipe.variables.map((variable) => variable.name);
    const keys: Record<string, string> = {};
    const source = (await loadSources(readSettings({}), keys)).find(({ id }) => id === `recipe/${name}`);
    assert.ok(source);
    assert.deepEqual(missingSettings(source, readSettings({})), names);
    for (const variable of names) keys[variable] = KEY;
    assert.deepEqual(missingSettings(source, readSettings({})), []);
    assert.deepEqual(missingSettings(source, readSettings({ SIGHTLINE_SOURCES_OFF: `recipe/${name}` })), ['SIGHTLINE_SOURCES_OFF']);
  });
}

test('a capture of a request to a provider holds no key, wherever the recipe puts it', async (t) => {
  const folder = join(folderOf(t), 'captures');
  const { captures } = capturesIn(folder, readSettings({ SIGHTLINE_CAPTURE: 'all' }));
  t.after(() => captures.close(5_000));
  for (const recipe of RECIPES) {
    const { ask, requests } = open(recipe, () => KEY, replyOf(200, exampleOf(recipe).answer));
    await ask();
    const { method = 'GET', url = '', headers = {}, body = null, secrets = [] } = requests[0] ?? {};
    const answer = answerOf({ url, text: JSON.stringify({ echo: { url, headers, body } }) });
    const recording = captures.begin({ source: `recipe/${recipe.name}`, operation: recipe.operation, input: inputOf(recipe) });
    recording.record(exchangeOf([sentOf({ method, url, headers, body, answer })], { asked: { method, url, body }, secrets }));
    recording.end({ tag: 'changed', what: '' });
  }
  await captures.flush();
  assert.equal(captures.counts().written, RECIPES.length);
  for (const { file } of captureFilesIn(folder)) assert.doesNotMatch(gunzipSync(readFileSync(file)).toString(), /5ecret/);
});

test('what is shown of a recipe has price, allowance, variables and coverage, and no request', () => {
  for (const recipe of RECIPES) {
    const shown = describeRecipe(recipe);
    assert.ok(!('relay' in shown) && shown.coverage['organic.title'] === true && 'price' in shown && 'free' in shown);
  }
});

/** Every list of the answer without its entries: what a provider sends when it got a block page. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, emptied(field)]));
};
for (const recipe of RECIPES.filter(({ operation }) => operation === 'serp'))
  test(`${recipe.name}: an answer whose lists are empty is no empty ranking`, async () => {
    const { answer, input } = exampleOf(recipe);
    const outcome = await mapAnswer(recipe, emptied(answer), input);
    assert.equal(outcome.tag, 'changed', JSON.stringify(outcome));
  });
