// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { appOf } from '../../sandbox/appmarket/apps.ts';
import { reviewsOf } from '../../sandbox/appmarket/reviews.ts';
import { communityOf } from '../../sandbox/forum/facts.ts';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { registrationOf } from '../../sandbox/registration/facts.ts';
import { type NewWatchList, Sightline, SightlineError } from '../../src/client/index.ts';
import type { Watch, WatchChange } from '../../src/contract/account/watch-schemas.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const PAGE = readFileSync('docs/watches.md', 'utf8');
/** The commands of the page by their operations, as they are written there. */
const COMMANDS = new Map(
  [...PAGE.matchAll(/^\| [^|]+ \| `(sightline watch add ([\w-]+) .+)` \|$/gm)].map(([, command = '', operation = '']) => [
    operation,
    command,
  ]),
);
/** The line of a file of watches that the page shows. */
const LINE = /^\{"operation".+\}$/m.exec(PAGE)?.[0] ?? '';

let service: Running;
let client: Sightline;
let path = '';
before(async () => {
  service = await startWhole(SANDBOX_SETTINGS);
  client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const folder = join(service.folder, 'bin');
  mkdirSync(folder);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${process.cwd()}/src/cli/main.ts' "$@"\n`;
  writeFileSync(join(folder, 'sightline'), command, { mode: 0o755 });
  path = `${folder}:${process.env.PATH}`;
});
after(() => service?.stop());

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}
/** Runs a command line in a shell, as a reader of the page does. */
const shell = (line: string): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { ...CHILD_ENVIRONMENT, PATH: path, SIGHTLINE_URL: service.baseUrl, SIGHTLINE_API_KEY: service.key };
    execFile('sh', ['-c', line], { env }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out: out.trim(), error: error.trim() }),
    );
  });
async function says(line: string): Promise<string> {
  const { code, out, error } = await shell(line);
  assert.equal(code, 0, `${line}: ${error}`);
  return out;
}
const idIn = (text: string): string => /wat_\w+/.exec(text)?.[0] ?? '';
const eachOf = <T>(
  ids: ReadonlyMap<string, string>,
  work: (id: string, operation: string) => Promise<T>,
): Promise<(readonly [string, T])[]> =>
  Promise.all([...ids].map(async ([operation, id]) => [operation, await work(id, operation)] as const));

/** What a change says, the entry of a list by its id. */
const briefOf = ({ kind, field, key, before: was, after: is }: WatchChange) => [
  kind,
  field,
  key,
  key === null || was !== null ? [was, is] : 'new',
];
/** What the next day brings to each command of the page, by the facts of the simulated platforms. */
function newsOf(day: number): Readonly<Record<string, readonly unknown[]>> {
  const [was, is] = [day - 1, day].map((at) => ({
    name: registrationOf('acme-widgets.com', at),
    prices: appOf('acme-reviews', at)?.plans.map((plan) => plan.price),
  }));
  assert.ok(was?.name && is?.name && was.prices && is.prices);
  const price = (plan: string, i: number) => ['changed', 'pricings.price', plan, [was.prices?.[i], is.prices?.[i]]];
  const app = appOf('acme-reviews', day);
  return {
    serp: [['moved', 'organic.rank', 'https://www.acme-widgets.com/running-shoes', [2, 4]]],
    'app-reviews': [['added', 'reviews', app && reviewsOf(app)[0]?.id, 'new']],
    app: [price('Basic', 1), price('Growth', 2)],
    registration: [
      ['changed', 'registrar.name', null, [was.name.registrar.name, is.name.registrar.name]],
      ['changed', 'registrar.ianaId', null, [was.name.registrar.ianaId, is.name.registrar.ianaId]],
      ['changed', 'expiresOn', null, [was.name.expiresOn, is.name.expiresOn]],
      ['changed', 'status', null, [was.name.status, is.name.status]],
    ],
    'forum-search': [['added', 'posts', communityOf('acmewidgets', day)?.posts[0]?.postId, 'new']],
  };
}

