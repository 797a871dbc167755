import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import type { Outcome } from '../../outcome.ts';
import { readBootstrap } from './bases.ts';
import { readRdap, registrarLink } from './parse.ts';

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}, url = 'https://rdap.example/domain/shop.com') => ({
  status,
  headers,
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  url,
  atMs: 0,
});
const read = (body: unknown, status = 200, headers = {}, url?: string) =>
  readRdap(answer(body, status, headers, url), { domain: 'shop.com' });
const resource = (outcome: Outcome<DomainRegistration>): DomainRegistration => {
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource;
};
const base = { objectClassName: 'domain', ldhName: 'SHOP.COM.' };
const card = (...rows: unknown[]) => ['vcard', [['version', {}, 'text', '4.0'], ...rows]];

test('a domain object without other members is a registered domain without data', () => {
  const r = resource(read(base));
  assert.deepEqual(
    [r.available, r.registrar, r.registeredOn, r.status, r.nameServers, r.dnssec, r.contacts],
    [false, null, null, [], [], null, []],
  );
});

const RDAP = { 'content-type': 'application/rdap+json; charset=utf-8' };

test('a 404 means available if it is an RDAP error object, or empty with the RDAP media type', () => {
  assert.equal(resource(read('', 404, RDAP)).available, true);
  assert.equal(resource(read({ errorCode: '404' }, 404)).available, true);
  assert.equal(resource(read({ rdapConformance: ['rdap_level_0'], notices: [] }, 404)).available, true);
  const foreign = [
    '',
    '{}',
    '[]',
    'null',
    '"not found"',
    { message: 'no Route matched with those values' },
    { error: 'Not Found', status: 404 },
    { errorCode: 500, rdapConformance: ['rdap_level_0'] },
    { title: 'Not Found', description: ['Not Found'] },
    { ...base, rdapConformance: ['rdap_level_0'] },
  ];
  for (const body of foreign) assert.equal(read(body, 404, { 'content-type': 'application/json' }).tag, 'changed', JSON.stringify(body));
  assert.equal(read({ message: 'no Route matched' }, 404, RDAP).tag, 'changed');
  assert.equal(resource(read({ errorCode: 404, title: 'Object not found' }, 404)).available, true);
  assert.equal(read('<html><center>nginx</center></html>', 404).tag, 'changed');
  assert.equal(read({ errorCode: 404, title: 'domain shop.com not found in bootstrap file' }, 404).tag, 'refused');
  assert.equal(read('', 404, RDAP, 'https://rdap.org/domain/shop.com').tag, 'refused');
  assert.equal(read('', 404, RDAP, 'https://rdap.verisign.com/domain/shop.com').tag, 'refused');
  assert.equal(resource(read('', 404, RDAP, 'https://rdap.verisign.com/com/v1/domain/shop.com')).available, true);
});

test('an error object of 404 whose own words are of a failure does not say that a name is free', () => {
  const tagOf = (more: object, status = 404) => read({ errorCode: 404, rdapConformance: ['rdap_level_0'], ...more }, status).tag;
  for (const [words, tag] of [
    ['Service temporarily unavailable', 'unreachable'],
    ['The RDAP service is temporarily unavailable. Please try again later.', 'unreachable'],
    ['Internal server error', 'unreachable'],
    ['The system is under maintenance', 'unreachable'],
    ['Too many requests', 'limited'],
    ['Invalid domain name', 'refused'],
  ] as const)
    for (const status of [200, 404]) {
      assert.equal(tagOf({ title: words }, status), tag, words);
      assert.equal(tagOf({ title: 'Not Found', description: [words] }, status), tag, words);
    }
  const note = [{ title: 'Notice', description: ['Please try again later.'] }];
  for (const more of [
    { title: 'Not Found', notices: note },
    { description: ['The domain shop.com was not found. Error: timeout is no reason.'] },
  ])
    assert.equal(tagOf(more), 'found', JSON.stringify(more));
});

