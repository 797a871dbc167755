import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import { readRdap } from './parse.ts';

/** The facts, and the paths of what is stated in a form that is not known. */
function readOf(more: object): readonly [DomainRegistration, readonly string[]] {
  const body = Buffer.from(JSON.stringify({ objectClassName: 'domain', ldhName: 'shop.com', ...more }));
  const outcome = readRdap({ status: 200, headers: {}, body, url: 'https://rdap.example/', atMs: 0 }, { domain: 'shop.com' });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return [outcome.resource, outcome.unread ?? []];
}
const fn = ['fn', {}, 'text', 'Harbor Names'];
const version = ['version', {}, 'text', '4.0'];
const card = (...rows: unknown[]) => ['vcard', [version, ...rows]];

test('the handle is the name of a registrar only where it has no card, not where its card has a form that is not known', () => {
  const registrar = (more: object) => {
    const [{ registrar: got }, unread] = readOf({ entities: [{ roles: ['registrar'], handle: '292', ...more }] });
    return [got?.name ?? null, unread.includes('registrar.name')];
  };
  for (const form of [
    { vcardArray: [card(fn)] },
    { vcardArray: ['vcard', [{ fn: 'Harbor Names' }]] },
    { vcardArray: ['vcard', [version, [fn]]] },
    { vcardArray: ['vcard', [version, { value: fn }]] },
    { vcardArray: card(['fn', {}, 'Harbor Names']) },
    { vcardArray: JSON.stringify(card(fn)) },
    { vcardArray: ['vcard', ['["version", {}, "text", "4.0"]', ['fn', {}, 'text', { text: 'Harbor Names' }]]] },
    { vcard_array: card(fn) },
    { jCard: card(fn) },
  ])
    assert.deepEqual(registrar(form), [null, true], JSON.stringify(form));
  for (const empty of [{}, { vcardArray: [] }, { vcardArray: ['vcard', [[], null, version]] }, { vcardArray: card(['fn', {}, 'text']) }])
    assert.deepEqual(registrar(empty), ['292', false], JSON.stringify(empty));
  assert.deepEqual(registrar({ vcardArray: card(fn) }), ['Harbor Names', false]);
});

test('a row of a card that cannot be read leaves what the card lacks unread', () => {
  const contact = (...rows: unknown[]) => {
    const [{ contacts }, unread] = readOf({ entities: [{ roles: ['registrant'], vcardArray: card(...rows) }] });
    return [contacts[0]?.name ?? null, contacts[0]?.email ?? null, [...unread].sort()];
  };
  const email = ['email', {}, 'text', 'jo@shop.com'];
  for (const odd of [{ value: email }, [email], 'email:jo@shop.com'])
    assert.deepEqual(contact(fn, odd), ['Harbor Names', null, ['contacts.email', 'contacts.organization', 'contacts.phone']]);
  for (const nothing of [[], null, {}, '']) assert.deepEqual(contact(fn, nothing, email), ['Harbor Names', 'jo@shop.com', []]);
});

test('ids in a form that is not known are unread, and the handle does not stand for them', () => {
  const id = (publicIds: unknown, handle: unknown = '123') => {
    const [{ registrar }, unread] = readOf({ entities: [{ roles: ['registrar'], handle, publicIds, vcardArray: card(fn) }] });
    return [registrar?.ianaId, unread];
  };
  const type = 'IANA Registrar ID';
  for (const form of [
    { type, identifier: '1' },
    { a: { type, identifier: '1' } },
    [[{ type, identifier: '1' }]],
    JSON.stringify([{ type, identifier: '1' }]),
    [{ type, identifier: ['1'] }],
    [{ type, identifier: { value: '1' } }],
    [{ type, id: '1' }],
    [{ kind: type, identifier: '1' }],
  ])
    assert.deepEqual(id(form), [null, ['registrar.ianaId']], JSON.stringify(form));
  const [{ registrar }, unread] = readOf({ entities: [{ roles: ['registrar'], handle: '123', public_ids: [{ type, identifier: '1' }] }] });
  assert.deepEqual([registrar?.ianaId, unread], [null, ['registrar.ianaId']]);
  for (const nothing of [undefined, null, [], {}, [{}]]) assert.deepEqual(id(nothing), ['123', []], JSON.stringify(nothing));
  assert.deepEqual(id([{ type, identifier: '' }]), [null, []], 'an id that is named and empty');
  assert.deepEqual(id(undefined, 123), ['123', []], 'a handle as a number');
});

