import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRdap } from './parse.ts';

const read = (body: object, status = 200) =>
  readRdap(
    { status, headers: {}, body: Buffer.from(JSON.stringify(body)), url: 'https://rdap.example/domain/shop.com', atMs: 0 },
    { domain: 'shop.com' },
  );
const readOf = (more: object) => {
  const outcome = read({ objectClassName: 'domain', ldhName: 'shop.com', ...more });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { resource: outcome.resource, unread: outcome.unread ?? [] };
};
const card = (...rows: unknown[]) => ['vcard', [['version', {}, 'text', '4.0'], ['fn', {}, 'text', 'Ann'], ...rows]];

test('an event counts in any spelling of its word; one in another word is unread, one of another kind is neither', () => {
  const day = '2024-01-02T00:00:00Z';
  const dates = (...actions: readonly string[]) => {
    const { resource, unread } = readOf({ events: actions.map((eventAction) => ({ eventAction, eventDate: day })) });
    return [[resource.registeredOn, resource.expiresOn, resource.updatedOn].map((date) => date?.slice(0, 10) ?? null), unread];
  };
  for (const action of ['last changed', 'lastChanged', 'LAST_CHANGED', ' Last-Changed '])
    assert.deepEqual(dates(action), [[null, null, '2024-01-02'], []], action);
  assert.deepEqual(dates('created'), [[null, null, null], ['registeredOn']]);
  assert.deepEqual(dates('expiry'), [[null, null, null], ['expiresOn']]);
  assert.deepEqual(dates('last modified', 'registration'), [['2024-01-02', null, null], ['updatedOn']]);
  assert.deepEqual(dates('created', 'registration'), [['2024-01-02', null, null], []]);
  for (const action of ['Record expires', 'soft expiration', 'Soft_Expiration'])
    assert.deepEqual(dates(action), [[null, '2024-01-02', null], []], action);
  for (const [action, field] of [
    ['registry expiration', 'expiresOn'],
    ['hard expiration', 'expiresOn'],
    ['record created', 'registeredOn'],
    ['domain registration', 'registeredOn'],
    ['record updated', 'updatedOn'],
  ] as const) {
    assert.deepEqual(dates(action), [[null, null, null], [field]], action);
    assert.deepEqual(dates(action, 'expiration', 'registration', 'last changed')[1], [], action);
  }
  for (const action of [
    'reregistration',
    'transfer',
    'deletion',
    'locked',
    'last update of RDAP database',
    'enum validation expiration',
    'registrar registration',
  ])
    assert.deepEqual(dates(action), [[null, null, null], []], action);
});

test('a name server without a name, or whose name is none, leaves the list unread', () => {
  const hosts = (...nameservers: readonly unknown[]) => {
    const { resource, unread } = readOf({ nameservers });
    return [resource.nameServers, unread];
  };
  const whole = { ldhName: 'NS1.SHOP.COM.' };
  assert.deepEqual(hosts(whole), [['ns1.shop.com'], []]);
  for (const other of [{ handle: 'H1' }, { ldhName: 'ns1..shop' }, { ldhName: ' ', handle: 'H1' }, 'no host'])
    assert.deepEqual(hosts(whole, other), [['ns1.shop.com'], ['nameServers']], JSON.stringify(other));
  for (const nothing of [{}, { ldhName: '' }, null, '']) assert.deepEqual(hosts(whole, nothing), [['ns1.shop.com'], []]);
});

test('a contact with a role in another word, or below another contact, is unread; one of the registrar is none of the domain', () => {
  const contacts = (...entities: readonly object[]) => {
    const { resource, unread } = readOf({ entities });
    return [resource.contacts.map(({ role }) => role), unread];
  };
  const holder = { roles: ['registrant'], vcardArray: card() };
  assert.deepEqual(contacts(holder, { roles: ['Administrative Contact'], vcardArray: card() }), [['registrant', 'administrative'], []]);
  assert.deepEqual(contacts(holder, { roles: ['owner'], vcardArray: card() }), [['registrant'], ['contacts']]);
  const admin = { roles: ['administrative'], vcardArray: card() };
  assert.deepEqual(contacts({ ...holder, entities: [admin] }), [['registrant'], ['contacts']]);
  assert.deepEqual(contacts({ ...holder, entities: [admin] }, admin), [['registrant', 'administrative'], []]);
  for (const entity of [
    { roles: ['registrar'], vcardArray: card(), entities: [admin] },
    { roles: ['reseller'], vcardArray: card() },
    { roles: ['noc', 'other'], vcardArray: card() },
  ])
    assert.deepEqual(contacts(holder, entity), [['registrant'], []], JSON.stringify(entity.roles));
});