test('rate limits are recognised under any status; terms of use that mention limits are not', () => {
  const limited = read('', 429, { 'retry-after': '83445' });
  assert.equal(limited.tag === 'limited' && limited.retryAfterMs, 83_445_000);
  assert.equal(read('<h3>403 Forbidden</h3>Number of allowed queries exceeded.', 403).tag, 'limited');
  assert.equal(read({ errorCode: '422', description: 'Your access is too fast' }, 422).tag, 'limited');
  assert.equal(read({ notices: { title: '401 Unauthorized', description: "Path 'domain': Quota exceeded (31/30)" } }).tag, 'limited');
  const terms = { notices: [{ title: 'Terms', description: ['If too many queries are received, quota exceeded.'] }] };
  assert.equal(resource(read({ ...base, ...terms })).available, false);
  assert.equal(resource(read({ errorCode: 404, title: 'Object not found', ...terms }, 404)).available, true);
});

test('a block page is never parsed as an answer', () => {
  assert.equal(read('<p>no</p>', 403).tag, 'blocked');
  assert.equal(read('<p>hello</p>').tag, 'changed');
  assert.equal(read('{"objectClassName":"domain","ldh').tag, 'changed');
  assert.equal(read([]).tag, 'changed');
  assert.equal(read('oops', 502).tag, 'unreachable');
  assert.equal(read({ errorCode: 400 }, 400).tag, 'refused');
  assert.equal(read({ errorCode: 500, title: 'no' }).tag, 'unreachable');
});

test('an answer about another domain is changed', () => {
  assert.equal(read({ ...base, ldhName: 'other.com' }).tag, 'changed');
  assert.equal(read({ objectClassName: 'entity', handle: 'X' }).tag, 'changed');
});

test('the sponsoring registrar, its id and its abuse contact are found in every position that servers use', () => {
  const abuse = {
    roles: ['Abuse'],
    vcardArray: card(
      ['fn', {}, 'text', ''],
      ['tel', { Type: ['voice'] }, 'uri', 'tel:+1.5550100'],
      ['email', {}, 'text', 'abuse@r.example'],
    ),
  };
  const other = { roles: ['registrar'], vcardArray: card(['fn', {}, 'text', 'Other']) };
  const own = {
    handle: '292',
    roles: ['sponsor', 'registrar'],
    vcardArray: card(['org', {}, 'text', ['Own Ltd', 'Unit']]),
    publicIds: [{ type: 'IANA Registrar ID', identifier: 292 }],
  };
  const facts = { name: 'Own Ltd, Unit', ianaId: '292', abuseEmail: 'abuse@r.example', abusePhone: '+1.5550100' };
  assert.deepEqual(resource(read({ ...base, entities: [other, own, abuse] })).registrar, facts);
  assert.deepEqual(resource(read({ ...base, entities: { ...own, entities: [abuse] } })).registrar, facts);
  assert.equal(resource(read({ ...base, entities: [{ handle: 'REG-X', roles: ['registrar'] }] })).registrar?.name, 'REG-X');
});

test('events, statuses, hosts and keys are read; the age of the database is ignored', () => {
  const events = [
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
    { eventAction: 'registrar expiration', eventDate: '2030-01-01T00:00:00Z' },
    { eventAction: 'Expiration', eventDate: '2031-01-01T00:00:00Z' },
    { eventAction: 'registration', eventDate: '2020-01-01T01:00:00' },
  ];
  const r = resource(
    read({
      ...base,
      events,
      status: ['active', 'client hold', 7],
      nameservers: [{ ldhName: 'NS1.SHOP.COM.' }, null],
      secureDNS: { zoneSigned: true, dsData: [{ keyTag: 1 }] },
    }),
  );
  assert.deepEqual([r.registeredOn, r.expiresOn, r.updatedOn], ['2020-01-01', '2031-01-01T00:00:00.000Z', null]);
  assert.deepEqual([r.status, r.nameServers, r.dnssec], [['ok', 'clientHold'], ['ns1.shop.com'], true]);
  assert.equal(resource(read({ ...base, secureDNS: { zoneSigned: true } })).dnssec, null);
});

