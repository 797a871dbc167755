/** The documentation as files: contents, links, marks of code, weight, and what Find answers. */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as cheerio from 'cheerio';
import { Compile } from 'typebox/schema';
import { GUIDES } from '../../src/console/app/guides.ts';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { camelCase, operationList } from '../../src/contract/operations/index.ts';
import { SETTINGS } from '../../src/settings.ts';
import { BODIES } from '../../tools/docs/bodies.ts';
import { type Find, type Index, indexOf, search } from '../../tools/docs/browser/find.ts';
import { buildDocs } from '../../tools/docs/build.ts';
import { ACTS } from '../../tools/docs/find-entries.ts';
import { ABOUT, guideGroups, OTHERS } from '../../tools/docs/guides.ts';
import { lookupAt } from '../../tools/docs/lookups.ts';
import { description } from '../../tools/docs/openapi.ts';
import { type Files, makeSite } from '../../tools/docs/site.ts';
import { DATA } from './markdown.ts';

const ROOT = process.cwd();
let files: Files;
let index: Index;
const pages = new Map<string, cheerio.CheerioAPI>();

before(async () => {
  files = await makeSite(ROOT, '../console');
  for (const [path, content] of files) if (path.endsWith('.html')) pages.set(path, cheerio.load(textOf(content)));
  const [script] = [...files].find(([path]) => path.startsWith('assets/find-')) ?? [];
  index = indexOf(JSON.parse(textOf(files.get(script ?? '') ?? '').replace('globalThis.sightlineFind=', '')) as Find);
});
const textOf = (content: string | { readonly copyOf: string }): string =>
  typeof content === 'string' ? content : readFileSync(content.copyOf, 'utf8');

test('Find of the console knows the guides by the names and pages of the documentation, all but those about the project itself', () => {
  const ofReaders = guideGroups(ROOT).filter(({ name }) => name !== ABOUT && name !== OTHERS);
  assert.deepEqual(
    GUIDES.map(([page, name]) => [page, name]),
    ofReaders.flatMap(({ guides }) => guides.map(({ page, name }) => [page, name])),
  );
});

test('every page of docs/ has a place in the contents, and every place a page', () => {
  const groups = guideGroups(ROOT);
  const named = groups.flatMap(({ guides }) => guides.map(({ file }) => file));
  assert.ok(
    !groups.some(({ name }) => name === OTHERS),
    `give it a name in tools/docs/guides.ts: ${groups.at(-1)?.guides.map((g) => g.file)}`,
  );
  assert.equal(new Set(named).size, named.length);
  for (const file of [...named, ...globSync('docs/*.md')]) assert.ok(existsSync(file) && named.includes(file), file);
  for (const $ of pages.values()) assert.equal($('h1').length, 1);
});

