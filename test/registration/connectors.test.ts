import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToUnicode } from 'node:url';
import { SPECIAL } from '../../sandbox/registration/facts.ts';
import { RDAP_HOSTS } from '../../sandbox/registration/rdap.ts';
import { baseOf } from '../../src/sources/registration/rdap/bases.ts';
import { registrationRdap } from '../../src/sources/registration/rdap/source.ts';
import { isRegistryHost, queryFor, registries, whoisServerOf } from '../../src/sources/registration/registries.ts';
import { readDelegation } from '../../src/sources/registration/whois/iana.ts';
import { registrationWhois } from '../../src/sources/registration/whois/source.ts';
import { type ParserThreads, parse, type Source } from '../../src/sources/source.ts';
import { type FakePorts, registrationPorts } from './fake-ports.ts';

const attempt = (ports: FakePorts) => ({ signal: new AbortController().signal, deadlineMs: ports.clock.now() + 30_000 });
function open(source: Source, ports: FakePorts) {
  const { registration } = source.open(ports);
  assert.ok(registration);
  return (domain: string) => registration({ domain }, attempt(ports));
}
const DAY = 24 * 3_600_000;
const isBootstrap = (url: string): boolean => url.includes('data.iana.org');

test('concurrent lookups share one request for the bootstrap; it is revalidated after a day', async () => {
  const ports = registrationPorts();
  const ask = open(registrationRdap, ports);
  await Promise.all(['a.org', 'b.org', 'c.org'].map(ask));
  assert.equal(ports.asked.filter(isBootstrap).length, 1);
  await ports.clock.advance(DAY);
  await ask('d.org');
  await ask('e.org');
  assert.equal(ports.asked.filter(isBootstrap).length, 2);
});

test('a malformed or missing bootstrap leaves the current copy in use and is not requested again at once', async () => {
  for (const body of ['<html>', '{"services":{}}']) {
    const iana = { origins: ['https://data.iana.org'], answer: () => ({ status: 200, body }) };
    const ports = registrationPorts([iana, ...RDAP_HOSTS.slice(1)]);
    const ask = open(registrationRdap, ports);
    const first = await ask('never-asked-before.com');
    assert.equal(first.tag === 'found' && first.resource.available, true);
    await ask('ibisoptics.org');
    assert.equal(ports.asked.filter(isBootstrap).length, 1);
  }
});

test('bases: the bootstrap first, then the registries that IANA does not list, the longest suffix each', () => {
  const listed = new Map([
    ['com', 'https://a.example/'],
    ['io', 'https://listed.example/'],
  ]);
  assert.deepEqual(baseOf('shop.com', listed), { url: 'https://a.example/', suffix: 'com', authoritative: true });
  assert.equal(baseOf('shop.io', listed)?.url, 'https://listed.example/');
  assert.equal(baseOf('shop.io', null)?.url, 'https://rdap.identitydigital.services/rdap/');
  assert.equal(baseOf('shop.co', null)?.url, 'https://rdap.registry.co/co/');
  assert.equal(baseOf('shop.uk.com', listed)?.url, 'https://rdap.centralnic.com/uk.com/');
  assert.equal(baseOf('shop.no-such-suffix', listed), null);
});

test('a 404 of a base that IANA no longer lists does not mean available', async () => {
  const rdap = {
    origins: ['https://rdap.sidn.nl'],
    answer: () => ({ status: 404, headers: { 'content-type': 'application/rdap+json' }, body: '' }),
  };
  const iana = {
    origins: ['https://data.iana.org'],
    answer: () => ({ status: 200, body: '{"services":[[["com"],["https://x.example/"]]]}' }),
  };
  const got = await open(registrationRdap, registrationPorts([iana, rdap]))('shop.nl');
  assert.equal(got.tag, 'refused');
});