test('events, name servers and keys in members of other names are unread', () => {
  const day = '2024-01-02T00:00:00Z';
  const all = ['registeredOn', 'expiresOn', 'updatedOn'];
  for (const event of [
    { event_action: 'registration', event_date: day },
    { action: 'registration', date: day },
    { value: { eventAction: 'registration', eventDate: day } },
    [{ eventAction: 'registration', eventDate: day }],
  ])
    assert.deepEqual(readOf({ events: [event] })[1], all, JSON.stringify(event));
  assert.deepEqual(readOf({ events: [{ eventAction: 'registration', date: day }] })[1], ['registeredOn']);
  for (const nothing of [{ eventAction: 'registration' }, { eventAction: 'registration', eventActor: 'X', links: [{}] }, {}, null])
    assert.deepEqual(readOf({ events: [nothing] })[1], [], JSON.stringify(nothing));

  const whole = { objectClassName: 'nameserver', ldhName: 'ns1.shop.com' };
  for (const server of [{ objectClassName: 'nameserver', ldh_name: 'ns2.shop.com' }, { value: whole }, [whole], 7])
    assert.deepEqual(readOf({ nameservers: [whole, server] })[1], ['nameServers'], JSON.stringify(server));
  for (const nothing of [{ objectClassName: 'nameserver' }, { ldhName: '', links: [] }, [], null])
    assert.deepEqual(readOf({ nameservers: [whole, nothing] })[1], [], JSON.stringify(nothing));

  for (const secureDNS of [
    { delegation_signed: false },
    { delegation_signed: true },
    { value: { delegationSigned: true } },
    { signed: true },
  ])
    assert.deepEqual(readOf({ secureDNS })[1], ['dnssec'], JSON.stringify(secureDNS));
  for (const secureDNS of [{}, { zoneSigned: true, maxSigLife: 604800 }, { dsData: [], keyData: [] }, { events: [], links: [] }])
    assert.deepEqual(readOf({ secureDNS })[1], [], JSON.stringify(secureDNS));
});

test('entities in a form that is not known, and a party of the registrar without a role, are unread', () => {
  const whole = { objectClassName: 'entity', roles: ['registrar'], vcardArray: card(fn) };
  for (const entities of [[{ value: whole }], { a: whole }, [[whole]]])
    assert.deepEqual(readOf({ entities })[1].slice(0, 2), ['registrar.name', 'contacts'], JSON.stringify(entities));
  assert.deepEqual(readOf({ entities: [{ vcardArray: card(fn), publicIds: [{ type: 'IANA Registrar ID', identifier: '1' }] }] })[1], [
    'registrar.name',
    'contacts',
  ]);
  const email = ['email', {}, 'text', 'abuse@harbor.example'];
  const nested = (abuse: object) => readOf({ entities: [{ ...whole, entities: [abuse] }] })[1];
  assert.deepEqual(nested({ vcardArray: card(email) }), ['registrar.abuseEmail', 'registrar.abusePhone']);
  assert.deepEqual(nested({ roles: ['technical'], vcardArray: card(email) }), []);
  assert.deepEqual(nested({ roles: ['abuse'], vcardArray: card(email) }), []);
});

test('a member of the domain that is spelled in another way is unread', () => {
  const whole = {
    status: ['active'],
    events: [{ eventAction: 'registration', eventDate: '2024-01-02T00:00:00Z' }],
    nameservers: [{ ldhName: 'ns1.shop.com' }],
    secureDNS: { delegationSigned: false },
    entities: [{ roles: ['registrant'], vcardArray: card(fn) }],
  };
  assert.deepEqual(readOf(whole)[1], []);
  const { status, events, nameservers, secureDNS, entities } = whole;
  const names = { Status: status, EVENTS: events, name_servers: nameservers, secure_dns: secureDNS, Entities: entities };
  assert.deepEqual([...readOf(names)[1]].sort(), [
    'contacts',
    'dnssec',
    'expiresOn',
    'nameServers',
    'registeredOn',
    'registrar.name',
    'status',
    'updatedOn',
  ]);
  assert.equal(readOf({ secureDns: { delegationSigned: true, dsData: [{ keyTag: 1 }] } })[0].dnssec, true, "AFNIC's spelling");
  assert.deepEqual(readOf({ nameServers: ['ns1.shop.com'] })[0].nameServers, ['ns1.shop.com']);
  assert.deepEqual(readOf({ ...whole, Status: ['locked'], statuses: 1 })[1], [], 'beside the member of the standard');
});

