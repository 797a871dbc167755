import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_DATAFORSEO, DEMO_SERPAPI_KEY } from '../../sandbox/searchengine/providers.ts';
import { SEARXNG_ORIGIN } from '../../sandbox/searchengine/searxng.ts';
import { dataforseo } from '../../src/sources/searchengine/dataforseo/source.ts';
import { searxng } from '../../src/sources/searchengine/searxng/source.ts';
import { serpapi } from '../../src/sources/searchengine/serpapi/source.ts';
import { asked, lookup, sandboxPorts } from './fixture.ts';

const ALL = {
  DATAFORSEO_LOGIN: DEMO_DATAFORSEO.login,
  DATAFORSEO_PASSWORD: DEMO_DATAFORSEO.password,
  SERPAPI_KEY: DEMO_SERPAPI_KEY,
  SEARXNG_URL: SEARXNG_ORIGIN,
};

test('a source is not asked for a region or a language that its provider documents not to have', () => {
  const serves = (source: typeof serpapi, more: Parameters<typeof asked>[1]) => source.serves?.('serp', asked('x', more));
  for (const location of ['US', 'GB', 'DE', 'AQ']) assert.equal(serves(serpapi, { location }), true, location);
  for (const location of ['SS', 'CW', 'MF']) assert.equal(serves(serpapi, { location }), false, location);
  for (const language of ['en', 'he', 'zh', 'pt', 'nb', 'nn', 'jv']) assert.equal(serves(serpapi, { language }), true, language);
  for (const language of ['ab', 'av']) assert.equal(serves(serpapi, { language }), false, language);
  const bing = (location: string, language: string) => serves(serpapi, { engine: 'engine_b', location, language });
  assert.deepEqual(
    [bing('US', 'en'), bing('NO', 'nb'), bing('PT', 'pt'), bing('DE', 'de'), bing('DE', 'fr'), bing('GR', 'el')],
    [true, true, true, true, false, false],
  );
  for (const engine of ['engine_a', 'engine_b'] as const)
    for (const [location, is] of [
      ['RU', false],
      ['BY', false],
      ['UA', true],
    ] as const)
      assert.equal(serves(dataforseo, { engine, location }), is, `${engine} ${location}`);
});

test('a provider that refuses a region or a language says so as such; another invalid field is a fault of the request', async () => {
  for (const [field, lacking] of [
    ['location_code', true],
    ['language_code', true],
    ['language_name', true],
    ['keyword', false],
  ] as const) {
    const { ports, requests } = sandboxPorts(ALL, ({ url }) =>
      url.includes('dataforseo')
        ? {
            status: 200,
            body: JSON.stringify({
              status_code: 20000,
              tasks: [{ status_code: 40501, status_message: `Invalid Field: '${field}'.`, cost: 0, result: null }],
            }),
          }
        : null,
    );
    const opened = dataforseo.open(ports);
    const source = { ...dataforseo, open: () => opened };
    const outcome = await lookup(source, ports, asked('x', { location: 'AQ' }));
    assert.ok(outcome.tag === 'refused');
    assert.equal(outcome.notServed, lacking || undefined, field);
    await lookup(source, ports, asked('y', { location: 'AQ' }));
    assert.equal(requests.length, lacking ? 1 : 2, 'a region that was refused is not asked for again');
  }
});

test('a refusal of the provider whose tables are known is the same', async () => {
  for (const [status, error, lacking] of [
    [400, 'Unsupported `zz` country - gl parameter.', true],
    [400, 'Unsupported `xx` interface language - hl parameter.', true],
    [200, 'Unsupported `xx-YY` market - mkt parameter.', true],
    [400, 'Missing query `q` parameter.', false],
  ] as const) {
    const { ports, requests } = sandboxPorts(ALL, ({ url }) =>
      url.includes('serpapi') ? { status, body: JSON.stringify({ search_metadata: { status: 'Error' }, error }) } : null,
    );
    const opened = serpapi.open(ports);
    const source = { ...serpapi, open: () => opened };
    const outcome = await lookup(source, ports, asked('x'));
    assert.ok(outcome.tag === 'refused', JSON.stringify(outcome));
    assert.equal(outcome.notServed, lacking || undefined, error);
    await lookup(source, ports, asked('y'));
    assert.equal(requests.length, lacking ? 1 : 2, error);
  }
});

test('engine B is asked for a market or for a country, never for both', async () => {
  const queryOf = async (location: string, language: string) => {
    const { ports, requests } = sandboxPorts(ALL);
    await lookup(serpapi, ports, asked('running shoes', { engine: 'engine_b', location, language }));
    const { searchParams } = new URL(requests[0]?.url ?? '');
    return [searchParams.get('mkt'), searchParams.get('cc')];
  };
  assert.deepEqual(await queryOf('DE', 'de'), ['de-de', null]);
  assert.deepEqual(await queryOf('NO', 'nb'), ['no-no', null]);
  assert.deepEqual(await queryOf('PT', 'pt'), [null, 'PT']);
});

test('an instance is asked without a country for engine A, which would list the documents of that country alone', async () => {
  const { ports, requests } = sandboxPorts(ALL);
  await lookup(searxng, ports, asked('running shoes'));
  await lookup(searxng, ports, asked('running shoes', { engine: 'engine_b' }));
  assert.deepEqual(
    requests.map(({ url }) => new URL(url).searchParams.get('language')),
    ['en', 'en-US'],
  );
  const serves = (location: string, language: string) => searxng.serves?.('serp', asked('x', { location, language }));
  // without a country the instance takes that of the language
  assert.deepEqual([serves('US', 'en'), serves('DE', 'de'), serves('GB', 'en'), serves('AT', 'de')], [true, true, false, false]);
});