test('every link inside the site leads to a page and to an anchor of it, and every address of a page is its own', () => {
  const wrong: string[] = [];
  let links = 0;
  for (const [path, $] of pages) {
    const ids = $('[id]')
      .toArray()
      .map((each) => $(each).attr('id') ?? '');
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`${path}: two elements have the id ${id}`);
    for (const each of $('[href], [src]').toArray()) {
      const target = $(each).attr('href') ?? $(each).attr('src') ?? '';
      if (/^(?:https?:|mailto:|data:)/.test(target) || target.includes('../console')) continue;
      links++;
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : normalize(join(dirname(path), file, file.endsWith('/') ? 'index.html' : ''));
      if (!files.has(to)) wrong.push(`${path}: ${target} is no file of the site`);
      else if (
        anchor !== undefined &&
        !(pages.get(to)?.('[id]').toArray() ?? []).some((one) => one.attribs.id === decodeURIComponent(anchor))
      )
        wrong.push(`${path}: ${to} has no ${anchor}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(links > 5_000, `${links} links`);
  for (const [, title, , to] of index.find.entries) {
    const [file = '', anchor] = to.split('#');
    if (to.startsWith('../console')) continue;
    const page = pages.get(file);
    assert.ok(page, `${title}: ${to}`);
    if (anchor !== undefined)
      assert.ok(
        page('[id]')
          .toArray()
          .some((one) => one.attribs.id === anchor),
        `${title}: ${to}`,
      );
  }
});

test('links to the console open a form that the contract has, with its own parameters', () => {
  let links = 0;
  for (const [path, $] of pages)
    for (const each of $('a[href*="console/w/"]').toArray()) {
      const address = new URL($(each).attr('href') ?? '', `http://service/docs/${path}`);
      const operation = operationList.find(({ id }) => address.pathname === `/console/w/${id}`);
      assert.ok(operation, address.pathname);
      for (const name of address.searchParams.keys())
        assert.ok(
          operation.parameters.some((p) => p.name === name),
          address.href,
        );
      for (const p of operation.parameters) if (p.required) assert.ok(address.searchParams.get(p.name), address.href);
      links++;
    }
  assert.ok(links > operationList.length + 5, `${links} links`);
  const routes = new Set([...readFileSync('src/console/main.tsx', 'utf8').matchAll(/'\/console([^']*)'/g)].map(([, route]) => route));
  for (const [name, , path] of ACTS) assert.ok(routes.has(path.replace('/w/serp', '/w/:operation')), name);
});

test('the image is built with all that the site is made of', () => {
  const ignored = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('!'));
  assert.deepEqual(ignored, ['*', '**/*.test.ts', '**/fixtures']);
});

test('a request of a guide is found as the lookup that it is', () => {
  const lookup = lookupAt('/v1/appmarket/apps/keywords?keyword=email+marketing');
  assert.deepEqual([lookup?.operation.id, lookup?.values], ['app-keywords', { keyword: 'email marketing' }]);
  assert.equal(lookupAt('/v1/appmarket/apps/acme-reviews')?.operation.id, 'app');
  assert.equal(lookupAt('/v1/account'), null);
});

test('every block of code is run by the tests, says why not, is what a block prints, or is made from the contract', () => {
  const marks = new Map<string, number>();
  for (const [path, $] of pages)
    for (const each of $('.code').toArray()) {
      const { 'data-mark': mark = '', 'data-language': language = '' } = each.attribs;
      const isMade = $(each).closest('[data-sample], .endpoint').length > 0;
      const kind = mark.startsWith('not-run: ') ? 'not-run' : mark || (isMade ? 'made' : DATA.includes(language) ? 'data' : '');
      assert.ok(
        ['runnable', 'not-run', 'output', 'made', 'data'].includes(kind),
        `${path}: ${language} ${mark}: ${$(each).text().slice(0, 80)}`,
      );
      marks.set(kind, (marks.get(kind) ?? 0) + 1);
    }
  assert.ok((marks.get('runnable') ?? 0) > 40, JSON.stringify([...marks]));
});

test('the reference has every endpoint with every parameter, every field of every answer, and every error', () => {
  const titles = new Set(index.find.entries.map(([kind, title]) => `${kind} ${title}`));
  for (const [path, methods] of Object.entries(description.paths))
    for (const method of Object.keys(methods)) assert.ok(titles.has(`endpoint ${method.toUpperCase()} ${path}`), `${method} ${path}`);
  for (const { method = 'GET', path } of accountEndpoints) assert.ok(titles.has(`endpoint ${method} ${path}`), path);
  for (const { id, parameters, resource } of operationList) {
    for (const { name } of parameters) assert.ok(titles.has(`parameter ${id} · ${name}`), `${id} ${name}`);
    for (const field of Object.keys((resource as { readonly properties?: object }).properties ?? {}))
      assert.ok(titles.has(`field ${id}.${field}`), `${id}.${field}`);
    const $ = pages.get(`reference/${id}.html`);
    assert.ok($);
    for (const each of $('.names dd').toArray())
      if (/ or null\./.test($(each).text())) assert.match($(each).text(), /or null\.[\s\S]*null/i);
  }
  for (const name of Object.keys(ERRORS) as ErrorName[]) assert.ok(titles.has(`error ${codeOf(name)}`), name);
});

test('every setting and every metric is found by its name, in its own row', () => {
  const metrics = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(sightline_\w+)`/gm)].map(([, name = '']) => name);
  const all = [...Object.keys(SETTINGS).map((name) => ['settings.html', name]), ...metrics.map((name) => ['metrics.html', name])];
  assert.ok(metrics.length > 10, `${metrics.length} metrics`);
  const missed = all.filter(([page, name = '']) => {
    const shown = search(index, name).groups.flatMap(({ entries }) => entries.slice(0, 3).map(([, , , to]) => to));
    return !shown.includes(`${page}#${name}`);
  });
  assert.deepEqual(missed, []);
});