const watches = new Map<string, string>();
test('each command of the page makes a watch; its first check is `first`, the next one `same`, and on the next day `changed`', async () => {
  assert.deepEqual([...COMMANDS.keys()], ['serp', 'app-reviews', 'app', 'registration', 'forum-search', 'traffic']);
  for (const [operation, out] of await eachOf(COMMANDS, says)) {
    assert.match(
      out,
      /^wat_\w+ {2}[\w-]+ {2}\{.+\} {2}every \d+[hd]\nnext .+ 0 of \d+ credits this month, \d+ at most\nstate ok; last check none$/,
    );
    watches.set(operation, idIn(out));
  }
  const run = (id: string) => says(`sightline watch run ${id}`);
  const all = (outcome: string) => [...watches.keys()].map((operation) => [operation, `${outcome}, 1 credit`]);
  assert.deepEqual(await eachOf(watches, run), all('first'));
  assert.deepEqual(await eachOf(watches, run), all('same'));
  const next = await fetch(`${service.sandbox.url}/day`, { method: 'POST' });
  assert.equal(await next.text(), 'day 1\n');
  assert.deepEqual(await eachOf(watches, run), all('changed'));

  for (const [operation, found] of await eachOf(watches, async (watch) => (await client.watches.feed({ watch })).changes)) {
    if (operation === 'traffic') {
      const [visits, ...others] = found;
      assert.deepEqual([visits?.kind, visits?.field, others.length], ['changed', 'visits', 0]);
      assert.ok(Number(visits?.after) > Number(visits?.before));
    } else assert.deepEqual(found.map(briefOf), newsOf(1)[operation], operation);
  }
});

test('a check takes a stored answer only if it was read after the last check: free then', async () => {
  const id = watches.get('registration') ?? '';
  await client.registration.domain({ domain: 'acme-widgets.com' }, { maxAge: 0 });
  const asked = service.sandbox.requests.length;
  assert.equal(await says(`sightline watch run ${id}`), 'same, 0 credits');
  assert.equal(service.sandbox.requests.length, asked);
  assert.equal(await says(`sightline watch run ${id}`), 'same, 1 credit');
  assert.ok(service.sandbox.requests.length > asked);
});

test('a check is a request of the log like any other: found by its id and by its watch, with parameters, attempts and receipt', async () => {
  const id = watches.get('registration') ?? '';
  const { requests } = await client.account.requests({ label: id });
  assert.deepEqual(
    requests.map(({ label, operation, parameters, credits, cache }) => ({ label, operation, parameters, credits, cache })),
    ['miss', 'hit', 'miss', 'miss', 'miss'].map((cache) => ({
      ...{ label: id, operation: 'registration', parameters: { domain: 'acme-widgets.com' }, credits: Number(cache === 'miss'), cache },
    })),
  );
  const [newest] = requests;
  for (const name of [newest?.requestId ?? '', id]) {
    const { attempts, receipt, rule, others, ...request } = await client.account.request(name);
    assert.deepEqual([request.requestId, rule, others.length], [newest?.requestId, 'charged', name === id ? 4 : 0]);
    assert.deepEqual(
      attempts.map(({ source, outcome }) => [source, outcome]),
      [['registration/rdap', 'found']],
    );
    const { entries } = await client.account.ledger({ receipt: receipt ?? '' });
    assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['capture', 'hold']);
  }
});

