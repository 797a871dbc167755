// Own process: it waits for processes that it starts.
// In the gate alone: packages of test/outside with a lock file of their own.
/** A real instance, from Debian's package searx, over a page on loopback. SIGHTLINE_TEST_REQUIRE=outside runs it where the package is installed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { searxng } from '../../src/sources/searchengine/searxng/source.ts';
import type { Ports } from '../../src/sources/source.ts';
import { until } from '../faults/service-process.ts';
import { freePort } from '../fleet/services.ts';
import { asked, type Input, lookup, sandboxPorts } from '../searchengine/fixture.ts';

const SEARX = '/usr/bin/searx-run';
const skip = !process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? 'SIGHTLINE_TEST_REQUIRE does not name "outside": an instance of SearXNG is started'
  : !existsSync(SEARX) && 'the Debian package searx is not installed';

/** The places of the engine's page: 25 of 24 results, because the third comes again at place 7; the fifth has a sealed link. */
const NAMES = Array.from({ length: 24 }, (_, i) => `site${i + 1}`);
const PLACES = [...NAMES.slice(0, 6), 'site3', ...NAMES.slice(6)];
const entryOf = (name: string): string =>
  `<div class="r"><a href="${name === 'site5' ? 'https://www.google.com/goto?url=CAESegHr' : `https://${name}.example/guide`}">About ${name}</a><p>Words.</p></div>`;
const pageOf = (page: number): string =>
  `<html><body>${(page === 0 ? PLACES.slice(0, 11) : PLACES.slice(1 + page * 10, 11 + page * 10)).map(entryOf).join('')}</body></html>`;

let engine: Server;
let folder: string;
const queries: URLSearchParams[] = [];
const instances: ChildProcess[] = [];

/** Starts an instance with one engine over the page. Returns its address. */
async function startInstance(engineName: string): Promise<string> {
  const port = await freePort();
  const { port: enginePort } = engine.address() as AddressInfo;
  const settings = {
    use_default_settings: false,
    general: { debug: false, instance_name: 'test', enable_stats: false },
    search: { safe_search: 0, autocomplete: '', default_lang: '', ban_time_on_fail: 0, max_ban_time_on_fail: 0 },
    server: {
      port,
      bind_address: '127.0.0.1',
      secret_key: 'for this test alone',
      base_url: false,
      image_proxy: false,
      method: 'GET',
      http_protocol_version: '1.0',
      default_http_headers: {},
    },
    ui: {
      static_path: '/usr/share/python3-searx/static',
      templates_path: '/usr/share/python3-searx/templates',
      default_theme: 'oscar',
      default_locale: '',
      theme_args: { oscar_style: 'logicodev' },
    },
    outgoing: { request_timeout: 5, useragent_suffix: '', pool_connections: 10, pool_maxsize: 10 },
    checker: { off_when_debug: true },
    engines: [
      {
        name: engineName,
        engine: 'xpath',
        shortcut: 'x',
        categories: 'general',
        paging: true,
        enable_http: true,
        first_page_num: 0,
        search_url: `http://127.0.0.1:${enginePort}/?q={query}&page={pageno}&lang={lang}`,
        results_xpath: '//div[@class="r"]',
        url_xpath: './/a/@href',
        title_xpath: './/a',
        content_xpath: './/p',
        timeout: 5,
      },
    ],
    locales: { en: 'English' },
    doi_resolvers: { 'oadoi.org': 'https://oadoi.org/' },
    default_doi_resolver: 'oadoi.org',
  };
  const file = join(folder, `${engineName}.yml`);
  // JSON is YAML
  writeFileSync(file, JSON.stringify(settings));
  const child = spawn(SEARX, {
    env: { PATH: process.env.PATH, SEARX_SETTINGS_PATH: file, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  instances.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  const url = `http://127.0.0.1:${port}`;
  await until('the instance answers', async () => {
    assert.equal(child.exitCode, null, said);
    return fetch(url).then(
      (r) => r.ok,
      () => false,
    );
  });
  return url;
}

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'sightline-searx-'));
  engine = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://engine');
    queries.push(searchParams);
    response.setHeader('content-type', 'text/html').end(pageOf(Number(searchParams.get('page'))));
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
});
after(async () => {
  if (skip) return;
  for (const child of instances) if (child.exitCode === null) await Promise.all([once(child, 'exit'), child.kill()]);
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(url: string, input: Input) {
  const { ports } = sandboxPorts({ SEARXNG_URL: url });
  const http: Ports['http'] = {
    async ask(request) {
      const reply = await fetch(request.url, { headers: request.headers ?? {} });
      const body = Buffer.from(await reply.arrayBuffer());
      return {
        tag: 'answer',
        answer: { status: reply.status, headers: Object.fromEntries(reply.headers), body, url: request.url, atMs: 0 },
      };
    },
  };
  return lookup(searxng, { ...ports, http }, input);
}

test('a real instance: ranks are the places on the engine’s page, and a lookup beyond its results names the depth that is answered', {
  skip,
}, async () => {
  const url = await startInstance('google');
  const twenty = await ask(url, asked('hills', { depth: 20 }));
  assert.ok(twenty.tag === 'found', JSON.stringify(twenty));
  assert.deepEqual(
    twenty.resource.organic.map(({ rank, domain }) => `${rank} ${domain}`),
    NAMES.slice(0, 20).flatMap((name, i) => (name === 'site5' ? [] : [`${i + 1} ${name}.example`])),
  );
  assert.deepEqual([twenty.delivered, twenty.unread], [20, ['organic.url']]);
  const thirty = await ask(url, asked('hills', { depth: 30 }));
  assert.ok(
    thirty.tag === 'changed' && /24 results/.test(thirty.what) && /depth of at most 24/.test(thirty.advice ?? ''),
    JSON.stringify(thirty),
  );
  const all = await ask(url, asked('hills', { depth: 24 }));
  assert.equal(all.tag === 'found' && all.delivered, 24);
  assert.ok(queries.every((query) => query.get('lang') === 'en'));
});

test('a real instance that has the engine switched off is named as that', { skip }, async () => {
  const outcome = await ask(await startInstance('another'), asked('hills'));
  assert.ok(outcome.tag === 'refused' && /switched off/.test(outcome.what), JSON.stringify(outcome));
});