test('every kind of redaction gives null values and sets `redacted`', () => {
  const bare = {
    roles: ['registrant', 'technical'],
    vcardArray: card(['fn', {}, 'text', 'REDACTED FOR PRIVACY'], ['org', {}, 'text', 'Shop Ltd']),
  };
  const redacted = [
    { name: { description: 'Admin Email' }, method: 'removal' },
    { name: { type: 'Registry Domain ID' } },
    { prePath: "$.entities[?(@.roles[0]=='billing')]", name: { description: 'x' } },
  ];
  const r = resource(read({ ...base, entities: [bare], redacted }));
  assert.deepEqual(
    r.contacts.map((c) => [c.role, c.name, c.organization, c.redacted]),
    [
      ['registrant', null, 'Shop Ltd', true],
      ['technical', null, 'Shop Ltd', true],
      ['administrative', null, null, true],
      ['billing', null, null, true],
    ],
  );
  const proxy = { roles: ['registrant'], vcardArray: card(['fn', {}, 'text', 'Domains By Proxy, LLC']) };
  assert.deepEqual(
    resource(read({ ...base, entities: [proxy] })).contacts.map((c) => [c.name, c.redacted]),
    [['Domains By Proxy, LLC', true]],
  );
});

test('a malformed part does not lose the others', () => {
  const broken = { roles: ['registrant'], vcardArray: ['vcard', ['fn', '{}', 'text', 'A'], ['email', '{}', 'text', 'a@shop.com']] };
  const r = resource(
    read({ ...base, handle: null, entities: [broken, 3, null], events: {}, nameservers: 'x', status: 'active', links: 4 }),
  );
  assert.deepEqual([r.status, r.contacts[0]?.email], [['ok'], 'a@shop.com']);
});

test('the registrar is found by a related RDAP link to the same kind of object, over https alone', () => {
  const link = (href: string, rel = 'related', type = 'application/rdap+json') =>
    registrarLink(answer({ ...base, links: [{ rel, href, type }] }));
  assert.equal(link('https://rdap.r.example/domain/SHOP.COM'), 'https://rdap.r.example/domain/SHOP.COM');
  for (const named of ['http://rdap.r.example/domain/SHOP.COM', 'https://rdap.r.example/', 'https://rdap.r.example/domain/']) {
    const got = link(named);
    assert.ok(got !== null && typeof got !== 'string' && got.tag === 'refused', `${named}: the registrar is named and cannot be asked`);
  }
  assert.equal(link('https://www.r.example', 'about', 'text/html'), null);
  assert.equal(link('https://rdap.example/domain/SHOP.COM'), null, 'the server that answered is not asked again');
  const alone = { rel: 'related', href: 'https://rdap.r.example/domain/SHOP.COM', type: 'application/rdap+json' };
  assert.equal(registrarLink(answer({ ...base, links: alone })), alone.href, 'a link that is no list');
});

test('a bootstrap file gives https bases with a final slash; a malformed one gives null', () => {
  const file = (services: unknown) => readBootstrap({ version: '1.0', services });
  assert.deepEqual(
    [
      ...(file([
        [
          ['com', 'NET'],
          ['http://x.example/', 'https://x.example'],
        ],
      ]) ?? []),
    ],
    [
      ['com', 'https://x.example/'],
      ['net', 'https://x.example/'],
    ],
  );
  assert.deepEqual(
    [...(file([[['kg'], ['http://x.example']], [['bad'], ['http://x.example/%%']], 7]) ?? [])],
    [['kg', 'http://x.example/']],
  );
  for (const bad of [file([]), file({}), file('x'), readBootstrap(null), readBootstrap('<html>')]) assert.equal(bad, null);
});

test('a JSContact card is read if an entity has one instead of a jCard', () => {
  const jscard = {
    '@type': 'Card',
    version: '1.0',
    kind: 'org',
    name: {
      components: [
        { kind: 'given', value: 'Joe' },
        { kind: 'separator', value: ' ' },
        { kind: 'surname', value: 'User' },
      ],
    },
    organizations: { org: { name: 'Shop Ltd' } },
    emails: { main: { address: 'joe@shop.com' } },
    phones: {
      fax: { features: { fax: true }, number: 'tel:+1.5550000001' },
      voice: { features: { voice: true }, number: 'tel:+1.5550000002' },
    },
  };
  const registrar = { roles: ['registrar'], handle: '292', jscard: { name: { full: 'Harbor Names Inc.' } } };
  const body = { objectClassName: 'domain', ldhName: 'shop.com', entities: [registrar, { roles: ['registrant'], jscard }] };
  const answer = { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: 'https://rdap.example/', atMs: 0 };
  const got = readRdap(answer, { domain: 'shop.com' });
  assert.ok(got.tag === 'found');
  assert.equal(got.resource.registrar?.name, 'Harbor Names Inc.');
  assert.deepEqual(got.resource.contacts, [
    { role: 'registrant', name: 'Joe User', organization: 'Shop Ltd', email: 'joe@shop.com', phone: '+1.5550000002', redacted: false },
  ]);
});