test('list, show, pause, resume and changes', async () => {
  const id = watches.get('registration') ?? '';
  const list = await says('sightline watch list');
  assert.equal(list.split('\n').length, 1 + watches.size);
  assert.match(
    list,
    new RegExp(`^${id} +registration +\\{"domain":"acme-widgets.com"\\} +7d +4 of 20 +ok +same +\\d{4}-\\d\\d-\\d\\d \\w+$`, 'm'),
  );
  assert.match(await says(`sightline watch pause ${id}`), /, paused\n/);
  assert.equal(await says(`sightline watch run ${id}`), 'skipped (paused), 0 credits');
  assert.doesNotMatch(await says(`sightline watch resume ${id}`), /paused\n/);
  const changes = (await says('sightline watch changes')).split('\n');
  assert.match(changes[0] ?? '', /^CURSOR +AT +OPERATION +KIND +FIELD +ENTRY +BEFORE +AFTER$/);
  assert.match(changes.join('\n'), /serp +moved +organic\.rank +https:\/\/www\.acme-widgets\.com\/running-shoes +2 +4$/m);
  const all = JSON.parse(await says('sightline watch changes --json')) as { changes: WatchChange[] };
  assert.equal(changes.length, 1 + all.changes.length);
  const third = all.changes[2]?.cursor ?? '';
  const later = JSON.parse(await says(`sightline watch changes --json --after ${third}`)) as { changes: WatchChange[] };
  assert.deepEqual(later.changes, all.changes.slice(3));
});

test('fields and a name go back to none, also together with others', async () => {
  const id = idIn(await says('sightline watch add registration domain=acme-lamps.org --every 1d --budget 31 --name lamps --field status'));
  const named = await client.watches.get(id);
  assert.deepEqual([named.name, named.fields], ['lamps', ['status']]);
  await says(`sightline watch edit ${id} --field none --name none --tag none --due none`);
  const { name, fields, tags, due } = await client.watches.get(id);
  assert.deepEqual([name, fields.length > 5, tags, due], [null, true, [], []]);
  await says(`sightline watch remove ${id}`);
});