test('the registrar only fills gaps; where it does not answer, the record stays and its fields are unread', async () => {
  const thin = await open(registrationRdap, registrationPorts())('acme-widgets.com');
  assert.ok(thin.tag === 'found' && thin.resource.contacts.length === 3);
  assert.deepEqual([thin.unread, thin.freshAtMostMs], [undefined, undefined]);
  const silent = await open(registrationRdap, registrationPorts())(SPECIAL.silentRegistrar);
  assert.ok(silent.tag === 'found' && silent.resource.contacts.length === 0);
  assert.equal(silent.resource.expiresOn !== null, true, 'the record of the registry stays');
  assert.ok(silent.unread?.includes('contacts'));
});

const MINUTE = 60_000;
const THIN_RDAP = {
  objectClassName: 'domain',
  ldhName: 'thin.com',
  links: [{ rel: 'related', href: 'https://rdap.registrar.example/domain/thin.com', type: 'application/rdap+json' }],
  entities: [{ roles: ['registrar'], handle: '9999', vcardArray: ['vcard', [['fn', {}, 'text', 'Harbor Names']]] }],
};
const THIN_WHOIS =
  'Domain Name: THIN.COM\nRegistrar WHOIS Server: whois.registrar.example\nRegistrar: Harbor Names\nCreation Date: 2020-01-02T03:04:05Z\n';