test('a redaction of all entities, or of one by its index, marks the roles concerned', () => {
  const person = (role: string) => ({ roles: [role], vcardArray: ['vcard', [['org', {}, 'text', 'Shop Ltd']]] });
  const marked = (prePath: string): readonly string[] => {
    const body = {
      objectClassName: 'domain',
      ldhName: 'shop.com',
      entities: [{ roles: ['registrar'] }, person('registrant'), person('technical')],
      redacted: [{ name: { description: 'all Email' }, prePath, method: 'removal' }],
    };
    const answer = {
      status: 200,
      headers: {},
      body: new TextEncoder().encode(JSON.stringify(body)),
      url: 'https://rdap.example/',
      atMs: 0,
    };
    const got = readRdap(answer, { domain: 'shop.com' });
    assert.ok(got.tag === 'found');
    return got.resource.contacts.flatMap((c) => (c.redacted ? c.role : []));
  };
  assert.deepEqual(marked("$..entities[*].vcardArray[1][?(@[0]=='email')]"), ['registrant', 'technical']);
  assert.deepEqual(marked("$.entities[-1].vcardArray[1][?(@[0]=='email')]"), ['technical']);
  assert.deepEqual(marked("$.entities[1].vcardArray[1][?(@[0]=='email')]"), ['registrant']);
});

test('a handle names one entity: the card of the same handle elsewhere in the answer is its own', () => {
  const names = card(['fn', {}, 'text', 'Harbor Names Ltd'], ['email', {}, 'text', 'abuse@harbor.example']);
  const abuse = { objectClassName: 'entity', handle: '1-Registry', roles: ['abuse'], vcardArray: names };
  const registrar = { objectClassName: 'entity', handle: '1-Registry', roles: ['registrar'], entities: [abuse] };
  const nested = resource(read({ ...base, entities: [registrar] }));
  assert.deepEqual([nested.registrar?.name, nested.registrar?.abuseEmail], ['Harbor Names Ltd', 'abuse@harbor.example']);
  const other = resource(read({ ...base, entities: [{ ...registrar, entities: [{ ...abuse, handle: 'OTHER' }] }] }));
  assert.equal(other.registrar?.name, '1-Registry', 'the handle where only a handle is stated');
  const holder = { objectClassName: 'entity', handle: 'JR1', roles: ['registrant'] };
  const technical = { ...holder, roles: ['technical'], vcardArray: card(['fn', {}, 'text', 'Jo Roe']) };
  const both = resource(read({ ...base, entities: [holder, technical] })).contacts;
  assert.deepEqual(
    both.map(({ role, name }) => [role, name]),
    [
      ['registrant', 'Jo Roe'],
      ['technical', 'Jo Roe'],
    ],
  );
});

test('an entity without roles has those of its card; where that states none either, the contacts are unread', () => {
  const person = (name: string, ...roles: string[]) => ({
    objectClassName: 'entity',
    vcardArray: card(['fn', {}, 'text', name], ...roles.map((role) => ['role', {}, 'text', role])),
  });
  const got = read({
    ...base,
    entities: [person('Jo Roe', 'registrant'), { ...person('Ann Roe', 'Administrative', 'technical'), roles: [] }],
  });
  assert.ok(got.tag === 'found' && got.unread === undefined);
  assert.deepEqual(
    got.resource.contacts.map(({ role, name }) => [role, name]),
    [
      ['registrant', 'Jo Roe'],
      ['administrative', 'Ann Roe'],
      ['technical', 'Ann Roe'],
    ],
  );
  const without = read({ ...base, entities: [person('Jo Roe')] });
  assert.ok(without.tag === 'found');
  assert.deepEqual([without.resource.contacts, without.unread], [[], ['contacts']]);
  const stated = read({ ...base, entities: [{ ...person('Jo Roe', 'registrant'), roles: ['technical'] }] });
  assert.deepEqual(
    resource(stated).contacts.map(({ role }) => role),
    ['technical'],
    'roles of RDAP go before the card',
  );
});