test('a telephone number or an address that is stated and not understood is unread; where it says where to ask, it is none', () => {
  const unreadOf = (...row: readonly unknown[]) => readOf({ entities: [{ roles: ['registrant'], vcardArray: card(row) }] }).unread;
  assert.deepEqual(unreadOf('tel', {}, 'uri', 'tel:12'), ['contacts.phone']);
  assert.deepEqual(unreadOf('email', {}, 'text', 'ann@'), ['contacts.email']);
  for (const row of [
    ['tel', { type: ['fax'] }, 'uri', 'tel:12'],
    ['tel', {}, 'uri', ''],
    ['tel', {}, 'text', 'REDACTED FOR PRIVACY'],
    ['email', {}, 'text', 'ann at shop dot com'],
    ['contact-uri', {}, 'uri', 'https://shop.example/form'],
  ])
    assert.deepEqual(unreadOf(...row), [], JSON.stringify(row));
});

test('the id at IANA is read under another name of its kind; one in another form is unread, and words are no id', () => {
  const id = (type: string, identifier: unknown) => {
    const { resource, unread } = readOf({ entities: [{ roles: ['registrar'], publicIds: [{ type, identifier }], vcardArray: card() }] });
    return [resource.registrar?.ianaId, unread];
  };
  assert.deepEqual(id('IANA Registrar ID', '292'), ['292', []]);
  assert.deepEqual(id('IANA ID', 292), ['292', []]);
  assert.deepEqual(id('IANA Registrar ID', 'IANA-292'), [null, ['registrar.ianaId']]);
  assert.deepEqual(id('IANA Registrar ID', 'not applicable'), [null, []]);
  assert.deepEqual(id('Registry ID', '292'), [null, []]);
});

test('an error object of 404 whose own words say that the name is not available does not say that it is free', () => {
  const tagOf = (...description: readonly string[]) => {
    const outcome = read({ errorCode: 404, title: 'Not Found', description }, 404);
    return outcome.tag === 'found' ? outcome.resource.available : outcome.tag;
  };
  for (const words of [
    'shop.com is a variant of a registered domain and is not available.',
    'The domain is in quarantine',
    'This name is in redemption',
    'The domain is pending delete',
    'The domain shop.com has already been registered elsewhere.',
    'shop.com cannot be registered',
  ])
    assert.equal(tagOf(words), 'changed', words);
  assert.equal(tagOf('This domain is not available for registration'), false);
  for (const words of [
    'shop.com is not registered',
    'The domain was not found',
    'No such domain',
    'The domain has not been registered',
    'No domain is registered under this name.',
    'None of our registrars says that this name has been taken',
  ])
    assert.equal(tagOf(words), true, words);
});

test('a registrar whose own card has no name has that of the entity with its handle, and the abuse contact at any depth', () => {
  const abuse = (handle: string) => ({
    objectClassName: 'entity',
    roles: ['abuse'],
    handle,
    vcardArray: [
      'vcard',
      [
        ['fn', {}, 'text', 'Harbor Ltd'],
        ['email', {}, 'text', 'abuse@harbor.example'],
      ],
    ],
  });
  const registrar = (more: object) =>
    readOf({ entities: [{ objectClassName: 'entity', roles: ['registrar'], ...more }] }).resource.registrar;
  const cards = [[['version', {}, 'text', '4.0']], [['fn', {}, 'text', '']], [['fn', {}, 'text', 'R1-Harbor']]];
  for (const vcardArray of [undefined, ...cards.map((rows) => ['vcard', rows])]) {
    const { name, abuseEmail } = registrar({ handle: 'R1-Harbor', vcardArray, entities: [abuse('r1-harbor')] }) ?? {};
    assert.deepEqual([name, abuseEmail], ['Harbor Ltd', 'abuse@harbor.example']);
    assert.equal(registrar({ handle: 'R1-Harbor', vcardArray, entities: [abuse('A2')] })?.name, 'R1-Harbor');
  }
  const named = ['vcard', [['fn', {}, 'text', 'Quay Names']]];
  assert.equal(registrar({ handle: 'R1', vcardArray: named, entities: [abuse('R1')] })?.name, 'Quay Names');
  const between = { objectClassName: 'entity', roles: ['technical'], entities: [abuse('A')] };
  assert.equal(registrar({ handle: 'R1', vcardArray: named, entities: [between] })?.abuseEmail, 'abuse@harbor.example');
  const hidden = {
    objectClassName: 'entity',
    roles: ['registrar'],
    handle: 'REDACTED FOR PRIVACY',
    entities: [abuse('REDACTED FOR PRIVACY')],
  };
  assert.equal(readOf({ entities: [hidden] }).resource.registrar?.name, null, 'a placeholder is no handle that two share');
});