test('the bodies of the reference are those that the contract takes, and each is in its curl command as it is', () => {
  const takers = accountEndpoints.filter(({ body }) => body !== undefined);
  const shown = takers.filter(({ id }) => camelCase(id) in BODIES);
  assert.equal(shown.length, Object.keys(BODIES).length);
  for (const { id, path, body } of shown) {
    const example = BODIES[camelCase(id)];
    assert.ok(body && Compile(body.schema).Check(example), id);
    const $ = pages.get(`reference/account-${path.split('/')[3]}.html`);
    assert.ok(
      $?.('.code')
        .toArray()
        .some((each) =>
          $(each)
            .text()
            .includes(`-d '${JSON.stringify(example)}'`),
        ),
      id,
    );
  }
});

const MAX_FIRST_LOAD_BYTES = 150_000;

test('the first load of each page is at most 150 kB, without pictures and without the index of Find; nothing is inline or from another place', () => {
  let most = 0;
  for (const [path, $] of pages) {
    const parts = $('link[rel=stylesheet], script')
      .toArray()
      .map((each) => each.attribs.href ?? each.attribs.src ?? '');
    assert.equal(parts.length, 3, path);
    const sizes = parts.map((part) => gzipSync(textOf(files.get(normalize(join(dirname(path), part))) ?? '')).length);
    const font = [...files]
      .filter(([name]) => /inter-latin-[0-9a-f]+\.woff2$/.test(name))
      .map(([, content]) => readFileSync((content as { copyOf: string }).copyOf).length);
    const total = [gzipSync($.html()).length, ...sizes, ...font].reduce((sum, bytes) => sum + bytes, 0);
    most = Math.max(most, total);
    assert.equal(font.length, 1);
    assert.ok(total <= MAX_FIRST_LOAD_BYTES, `${path}: ${total} bytes`);
    for (const picture of $('img').toArray()) {
      assert.equal(picture.attribs.loading, 'lazy', path);
      assert.ok($(picture).closest('details:not([open])').length, `${path}: a picture is shown at once`);
    }
    assert.equal($('[style], style, script:not([src]), [onclick]').length, 0, path);
    for (const each of $('script, link, img').toArray())
      assert.doesNotMatch(each.attribs.src ?? each.attribs.href ?? '', /^(?:https?:)?\/\//, path);
  }
  assert.ok(most > 40_000, `${most} bytes`);
});

/** What is looked for, and where one of the first three of its group must lead. */
const SEARCHES: readonly (readonly [words: string, to: string])[] = [
  ['how do I get an API key', 'authentication.html'],
  ['rotate secrets', 'operations.html#rotate-secrets'],
  ['tiktok', 'shortvideo.html'],
  ['tiktok', 'reference/short-video.html'],
  ['whois', 'registration.html'],
  ['when does a domain expire', 'watches.html#due-dates'],
  ['expiresOn', 'reference/registration.html#expiresOn'],
  ['google', 'searchengine.html'],
  ['google', '../console/w/serp'],
  ['csv', 'bulk.html'],
  ['webhook', 'watches.html#webhooks'],
  ['slack', 'watches.html#telling-people'],
  ['UPSTREAM_BLOCKED', 'reference/errors.html#UPSTREAM_BLOCKED'],
  ['backup', 'operations.html#back-up'],
  ['behind nginx', 'reverse-proxy.html#nginx'],
  ['what does null mean', 'traffic.html#what-is-null-and-why'],
  ['prometheus metrics', 'metrics.html#read-the-metrics'],
  ['claude desktop', 'mcp.html#claude-desktop'],
  ['python asyncio', 'python.html#asyncio'],
  ['how much does it cost', 'credits.html'],
  ['older answer max-age', 'reference/request-headers.html#Cache-Control'],
  ['X-Credits-Charged', 'reference/answer-headers.html#X-Credits-Charged'],
  ['docker image', 'install.html#a-container'],
  ['POST /v1/account/watches', 'reference/account-watches.html#accountWatchCreate'],
  ['two machines with redis', 'scaling.html#how-many-machines'],
  ['shopify reviews', 'reference/app-reviews.html'],
  ['depth', 'reference/serp.html#parameter-depth'],
  ['upgrade to a new version', 'operations.html#upgrade'],
  ['make a key', '../console/keys'],
  ['install on ubuntu', 'install.html'],
  ['systemd service', 'systemd.html'],
  ['full disk', 'faults.html#disk-store-and-machine'],
  ['forgot operator password', 'console.html#sign-in-as-the-operator'],
  ['https certificate', 'reverse-proxy.html#nginx'],
  ['rate limit 429', 'reference/errors.html#RATE_LIMITED'],
  ['export to excel', 'bulk.html#tables'],
  ['email alerts', 'watches.html#telling-people'],
  ['import a list of domains', 'watches.html#commands'],
  ['track keyword rankings', 'watches.html#my-site-against-theirs'],
  ['uninstall', 'install.html#a-debian-package'],
  ['move to another server', 'operations.html#back-up'],
  ['postgres instead of sqlite', 'operations.html#where-data-is'],
  ['cursor mcp setup', 'mcp.html#cursor'],
  ['oauth login for apps', 'authentication.html#let-apps-sign-in-by-the-url-alone'],
  ['delete a watch', 'reference/account-watches.html#accountWatchDelete'],
  ['bing results', '../console/w/serp'],
  ['SIGHTLINE_DRAIN_MS', 'settings.html#SIGHTLINE_DRAIN_MS'],
  ['port', 'settings.html#PORT'],
  ['SERPER_KEY', 'settings.html#SERPER_KEY'],
  ['sightline_upstream_cost_usd_total', 'metrics.html#sightline_upstream_cost_usd_total'],
];

test('Find answers the questions of readers within the first three of a group', () => {
  const missed = SEARCHES.flatMap(([words, to]) => {
    const { groups } = search(index, words);
    const shown = groups.flatMap(({ entries }) => entries.slice(0, 3).map(([, , , address]) => address));
    return shown.includes(to) ? [] : [`${words}: ${to} is not among ${shown.join(', ')}`];
  });
  assert.deepEqual(missed, []);
  const order = search(index, 'google').groups.map(({ name }) => name);
  assert.deepEqual(order, ['Guides', 'Reference', 'Do']);
});

test('a word with a slip finds nothing, and the nearest words of the docs', () => {
  for (const [typed, meant] of [
    ['wohis', 'whois'],
    ['regstrar', 'registrar'],
    ['slakc', 'slack'],
  ] as const) {
    const { count, nearest } = search(index, typed);
    assert.equal(count, 0, typed);
    assert.ok(nearest.length <= 3 && nearest.includes(meant), `${typed}: ${nearest}`);
  }
  assert.deepEqual(search(index, '').groups, []);
});

test('a folder with other files is not replaced, an unchanged site is not built again, and examples lead to the console that is named', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const target = join(folder, 'site');
  assert.equal((await buildDocs(ROOT, { target, console: 'https://sightline.example/console' })).state, 'built');
  assert.match(readFileSync(join(target, 'reference/serp.html'), 'utf8'), /href="https:\/\/sightline\.example\/console\/w\/serp\?keyword=/);
  assert.equal((await buildDocs(ROOT, { target, console: 'https://sightline.example/console' })).state, 'current');
  writeFileSync(join(folder, 'own.txt'), 'mine');
  await assert.rejects(buildDocs(ROOT, { target: folder }), /holds other files/);
  assert.equal(readFileSync(join(folder, 'own.txt'), 'utf8'), 'mine');
});