test('the lists of the command line are whole, however many pages the service makes of them', async (t) => {
  const [own] = (await client.watches.list()).watches;
  const { changes } = await client.watches.feed();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const page = Number(url.searchParams.get('after') ?? 0);
    const paging = { after: String(page + 1), hasMore: page < 2 };
    const [change] = changes;
    const body = url.pathname.endsWith('/changes')
      ? { changes: [{ ...change, cursor: String(page + 1) }], ...paging }
      : { watches: [{ ...own, watchId: `wat_${page}` }], total: 3, most: 1000, dueSoon: 0, ...paging };
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `--url http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.match(await says(`sightline watch list ${url}`), /^WATCH.*\nwat_0 .*\nwat_1 .*\nwat_2 .*$/);
  assert.match(await says(`sightline watch changes ${url}`), /^CURSOR.*\n1 .*\n2 .*\n3 .*$/);
  assert.match(await says(`sightline watch changes --after 1 ${url}`), /^CURSOR.*\n2 .*\n3 .*$/);
  const all = JSON.parse(await says(`sightline watch changes --json ${url}`)) as { changes: WatchChange[]; hasMore: boolean };
  assert.deepEqual([all.changes.length, all.hasMore], [3, false]);
});

test('show has the messages to the webhook, and --repeat sends one again under its id; remove deletes the watch', async (t) => {
  const ids: string[] = [];
  const target = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    response.writeHead(status).end();
  });
  let status = 204;
  target.listen(0, '127.0.0.1');
  t.after(() => target.close());
  await once(target, 'listening');
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/changes`;
  const made = await says(`sightline watch add registration domain=bluebirdlooms.com --every 1d --budget 31 --name looms --webhook ${url}`);
  assert.match(made, /webhook http:\S+, secret \(shown this once\) whsec_/);
  const id = idIn(made);
  await client.watches.run(id);
  service.sandbox.nextDay();
  await client.watches.run(id);
  for (let tries = 0; tries < 300 && ids.length < 1; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
  const { deliveries } = await client.watches.deliveries(id);
  assert.equal(deliveries.length, 1);
  const { cursor = '', id: message } = deliveries[0] ?? {};
  const repeated = await says(`sightline watch show ${id} --repeat ${cursor}`);
  assert.doesNotMatch(repeated, /whsec_/);
  assert.match(repeated, new RegExp(`^message ${cursor}, \\S+: \\d attempts?, `, 'm'));
  for (let tries = 0; tries < 300 && ids.length < 2; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(ids, [message, message]);
  const none = await shell(`sightline watch show ${id} --repeat 999999`);
  assert.deepEqual([none.code, none.error], [1, `The watch ${id} has sent no message 999999.`]);
  status = 410;
  service.sandbox.nextDay();
  await client.watches.run(id);
  for (let tries = 0; tries < 300 && !(await client.watches.get(id)).webhook?.disabledAt; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.match(await says(`sightline watch show ${id}`), /^webhook http:\S+, off since 20\S+Z \(410\): set its URL again$/m);
  const off = await shell(`sightline watch show ${id} --repeat ${cursor}`);
  assert.deepEqual([off.code, / is off since 20\S+Z \(410\): set its URL again\.$/.test(off.error)], [1, true], off.error);
  assert.equal(await says(`sightline watch remove ${id}`), `${id} is deleted`);
  const gone = await shell(`sightline watch show ${id}`);
  assert.deepEqual([gone.code, gone.error], [1, `This account has no watch ${id}.`]);
});

test('show says that there are more messages than it shows, and how to see them', async (t) => {
  const [own] = (await client.watches.list()).watches;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const cursor = url.searchParams.get('after') ?? '9';
    const message = {
      id: 'm',
      cursor,
      as: null,
      to: null,
      kinds: [],
      createdAt: '2026-11-01T00:00:00.000Z',
      attempts: 1,
      nextAt: null,
      deliveredAt: null,
      result: '204',
    };
    const hasMore = !url.searchParams.has('after');
    const page = { deliveries: [message], after: hasMore ? '8' : null, hasMore };
    const body = url.pathname.endsWith('/deliveries') ? page : { ...own, watchId: 'wat_0' };
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `--url http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const first = await says(`sightline watch show wat_0 ${url}`);
  assert.match(first, /^message 9, \S+: 1 attempt, 204\nthere are more messages: sightline watch show wat_0 --after 8$/m);
  const last = await says(`sightline watch show wat_0 --after 8 ${url}`);
  assert.match(last, /^message 8, \S+: 1 attempt, 204$/m);
  assert.doesNotMatch(last, /more messages/);
  assert.equal(JSON.parse(await says(`sightline watch show wat_0 --json ${url}`)).hasMore, true);
});

test('import reads standard input for -, and messages call it so', async () => {
  assert.match(await says(`echo '${LINE}' | sightline watch import -`), /^1 watch was made, \d+ credits? a month at most$/);
  const bad = await shell("printf 'acme-hats.com\\nnot a domain\\n' | sightline watch import - --operation registration --every 7d");
  assert.equal(bad.code, 1);
  assert.match(bad.error, /^standard input, line 2: /);
});

test('import makes a watch for each line, and names the line that is wrong', async () => {
  const [good, bad] = ['good.ndjson', 'bad.ndjson'].map((name) => join(service.folder, name));
  writeFileSync(good ?? '', `${LINE}\n\n${LINE.replace('"1d"', '"1h"').replace('31}', '744}')}\n`);
  assert.equal(await says(`sightline watch import ${good}`), '2 watches were made, 775 credits a month at most');
  writeFileSync(bad ?? '', `${LINE}\n${LINE.replace('"1d"', '"2d"')}\n`);
  const { code, error } = await shell(`sightline watch import ${bad}`);
  assert.equal(code, 1);
  assert.match(
    error,
    /bad\.ndjson, line 2: Field every is "2d", but it must be one of 1h, 6h, 12h, 1d, 7d \(did you mean 1d\?\)\. 1 watch was made\.$/,
  );
});

test('import of a list says the price first, names lines that are left out, and makes nothing without --yes', async () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(service.folder, name), text);
    return join(service.folder, name);
  };
  const export_ = file(
    'registrar.csv',
    'Domain Name,Renewal\nacme-shoes.com,2027\nnot a domain,2027\nacme-shoes.com,2028\nacme-boots.com,2027\n',
  );
  const command = `sightline watch import ${export_} --operation registration --every 7d`;
  const before = (await client.watches.list()).total;
  const bad = await shell(command);
  assert.equal(bad.code, 1);
  assert.match(bad.error, /registrar\.csv, line 3: .*[^.]\.\nNothing was made: correct this line, or add --skip-invalid\.$/);
  const asked = await shell(`${command} --skip-invalid`);
  assert.match(
    asked.error,
    /^2 watches, every 7d: 18 credits a month at most; 2 lines are left out\nline 3: .*[^.]\.\nline 4: acme-shoes\.com is in line 2 already\nNothing was made: add --yes to make them\.$/,
  );
  assert.equal((await client.watches.list()).total, before);
  const said = await says(`${command} --skip-invalid --yes`);
  assert.match(said, /^line 3: .*\nline 4: acme-shoes\.com is in line 2 already\n2 watches were made, 18 credits a month at most$/);
  const again = await says(`sightline watch import ${file('list.txt', 'acme-boots.com\n')} --operation registration --every 7d --yes`);
  assert.match(again, /^line 1: is watched already: wat_\w+\n0 watches were made/);
  const many = file('many.txt', Array.from({ length: 2_000 }, (_, i) => `acme-${i}.com`).join('\n'));
  const over = await shell(`sightline watch import ${many} --operation registration --every 7d --yes`);
  assert.match(
    over.error,
    /^2000 watches are more than the \d+ that the account may still have: \d+ in all \(SIGHTLINE_WATCHES_PER_ACCOUNT of the service\)/,
  );
});

test('the client imports a list: what it makes and costs is said first, each line that it leaves out is named, and the limit is checked before the first', async () => {
  const { total, most } = await client.watches.list();
  const given = [
    'Kunde,Domain Name',
    'Acme,acme-lamps.com',
    'Acme,https://www.acme-chairs.com/shop',
    'Acme,acme chairs.com',
    'Acme,ACME-Lamps.com.',
    'Acme,acme-boots.com',
    'Acme,müller-lamps.de',
  ].join('\n');
  const body: NewWatchList = { operation: 'registration', lines: given, every: '7d', due: [14], tags: ['acme'] };
  const said = await client.watches.import(body);
  assert.deepEqual(
    said.watches.map(({ line, parameters, costPerMonth, watchId }) => [line, parameters.domain, costPerMonth, watchId]),
    [
      [2, 'acme-lamps.com', 6, null],
      [3, 'acme-chairs.com', 6, null],
      [7, 'xn--mller-lamps-thb.de', 6, null],
    ],
  );
  assert.deepEqual(
    said.leftOut.map(({ line, text, reason }) => [line, text, reason]),
    [
      [4, 'Acme,acme chairs.com', 'unreadable'],
      [5, 'Acme,ACME-Lamps.com.', 'repeated'],
      [6, 'Acme,acme-boots.com', 'watched'],
    ],
  );
  const twice = await client.watches.import({
    ...body,
    lines: 'acme-lamps.com\nhttps://www.acme-lamps.com/shop\nmüller-lamps.de\nMüller-Lamps.de',
  });
  assert.deepEqual(
    twice.leftOut.map(({ why }) => why),
    ['acme-lamps.com is in line 1 already', 'Müller-Lamps.de is in line 3 already'],
    'what was written, and of an address what it names',
  );
  assert.deepEqual([said.made, said.costPerMonth, said.creditsPerMonth], [false, 18, 18]);
  await assert.rejects(client.watches.import({ ...body, make: true }), /line 4: .* Nothing was made: correct them, or set skipInvalid\.$/);
  assert.equal((await client.watches.list()).total, total);
  const done = await client.watches.import({ ...body, make: true, skipInvalid: true });
  assert.equal((await client.watches.list()).total, total + 3);
  const watch = await client.watches.get(done.watches[1]?.watchId ?? '');
  assert.deepEqual(
    [watch.parameters, watch.due, watch.tags, watch.creditsPerMonth, watch.every],
    [{ domain: 'acme-chairs.com' }, [14], ['acme'], 6, '7d'],
  );
  assert.equal(
    (await client.watches.import({ ...body, make: true, skipInvalid: true })).watches.length,
    0,
    'all of them are watched already',
  );

  const names = (count: number) => Array.from({ length: count }, (_, i) => `acme-${i}.com`).join('\n');
  for (const [more, why] of [
    [{ lines: names(most) }, new RegExp(`^${most} watches are more than the ${most - total - 3} that the account may still have`)],
    [{ lines: names(10_001) }, /^Field lines has 10001 lines, but it must have 10000 at most/],
    [{ lines: '' }, /^Field lines is "", but it must/],
    [{ lines: undefined }, /^Field lines is missing, but it must be a text/],
    [{ lines: 'acme-sofas.com', every: '2d' }, /^Field every is "2d", but it must be one of/],
    [{ lines: 'acme-sofas.com', due: ['14'] }, /^Field due is \["14"\], but it must be a list/],
    [{ lines: 'acme-sofas.com', paused: true }, /^Field paused is true, but there is no such field/],
    [{ operation: 'serp', lines: 'shoes', creditsPerMonth: 0 }, /^Field creditsPerMonth is 0/],
    [{ operation: 'domains', lines: 'acme-sofas.com' }, /^Field operation is "domains", but it must be one of/],
    [{ lines: 'domain,domain\nacme.com,acme.com' }, /^Field lines: The input has a column twice/],
  ] as const)
    await assert.rejects(client.watches.import({ ...body, make: true, ...more } as never), (error: SightlineError) => {
      assert.deepEqual([error.status, error.charged], [400, 0]);
      assert.match(error.message, why);
      return true;
    });
  assert.equal((await client.watches.list()).total, total + 3);
});

test('notify sets where messages are sent, and a test message says what the target answered', async (t) => {
  const taken: string[] = [];
  const target = createServer((request, response) => {
    request.on('data', (part: Buffer) => taken.push(part.toString()));
    request.on('end', () => response.end('thanks'));
  });
  target.listen(0, '127.0.0.1');
  t.after(() => target.close());
  await once(target, 'listening');
  const to = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  const set = await says(`sightline watch notify text=${to} --daily`);
  assert.match(set, new RegExp(`^TARGET +TO +AS +STATE +SUCCESS +FAILURE +ERROR +NEXT\\ntgt_\\d+ +${to} +text, daily +works`));
  const id = /tgt_\d+/.exec(set)?.[0] ?? '';
  assert.match(await says(`sightline watch test-message ${id}`), /^it took the message: 200 in \d+ ms$/);
  assert.match(taken.join(''), /^\{"text":"Sightline: a test message\\n/);
  const none = await shell(`sightline watch notify ${to}`);
  assert.match(none.error, /Field notify\/0\/as is missing/);
  assert.equal(await says('sightline watch notify --none'), await says('sightline watch notify'));
});

test('the command line sets all that the API sets of a watch: when it is made, changed, and imported', async (t) => {
  const target = createServer((request, response) => request.resume().on('end', () => response.end('thanks')));
  target.listen(0, '127.0.0.1');
  t.after(() => target.close());
  await once(target, 'listening');
  const to = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  const settings = `--due 60,7 --tag ours shoes --notify text=${to} --daily --webhook ${to}`;
  const set = (watch: Watch) => [
    watch.due,
    watch.tags,
    watch.notify?.map(({ to: at, as, digest }) => [at, as, digest]),
    watch.webhook?.url,
  ];
  const all = [[60, 7], ['ours', 'shoes'], [[to, 'text', '1d']], to];
  const made = await says(`sightline watch add registration domain=acme-hats.com --every 7d --budget 20 ${settings}`);
  const id = idIn(made);
  assert.match(made, new RegExp(`^tells tgt_\\d+ ${to}$`, 'm'));
  assert.deepEqual(set(await client.watches.get(id)), all);
  const [own] = (await client.watches.get(id)).notify ?? [];
  assert.match(await says(`sightline watch test-message ${own?.targetId} --watch ${id}`), /^it took the message: 200/);

  await says(
    `sightline watch edit ${id} --due none --tag none --notify none --webhook none --every 1d --budget 40 --name hats --field status`,
  );
  const edited = await client.watches.get(id);
  assert.deepEqual(
    [set(edited), edited.every, edited.creditsPerMonth, edited.name, edited.fields],
    [[[], [], [], undefined], '1d', 40, 'hats', ['status']],
  );
  assert.match(await says(`sightline watch edit ${id} --notify account`), /^wat_/);
  assert.deepEqual([(await client.watches.get(id)).notify, (await client.watches.get(id)).name], [null, 'hats'], 'what is left out stays');
  const nothing = await shell(`sightline watch edit ${id}`);
  assert.match(nothing.error, /^Nothing is to be changed: give one of /);

  const file = join(service.folder, 'hats.txt');
  writeFileSync(file, 'acme-caps.com\n');
  await says(`sightline watch import ${file} --operation registration --every 7d --yes ${settings}`);
  const { watches: listed } = await client.watches.list({ limit: 1000 });
  const imported = listed.find(({ parameters }) => parameters.domain === 'acme-caps.com') ?? assert.fail();
  assert.deepEqual(set(imported), all);
  for (const watchId of [id, imported.watchId]) await client.watches.delete(watchId);
});

test('due lists the dates that lie ahead; calendar makes an address and ends it; adopt takes a watch over', async () => {
  const table = (await says('sightline watch due')).split('\n');
  assert.match(table[0] ?? '', /^DAYS +DATE +WATCH +PARAMETERS +READ +NEXT$/);
  assert.match(table.join('\n'), /^\d+ +\d{4}-\d\d-\d\d +wat_\w+ +\{"domain":"acme-widgets\.com"\}/m);
  const url = /subscribe to \(shown this once\): (\S+)/.exec(await says('sightline watch calendar'))?.[1] ?? '';
  assert.match(await (await fetch(url)).text(), /SUMMARY:acme-widgets\.com expires\r\n/);
  assert.equal(await says('sightline watch calendar --end'), 'the calendar has no address any more');
  assert.equal((await fetch(url)).status, 404);
  const id = watches.get('registration') ?? '';
  assert.match(await says(`sightline watch adopt ${id}`), new RegExp(`^${id} `));
});

test('bad input is 400 with the field, its value and the cure', async () => {
  const good = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '1d', creditsPerMonth: 31 };
  const wrong: [object, RegExp][] = [
    [{ operation: 'weather' }, /^Field operation is "weather", but it must be one of serp, /],
    [{ parameters: { host: 'a.com' } }, /^Field parameters: Unknown parameter "host"/],
    [{ parameters: { domain: 'acme' } }, /^Field parameters: Parameter domain is "acme"/],
    [{ every: '5m' }, /^Field every is "5m", but it must be one of 1h, 6h, 12h, 1d, 7d\./],
    [
      { creditsPerMonth: undefined },
      /^Field creditsPerMonth is missing, but one check costs 1: give 1 or more; at this interval a month costs 31 at most\./,
    ],
    [{ creditsPerMonth: 0 }, /^Field creditsPerMonth is 0, but it must be a whole number from 1 to 1000000000\./],
    [
      { operation: 'serp', parameters: { keyword: 'a', depth: 50 }, creditsPerMonth: 4 },
      /^Field creditsPerMonth is 4, but one check costs 5: give 5 or more; at this interval a month costs 155 at most\./,
    ],
    [{ fields: ['price'] }, /^Field fields\/0 is "price", but it must be a field of registration that can change, such as /],
    [{ webhook: { url: 'http://example.com/hook' } }, /^Field webhook is "http:\/\/example\.com\/…", but it must begin with https:\/\//],
    [{ webhook: { url: 'https://10.0.0.1/hook' } }, /^Field webhook is "https:\/\/10\.0\.0\.1\/…", but it must name a public host/],
    [{ colour: 'red' }, /^Field colour is "red", but there is no such field: use operation, /],
  ];
  for (const [change, why] of wrong) {
    await assert.rejects(Promise.resolve(client.watches.create({ ...good, ...change } as never)), (error: unknown) => {
      assert.ok(error instanceof SightlineError);
      assert.equal(error.status, 400);
      assert.match(error.message, why);
      return true;
    });
  }
  for (const [line, code, why] of [
    ['sightline watch add registration acme-widgets.com --every 1d --budget 31', 2, /write parameters as name=value/],
    [
      'sightline watch add registration domain=acme-widgets.com --every 1d --budget much',
      2,
      /'--budget <credits>' argument 'much' is invalid/,
    ],
    ['sightline watch add registration domain=acme-widgets.com --every 1h', 1, /one check costs 1: .* a month costs 744 at most/],
    ['SIGHTLINE_URL= sightline watch list', 2, /Name the service: --url, or SIGHTLINE_URL/],
  ] as const) {
    const ran = await shell(line);
    assert.equal(ran.code, code, `${line}: ${ran.error}`);
    assert.match(ran.error, why);
    assert.doesNotMatch(ran.error, /\bat .+:\d+:\d+/, 'no stack');
  }
});

test('the client: edit, history, one watch, pages of the list', async () => {
  const { watchId, costPerMonth } = await client.watches.create({
    operation: 'registration',
    parameters: { domain: 'kumotea.jp' },
    every: '1d',
    creditsPerMonth: 62,
  });
  assert.equal(costPerMonth, 31);
  const edited = await client.watches.edit(watchId, { every: '12h', name: 'tea' });
  assert.deepEqual([edited.name, edited.every, edited.costPerMonth], ['tea', '12h', 62]);
  assert.equal((await client.watches.run(watchId)).outcome, 'first');
  const { checks, hasMore } = await client.watches.history(watchId, { limit: 10 });
  assert.deepEqual([checks.map(({ outcome }) => outcome), hasMore], [['first'], false]);
  assert.deepEqual((await client.watches.get(watchId)).lastCheck, {
    ...{ at: checks[0]?.at, slot: checks[0]?.slot },
    ...{ outcome: 'first', code: null },
  });
  const first = await client.watches.list({ limit: 2 });
  assert.deepEqual([first.watches.length, first.hasMore], [2, true]);
  const rest = await client.watches.list({ after: Number(first.after) });
  assert.equal(rest.watches.at(-1)?.watchId, watchId);
  assert.equal(await client.watches.delete(watchId), undefined);
});

test('client.changes() gives every change once, resumes by cursor, waits for more and ends on abort', async () => {
  const all = (await client.watches.feed({ limit: 1000 })).changes;
  assert.ok(all.length > 8);
  const read: WatchChange[] = [];
  for await (const change of client.changes()) {
    read.push(change);
    if (read.length === 3) break;
  }
  const stop = new AbortController();
  const id = watches.get('registration') ?? '';
  service.sandbox.nextDay();
  for await (const change of client.changes({ after: read.at(-1)?.cursor, everyMs: 50 }, { signal: stop.signal })) {
    read.push(change);
    // the feed grows while it is read
    if (read.length === all.length) await client.watches.run(id);
    if (read.length > all.length) setTimeout(() => stop.abort(), 200);
  }
  assert.deepEqual(read.slice(0, all.length), all);
  const later = read.slice(all.length);
  assert.ok(later.length > 0 && later.every(({ watchId }) => watchId === id));
  assert.deepEqual(later, (await client.watches.feed({ after: Number(all.at(-1)?.cursor) })).changes);
});