test('of several events of one action the first with a date is read; an empty one says nothing', () => {
  const event = (eventAction: string, eventDate?: unknown) => ({ eventAction, eventDate });
  for (const empty of [undefined, null, '', ' ', 'N/A']) {
    const events = ['registration', 'expiration', 'last changed'].flatMap((action) => [
      event(action, empty),
      event(action, '2027-01-02T03:04:05Z'),
    ]);
    const got = read({ ...base, events });
    assert.ok(got.tag === 'found' && got.unread === undefined);
    const { registeredOn, expiresOn, updatedOn } = got.resource;
    assert.deepEqual(new Set([registeredOn, expiresOn, updatedOn]), new Set(['2027-01-02T03:04:05.000Z']), String(empty));
  }
  const none = read({ ...base, events: [event('expiration', 'N/A'), event('expiration', '')] });
  assert.ok(none.tag === 'found' && none.unread === undefined && none.resource.expiresOn === null);
  const strange = read({ ...base, events: [event('expiration', ''), event('expiration', 'in three years')] });
  assert.ok(strange.tag === 'found');
  assert.deepEqual(strange.unread, ['expiresOn']);
});

test('a DS or key record signs a domain, alone or in a list; an empty one does not', () => {
  const dnssec = (secureDNS: object) => resource(read({ ...base, secureDNS })).dnssec;
  for (const records of [{ dsData: { keyTag: 1, digest: 'AB' } }, { dsData: [{}, { keyTag: 1 }] }, { keyData: { publicKey: 'AB' } }])
    assert.equal(dnssec({ delegationSigned: false, ...records }), true, JSON.stringify(records));
  for (const records of [{ dsData: [{}] }, { dsData: [{ keyTag: null, digest: '' }] }, { keyData: [] }])
    assert.equal(dnssec({ delegationSigned: false, ...records }), false, JSON.stringify(records));
});

test('a contact that is named without a card beside others with one, or whose role is not known, is unread; one that is withheld is a contact', () => {
  const unreadOf = (...entities: readonly object[]) => {
    const got = read({ ...base, entities });
    assert.ok(got.tag === 'found');
    return got.unread ?? [];
  };
  const jo = card(['fn', {}, 'text', 'Jo Roe']);
  // a registry that prints handles alone
  assert.deepEqual(unreadOf({ roles: ['registrant'], handle: 'JR1' }), []);
  assert.deepEqual(unreadOf({ roles: ['registrant'], vcardArray: jo }, { roles: ['technical'], handle: 'AR1' }), ['contacts']);
  assert.deepEqual(unreadOf({ vcardArray: card(['fn', {}, 'text', 'Jo'], ['role', {}, 'text', 'Keeper']) }), ['contacts']);
  assert.deepEqual(unreadOf({ roles: ['registrant'], handle: 'JR1', status: ['private'] }), []);
  assert.deepEqual(unreadOf({ vcardArray: card(['fn', {}, 'text', 'Jo'], ['role', {}, 'text', 'Technical Contact']) }), []);
  assert.deepEqual(unreadOf({ vcardArray: card(['fn', {}, 'text', 'Jo'], ['role', {}, 'text', 'Abuse']) }), []);
  const registrar = { roles: ['registrar'], vcardArray: card(['fn', {}, 'text', 'Harbor Names']) };
  assert.deepEqual(unreadOf({ roles: ['registrant'], vcardArray: jo, entities: [registrar] }), ['registrar.name']);
});