const PERSON = { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Jo Roe']]] };
const json = (body: object, status = 200, headers = {}) => ({ status, headers, body: JSON.stringify(body) });
const BOOTSTRAP = {
  origins: ['https://data.iana.org'],
  answer: () => json({ services: [[['com', 'fi'], ['https://rdap.registry.example/']]] }),
};
const REGISTRY = { origins: ['https://rdap.registry.example'], answer: () => json(THIN_RDAP) };
const LOST = ['contacts', 'registrar.abuseEmail', 'registrar.abusePhone'];

for (const [what, answer, freshMs] of [
  ['a limit without a time', json({}, 429), 10 * MINUTE],
  ['a limit of five minutes', json({}, 429, { 'retry-after': '300' }), 10 * MINUTE],
  ['a limit of half an hour', json({}, 429, { 'retry-after': '1800' }), 30 * MINUTE],
  ['a limit of a day', json({}, 429, { 'retry-after': '83445' }), 60 * MINUTE],
  ['a failure until a stated time', json({}, 503, { 'retry-after': '1800' }), 30 * MINUTE],
  ['a failure', json({}, 502), 10 * MINUTE],
  ['a web page', { status: 200, body: '<html>' }, 10 * MINUTE],
  ['that it has no such name', json({ errorCode: 404, rdapConformance: ['rdap_level_0'] }, 404), 10 * MINUTE],
  ['another name', json({ ...THIN_RDAP, ldhName: 'other.com' }), 10 * MINUTE],
] as const) {
  test(`RDAP: a registrar that answers with ${what} leaves contacts and abuse fields unread for a short time`, async () => {
    const registrar = { origins: ['https://rdap.registrar.example'], answer: () => answer };
    const got = await open(registrationRdap, registrationPorts([BOOTSTRAP, REGISTRY, registrar]))('thin.com');
    assert.ok(got.tag === 'found' && got.resource.registrar?.name === 'Harbor Names');
    assert.deepEqual([got.resource.contacts, got.unread, got.freshAtMostMs], [[], LOST, freshMs]);
  });
}

for (const [what, text] of [
  ['a limit', 'Rate limit exceeded. Try again after: 24h0m0s\n'],
  ['nothing', ''],
  ['another name', 'Domain Name: OTHER.COM\nRegistrar: Harbor Names\n'],
  ['that it has no such name', 'No match for "THIN.COM".\n'],
] as const) {
  test(`WHOIS: a registrar that answers with ${what} leaves contacts and abuse fields unread for a short time`, async () => {
    const registry = { host: 'whois.verisign-grs.com', answer: () => THIN_WHOIS };
    const registrar = { host: 'whois.registrar.example', answer: () => text };
    const got = await open(registrationWhois, registrationPorts([], [registry, registrar]))('thin.com');
    assert.ok(got.tag === 'found');
    assert.deepEqual([got.resource.contacts, got.unread], [[], LOST]);
    assert.equal(got.freshAtMostMs, what === 'a limit' ? 60 * MINUTE : 10 * MINUTE);
  });
}

test('a registrar that nobody could be asked in time, or whose contacts could not be read, leaves them unread', async () => {
  const late = registrationPorts([BOOTSTRAP, REGISTRY]);
  const { registration } = registrationRdap.open(late);
  const got = await registration?.({ domain: 'thin.com' }, { signal: new AbortController().signal, deadlineMs: late.clock.now() + 1_000 });
  assert.ok(got?.tag === 'found');
  assert.deepEqual(got.unread, LOST);
  const odd = {
    ...PERSON,
    vcardArray: [
      'vcard',
      [
        ['fn', {}, 'text', 'Jo Roe'],
        ['email', {}, 'text', { value: 'jo@shop.com' }],
      ],
    ],
  };
  const registrar = { origins: ['https://rdap.registrar.example'], answer: () => json({ ...THIN_RDAP, entities: [odd] }) };
  const unread = await open(registrationRdap, registrationPorts([BOOTSTRAP, REGISTRY, registrar]))('thin.com');
  assert.ok(unread.tag === 'found' && unread.resource.contacts[0]?.name === 'Jo Roe');
  assert.deepEqual([unread.unread, unread.freshAtMostMs], [['contacts.email'], undefined]);
});

test('a registrar whose server is named in a form that cannot be asked leaves them unread; a scheme before its host is none of it', async () => {
  for (const href of ['http://rdap.registrar.example/domain/thin.com', 'https://rdap.registrar.example/']) {
    const links = [{ rel: 'related', href, type: 'application/rdap+json' }];
    const registry = { ...REGISTRY, answer: () => json({ ...THIN_RDAP, links }) };
    const got = await open(registrationRdap, registrationPorts([BOOTSTRAP, registry]))('thin.com');
    assert.ok(got.tag === 'found');
    assert.deepEqual(got.unread, LOST, href);
  }
  const whois = async (server: string) => {
    const registry = { host: 'whois.verisign-grs.com', answer: () => THIN_WHOIS.replace('whois.registrar.example', server) };
    const registrar = {
      host: 'whois.registrar.example',
      answer: () => 'Domain Name: THIN.COM\nRegistrar: Harbor Names\nRegistrant Name: Jo Roe\n',
    };
    const got = await open(registrationWhois, registrationPorts([], [registry, registrar]))('thin.com');
    assert.ok(got.tag === 'found');
    return [got.resource.contacts.map(({ name }) => name), got.unread];
  };
  for (const server of ['whois.registrar.example', 'http://whois.registrar.example/', 'whois://whois.registrar.example:43'])
    assert.deepEqual(await whois(server), [['Jo Roe'], undefined], server);
  assert.deepEqual(await whois('https://registrar.example/whois'), [[], LOST]);
});

test('a date that the registry states by WHOIS alone comes from there; without its answer it is unread', async () => {
  const record = { objectClassName: 'domain', ldhName: 'shop.fi', entities: [PERSON], status: ['active'] };
  const rdap = { origins: ['https://rdap.registry.example'], answer: () => json(record) };
  const whois = {
    host: 'whois.fi',
    answer: () => 'domain....: shop.fi\nexpires....: 15.8.2027 15:02:40\n\nHolder\n\nname....: Other Oy\n',
  };
  const filled = await open(registrationRdap, registrationPorts([BOOTSTRAP, rdap], [whois]))('shop.fi');
  assert.ok(filled.tag === 'found');
  const { expiresOn, source, contacts } = filled.resource;
  assert.deepEqual([expiresOn, source, contacts[0]?.name, filled.unread], ['2027-08-15', 'authoritative', 'Jo Roe', undefined]);
  const silent = await open(registrationRdap, registrationPorts([BOOTSTRAP, rdap], []))('shop.fi');
  assert.ok(silent.tag === 'found');
  assert.deepEqual([silent.resource.expiresOn, silent.unread, silent.freshAtMostMs], [null, ['expiresOn'], 10 * MINUTE]);
  const states = { ...record, events: [{ eventAction: 'expiration', eventDate: '2027-08-15T12:02:40Z' }] };
  const whole = registrationPorts([BOOTSTRAP, { ...rdap, answer: () => json(states) }], [whois]);
  await open(registrationRdap, whole)('shop.fi');
  assert.deepEqual(
    whole.asked.filter((url) => url.startsWith('whois:')),
    [],
    'what RDAP states is not asked for again',
  );
});

test('WHOIS: a server that IANA does not name cannot report a domain as available', async () => {
  const lying = { host: 'whois.iis.se', answer: () => 'domain "shop.se" not found.\n' };
  const moved = { host: 'whois.iana.org', answer: () => 'domain: SE\nwhois: whois.moved.se\n' };
  const now = { host: 'whois.moved.se', answer: () => 'domain: shop.se\nstatus: ok\nregistrar: New Ltd\n' };
  const got = await open(registrationWhois, registrationPorts([], [lying, moved, now]))('shop.se');
  assert.ok(got.tag === 'found' && !got.resource.available && got.resource.registrar?.name === 'New Ltd');
  const silent = await open(registrationWhois, registrationPorts([], [lying]))('shop.se');
  assert.equal(silent.tag, 'unreachable');
  const none = { host: 'whois.iana.org', answer: () => 'domain: SE\nstatus: ACTIVE\n' };
  const unnamed = await open(registrationWhois, registrationPorts([], [lying, none]))('shop.se');
  assert.equal(unnamed.tag, 'refused');
});

test('WHOIS: only the server that IANA names today decides between registered and available', async () => {
  const moved = { host: 'whois.iana.org', answer: () => 'domain: SE\nwhois: whois.moved.se\n' };
  const free = { host: 'whois.moved.se', answer: () => 'domain "shop.se" not found.\n' };
  for (const text of ['domain: shop.se\nstatus: ok\nregistrar: Old Ltd\n', 'Reserved by registry\n']) {
    const old = { host: 'whois.iis.se', answer: () => text };
    const got = await open(registrationWhois, registrationPorts([], [old, moved, free]))('shop.se');
    assert.ok(got.tag === 'found' && got.resource.available, text);
  }
  const stays = { host: 'whois.iis.se', answer: () => 'domain: shop.se\nstatus: ok\nregistrar: Shop Ltd\n' };
  const record = await open(registrationWhois, registrationPorts([], [stays]))('shop.se');
  assert.ok(record.tag === 'found' && !record.resource.available, 'a whole record stands while IANA is silent');
  const bare = { host: 'whois.iis.se', answer: () => 'Reserved by registry\n' };
  const sentence = await open(registrationWhois, registrationPorts([], [bare]))('shop.se');
  assert.equal(sentence.tag, 'unreachable');
});

test('WHOIS: an unknown top-level domain is absent because IANA says so', async () => {
  const ports = registrationPorts();
  const got = await open(registrationWhois, ports)(SPECIAL.noSuchSuffix);
  assert.equal(got.tag, 'absent');
  const offline = await open(registrationWhois, registrationPorts([], []))(SPECIAL.noSuchSuffix);
  assert.equal(offline.tag, 'unreachable');
});

test('WHOIS: IANA is queried once a day per top-level domain', async () => {
  const ports = registrationPorts();
  const ask = open(registrationWhois, ports);
  await Promise.all(['a.se', 'b.se', 'c.se'].map(ask));
  assert.equal(ports.asked.filter((a) => a.startsWith('whois://whois.iana.org')).length, 1);
});

test('a server that asks for a wait gets no request until then', async () => {
  const rests: [string, number][] = [];
  const ports = registrationPorts();
  const resting = {
    ...ports,
    pace: { take: async () => 0, rest: async (key: string, ms: number) => void rests.push([key, ms]), resting: async () => 0 },
  };
  await open(registrationRdap, resting)(SPECIAL.throttled);
  await open(registrationWhois, resting)(SPECIAL.throttled);
  assert.deepEqual(rests, [
    ['rdap rdap.nic.lat', 120_000],
    ['whois whois.nic.lat', 120_000],
  ]);
});

test('servers of a domain, their queries, and which hosts belong to its registry', () => {
  assert.equal(whoisServerOf('shop.co.uk')?.host, 'whois.nic.uk');
  assert.equal(whoisServerOf('shop.uk.com')?.host, 'whois.centralnic.com');
  assert.equal(whoisServerOf('shop.xn--p1ai')?.host, 'whois.tcinet.ru');
  assert.equal(queryFor('whois.denic.de', 'shop.de'), '-T dn,ace shop.de');
  assert.equal(queryFor('whois.jprs.jp', 'shop.jp'), 'shop.jp/e');
  assert.equal(queryFor('whois.nic.uk', 'shop.uk'), 'shop.uk');
  assert.ok(isRegistryHost('whois.nic.tv', 'shop.tv') && !isRegistryHost('tvwhois.verisign-grs.com', 'shop.tv'));
  assert.ok(isRegistryHost('whois.registry.co', 'shop.co') && isRegistryHost('whois.nic.co', 'shop.co'));
  assert.ok(!isRegistryHost('whois.namecheap.com', 'shop.com') && !isRegistryHost('', 'shop.com'));
});

test("IANA's entry of a top-level domain: its server, none, or that it does not exist", () => {
  assert.deepEqual(readDelegation('domain:       KR\n\nwhois:        whois.kr\n', 'kr'), { tag: 'delegated', whois: 'whois.kr' });
  assert.deepEqual(readDelegation('domain:       XX\nwhois:\n', 'xx'), { tag: 'delegated', whois: null });
  assert.equal(readDelegation('% This query returned 0 objects.\n', 'xx').tag, 'absent');
  assert.equal(readDelegation('<html>', 'xx').tag, 'changed');
  for (const end of ['\r\n', '\r'])
    assert.deepEqual(readDelegation(['domain: KR', '', 'whois: whois.kr', ''].join(end), 'kr'), { tag: 'delegated', whois: 'whois.kr' });
});

test("IANA's entry of every top-level domain in its own script is recognised in that script and as an A-label", async () => {
  const tlds = [...registries().whois.keys()].filter((tld) => tld.startsWith('xn--') && !tld.includes('.'));
  assert.ok(tlds.length > 40);
  for (const tld of tlds) {
    const script = domainToUnicode(tld);
    assert.notEqual(script, tld);
    for (const names of [
      `domain: ${script}\n`,
      `domain-ace: ${tld.toUpperCase()}\n`,
      `domain: ${script}\ndomain-ace: ${tld.toUpperCase()}\n`,
    ])
      assert.deepEqual(readDelegation(`${names}whois: whois.example\n`, tld), { tag: 'delegated', whois: 'whois.example' }, names);
    assert.equal(readDelegation(`domain: ${script}a\nwhois: whois.example\n`, tld).tag, 'changed');
    const host = whoisServerOf(`shop.${tld}`)?.host ?? '';
    const iana = { host: 'whois.iana.org', answer: () => `domain: ${script}\ndomain-ace: ${tld.toUpperCase()}\nwhois: ${host}\n` };
    const registry = { host, answer: () => 'No entries found for the selected source(s).\n' };
    const got = await open(registrationWhois, registrationPorts([], [iana, registry]))(`shop.${tld}`);
    assert.ok(got.tag === 'found' && got.resource.available, tld);
  }
});

test('WHOIS: every answer is handed to the parser threads, which keep large ones off the event loop', async () => {
  const ports = registrationPorts();
  const parsed: string[] = [];
  const parserThreads: ParserThreads = {
    parse(parser, answer, input, attempt) {
      parsed.push(parser.name);
      return parse({}, parser, { tag: 'answer', answer }, input, attempt);
    },
    close: async () => undefined,
  };
  const outcome = await open(registrationWhois, { ...ports, parserThreads })('acme-widgets.com');
  assert.equal(outcome.tag, 'found');
  assert.deepEqual(parsed, ['readWhois', 'registrarServer', 'readWhois']);
});