test('a redaction in a form that is not known leaves the contacts unread', () => {
  const redaction = { name: { description: 'Admin Contact' }, method: 'removal' };
  const contacts = (redacted: unknown) => {
    const [resource, unread] = readOf({ redacted });
    return [resource.contacts.map(({ role }) => role), unread];
  };
  assert.deepEqual(contacts([redaction]), [['administrative'], []]);
  for (const odd of [redaction, [{ value: redaction }], { a: redaction }, ['Admin Contact']])
    assert.deepEqual(contacts(odd), [[], ['contacts']]);
  for (const nothing of [undefined, null, [], {}, '']) assert.deepEqual(contacts(nothing), [[], []]);
});

test('a JSContact card is read in a list, too, and a part in another form is unread; an empty name marks a redacted person', () => {
  const contact = (jscard: object) => {
    const [{ contacts }, unread] = readOf({ entities: [{ roles: ['registrant'], jscard }] });
    const [one] = contacts;
    return [one?.name ?? null, one?.email ?? null, one?.redacted ?? null, unread];
  };
  const emails = [{ address: 'jo@shop.com' }];
  assert.deepEqual(contact({ name: { full: 'Jo' }, emails }), ['Jo', 'jo@shop.com', false, []]);
  for (const odd of [{ a: 'jo@shop.com' }, [{ mail: 'jo@shop.com' }], { a: { address: { value: 'jo@shop.com' } } }])
    assert.deepEqual(contact({ name: { full: 'Jo' }, emails: odd }), ['Jo', null, false, ['contacts.email']], JSON.stringify(odd));
  for (const odd of [{ fullName: 'Jo' }, { given: 'Jo', surname: 'Roe' }, { full: { value: 'Jo' } }])
    assert.deepEqual(contact({ name: odd, emails }), [null, 'jo@shop.com', false, ['contacts.name']], JSON.stringify(odd));
  for (const empty of [{ full: '' }, { '@type': 'Name', components: [{ kind: 'given', value: '' }] }])
    assert.deepEqual(contact({ name: empty }), [null, null, true, []], JSON.stringify(empty));
});

test('a date in digits alone is unread; only a year beyond 9999 says that a registration does not expire', () => {
  const unreadOf = (eventDate: string) => readOf({ events: [{ eventAction: 'expiration', eventDate }] })[1];
  for (const odd of ['1704164645', '1704164645000', '2024-13-02', '9999123456']) assert.deepEqual(unreadOf(odd), ['expiresOn'], odd);
  for (const never of ['9999-12-31', '9999/12/31', '99991231', '294247-01-10T04:00:54.775Z']) assert.deepEqual(unreadOf(never), [], never);
});

test('a record whose only fact is a state that is not known may be of a free name', () => {
  const tagOf = (more: object) => {
    const body = Buffer.from(JSON.stringify({ objectClassName: 'domain', ldhName: 'shop.com', ...more }));
    return readRdap({ status: 200, headers: {}, body, url: 'https://rdap.example/', atMs: 0 }, { domain: 'shop.com' }).tag;
  };
  for (const status of ['available', 'free', 'not registered', 'unassigned', 'quux'])
    assert.equal(tagOf({ status: [status], secureDNS: {}, entities: [], events: [] }), 'changed', status);
  for (const status of ['active', 'reserved', 'client hold', 'locked', 'pending delete', 'inactive', 'to be released'])
    assert.equal(tagOf({ status: [status] }), 'found', status);
  assert.equal(tagOf({}), 'found');
  assert.equal(tagOf({ status: ['quux'], nameservers: [{ ldhName: 'ns1.shop.com' }] }), 'found');
  assert.equal(tagOf({ status: ['quux'], secureDNS: { delegationSigned: false } }), 'found');
});

test('a role is one in any case of letters, with blanks around it and as a text instead of a list', () => {
  const of = (form: (role: string) => unknown) =>
    readOf({
      entities: [
        { roles: form('registrar'), ...{ vcardArray: card(fn) } },
        { roles: form('technical'), ...{ vcardArray: card(fn) } },
      ],
    });
  const plain = of((role) => [role]);
  assert.deepEqual([plain[0].registrar?.name, plain[0].contacts[0]?.role], ['Harbor Names', 'technical']);
  for (const form of [
    (role: string) => [` ${role} `],
    (role: string) => [role.toUpperCase()],
    (role: string) => role,
    (role: string) => [`\t${role.toUpperCase()} Contact\n`],
  ])
    assert.deepEqual(of(form)[0], plain[0], String(form));
});

test('a page that says that the limit is reached is read in its charset', () => {
  const page = '<html><body><h1>Quota exceeded</h1></body></html>';
  for (const body of [Buffer.from(page), Buffer.from(`\ufeff${page}`, 'utf16le')])
    assert.equal(
      readRdap({ status: 403, headers: {}, body, url: 'https://rdap.example/', atMs: 0 }, { domain: 'shop.com' }).tag,
      'limited',
    );
});