test('an entity or a property that states nothing decides over no other of its kind', () => {
  const registrar = { roles: ['registrar'], handle: '9', vcardArray: card(['fn', {}, 'text', 'Harbor Names']) };
  const abuse = (...rows: unknown[]) => ({ roles: ['abuse'], vcardArray: card(...rows) });
  const reached = abuse(['email', {}, 'text', 'abuse@harbor.example'], ['tel', {}, 'uri', 'tel:+1.5550100']);
  for (const entities of [
    [{ roles: ['registrar'] }, { ...registrar, entities: [abuse(['email', {}, 'text', '']), reached] }],
    [registrar, abuse(['tel', {}, 'text', 'N/A']), reached],
  ]) {
    const got = resource(read({ ...base, entities })).registrar;
    assert.deepEqual([got?.name, got?.abuseEmail, got?.abusePhone], ['Harbor Names', 'abuse@harbor.example', '+1.5550100']);
  }
  const holder = (...rows: unknown[]) =>
    resource(read({ ...base, entities: [{ roles: ['registrant'], vcardArray: card(...rows) }] })).contacts[0];
  const family = ['n', {}, 'text', ['Roe', 'Jo', ['Ann', 'May'], '', '']];
  assert.deepEqual([holder(['fn', {}, 'text', ''], family)?.name, holder(family)?.name], ['Jo Ann May Roe', 'Jo Ann May Roe']);
  assert.equal(holder(['fn', {}, 'text', 'Jo R.'], family)?.name, 'Jo R.');
  const empty = holder(['fn', {}, 'text', ''], ['n', {}, 'text', ['', '', '', '', '']]);
  assert.deepEqual([empty?.name, empty?.redacted], [null, true]);
});

test('a status is read without the link and the remark that a registrar prints behind it; a link alone is no status', () => {
  const said = [
    'clientHold https://icann.org/epp#clientHold',
    'server hold (by court)',
    'https://icann.org/epp#ok',
    'reserved by the registry',
  ];
  assert.deepEqual(resource(read({ ...base, status: said })).status, ['clientHold', 'serverHold', 'reserved by the registry']);
});

test('a registrar of whom nothing is stated, and a card in a form that no standard has, are unread', () => {
  const unreadOf = (...entities: readonly object[]) => {
    const outcome = read({ ...base, entities });
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.registrar?.name ?? null, outcome.unread ?? []];
  };
  const nothing = [null, ['registrar.name']];
  assert.deepEqual(unreadOf({ roles: ['registrar'] }), nothing);
  for (const form of [
    { vcard: { fn: 'Harbor' } },
    { vcards: [['vcard', [['fn', {}, 'text', 'Harbor']]]] },
    { vcardArray: 'FN:Harbor' },
    { vcardArray: { fn: 'Harbor' } },
  ])
    assert.deepEqual(unreadOf({ roles: ['registrar'], ...form }), nothing, JSON.stringify(form));
  assert.deepEqual(unreadOf({ roles: ['registrar'], handle: 'HARBOR' }), ['HARBOR', []]);
  assert.deepEqual(unreadOf({ roles: ['registrar'], vcardArray: card(['fn', {}, 'text', 'REDACTED FOR PRIVACY']) }), [null, []]);
  const contact = { roles: ['technical'], handle: 'H1' };
  assert.deepEqual(unreadOf({ ...contact, vcard: { fn: 'Jo Roe' } })[1], [
    'contacts.name',
    'contacts.organization',
    'contacts.email',
    'contacts.phone',
  ]);
  for (const empty of [{}, { vcardArray: null }, { vcardArray: ['vcard'] }, { vcard: '' }, { jscard: {} }])
    assert.deepEqual(unreadOf({ ...contact, ...empty }), [null, []], JSON.stringify(empty));
});

test('an entity that was removed is not the one that has its index now; a registration without an end has no date', () => {
  const jo = { roles: ['technical'], vcardArray: card(['fn', {}, 'text', 'Jo Roe']) };
  const redacted = [{ name: { type: 'Holder' }, prePath: '$.entities[0]', method: 'removal' }];
  const got = read({ ...base, entities: [jo], redacted, events: [{ eventAction: 'expiration', eventDate: '9999-12-31T00:00:00Z' }] });
  assert.ok(got.tag === 'found' && got.unread === undefined);
  assert.deepEqual([got.resource.contacts.map((c) => [c.name, c.redacted]), got.resource.expiresOn], [[['Jo Roe', false]], null]);
});
