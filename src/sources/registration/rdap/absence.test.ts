import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRdap } from './parse.ts';

const read = (body: object, status = 404) =>
  readRdap(
    { status, headers: {}, body: Buffer.from(JSON.stringify(body)), url: 'https://rdap.example/domain/shop.com', atMs: 0 },
    { domain: 'shop.com' },
  );
/** The outcome of an error object of 404; `free` or the states of a name that is held, where there is one. */
function saidBy(title: string | undefined, description?: unknown, more: object = {}) {
  const outcome = read({ rdapConformance: ['rdap_level_0'], errorCode: 404, title, description, ...more });
  if (outcome.tag !== 'found') return outcome.tag;
  return outcome.resource.available ? 'free' : outcome.resource.status;
}
const TITLES = ['Not Found', 'Object not found', 'Error'];

test('a 404 of a server that does not run the top-level domain says nothing of the name', () => {
  assert.equal(saidBy('Invalid TLD', ['Please search only allowed TLDs.']), 'refused');
  for (const words of [
    "The RDAP server doesn't have information about the requested zone",
    'This server is not responsible for this TLD',
    'TLD com is not managed by this registry',
    'Zone not found',
    'No RDAP service for this TLD',
    'No RDAP service is available for this resource',
    'No service is available for this object',
    'No information for the queried top-level domain',
    'The requested domain is out of the zones of this server',
    'The domain is not within the scope of this server',
    'Wrong server',
  ])
    for (const title of TITLES) assert.equal(saidBy(title, [words]), 'refused', `${title}: ${words}`);
});

test('a 404 about an address, a page or an interface is of a service that has moved', () => {
  for (const words of [
    'Endpoint not found',
    'Path not found',
    'No route matches',
    'Page not found',
    'Unknown path: /domain/shop.com',
    'The requested URL was not found on the server.',
    'Cannot GET /domain/shop.com',
  ]) {
    assert.equal(saidBy(words), 'changed', words);
    for (const title of TITLES) assert.equal(saidBy(title, [words]), 'changed', `${title}: ${words}`);
  }
  assert.equal(saidBy('Not Found', undefined, { error: 'Endpoint not found' }), 'changed');
  assert.equal(saidBy('Not Found', ['The server has not found anything matching the Request-URI.']), 'free', 'the words of RFC 2616');
});

test('words that leave open whether the client may not see the record say nothing of the name', () => {
  for (const words of ['The object was not found, or access to it is restricted.', 'No such object, or access is denied'])
    for (const title of TITLES) assert.equal(saidBy(title, [words]), 'changed', `${title}: ${words}`);
});

test('a name of which the registry says that it is premium, blocked by a product or in an auction is not free', () => {
  for (const words of [
    'This is a premium domain',
    'Premium name',
    'Premium domain: contact the registry',
    'shop.com is a platinum name and can be bought from the registry',
    'This premium domain is available for registration',
    'This name subscribes to the ShopBlock product',
    'Le domaine est réservé',
    'shop.com blocked by BSA',
  ])
    for (const title of TITLES) assert.deepEqual(saidBy(title, [words]), ['reserved'], `${title}: ${words}`);
  assert.deepEqual(saidBy('Not Found', ['Domain Name: shop.com', 'This name is not available for registration:', 'Registry Reserved']), [
    'reserved',
  ]);
  assert.deepEqual(saidBy('Auction pending'), ['Auction pending']);
  assert.deepEqual(saidBy('Not Found', ['to be released']), ['to be released']);
  for (const words of ['shop.com was not found. It is not a premium domain.', 'No such domain; premium prices may apply', 'Not in auction'])
    assert.equal(saidBy('Not Found', [words]), 'free', words);
});

test('a 404 that is no error object, and a 451, are not of the registry: no update of ours cures them', () => {
  const answerOf = (status: number, body: string) => ({ status, headers: {}, body: new TextEncoder().encode(body), url: '', atMs: 0 });
  for (const [status, body] of [
    [404, '<html>Not Found</html>'],
    [404, '{"error":"no route"}'],
    [404, ''],
    [451, ''],
  ] as const)
    assert.partialDeepStrictEqual(readRdap(answerOf(status, body), { domain: 'shop.com' }), { tag: 'changed', cause: 'foreign' }, body);
});

test('words of a 404 that do not say that there is no record prove nothing', () => {
  for (const words of [
    'Forbidden name',
    'The domain is in its sunrise period',
    'The information exists but is withheld',
    'Name is a variant of shop2.com',
    'Upstream error',
    '該網域為保留名稱',
    'Authentication required',
    'You are not authorized to view this object',
    'The domain is not allowed',
    'Domain name is not registrable',
    'shop.com is not active',
    'shop.com is not delegated',
  ])
    for (const title of TITLES) assert.equal(saidBy(title, [words]), 'changed', `${title}: ${words}`);
  assert.equal(saidBy('Lookup failed'), 'changed');
});

test('a 404 that says that there is no record, in any words, or that says nothing, is of a free name', () => {
  for (const words of [
    'shop.com not found',
    'Object not found.',
    'The requested domain was not found in the Registry or Registrar’s RDAP Server.',
    "The domain you are seeking as 'shop.com.' is/are not here.",
    'No information available for shop.com',
    'shop.com is available for registration',
    'shop.com does not exist',
    'shop.com: unknown domain',
    'Domain name is not registered',
    'El dominio no existe',
    'Domaine inconnu',
    'Objekt nicht gefunden',
    'Домен не найден',
    '域名不存在',
    'ドメインが見つかりません',
    'notFound',
    'Unable to find the requested domain',
    'Query returned 0 results',
    'Domain tidak ditemukan',
    'Không tìm thấy tên miền',
    'ไม่พบโดเมน',
  ])
    for (const title of [...TITLES, 'Domain lookup']) assert.equal(saidBy(title, [words]), 'free', `${title}: ${words}`);
  for (const nothing of [
    undefined,
    [],
    '',
    [''],
    ['shop.com'],
    ['Domain Name: SHOP.COM'],
    ['https://registry.example/help'],
    ['HTTP 404'],
    7,
  ]) {
    assert.equal(saidBy('Not Found', nothing), 'free', JSON.stringify(nothing));
    assert.equal(saidBy('404', nothing), 'free', JSON.stringify(nothing));
    assert.equal(saidBy(undefined, nothing), 'free', JSON.stringify(nothing));
  }
  const notices = [{ title: 'Second Chance Period', description: ['This domain is currently available for registration in that period'] }];
  assert.equal(saidBy('Not Found', ['shop.com in Second Chance Period'], { notices }), 'free', 'a notice that says so');
  assert.equal(saidBy('Not Found', ['shop.com in Second Chance Period']), 'changed');
});

test('an error object that has the data of a domain contradicts itself', () => {
  for (const data of [
    { objectClassName: 'domain', ldhName: 'shop.com' },
    { ldhName: 'shop.com', events: [{ eventAction: 'registration', eventDate: '2024-01-02' }] },
    { nameservers: [{ ldhName: 'ns1.shop.com' }] },
  ])
    for (const status of [200, 404]) assert.equal(read({ errorCode: 404, title: 'Not Found', ...data }, status).tag, 'changed');
  assert.equal(read({ errorCode: 404, ldhName: 'shop.com', events: [], entities: [] }).tag, 'found');
});

test('a server that does not implement the query is no failure of the registry; a limit is one wherever its JSON states it', () => {
  assert.equal(read({ errorCode: 501, title: 'Not Implemented' }, 501).tag, 'refused');
  assert.equal(read({ errorCode: 501, title: 'Not Implemented' }, 200).tag, 'refused');
  assert.equal(read({ errorCode: 503 }, 503).tag, 'unreachable');
  for (const status of [200, 400, 403, 503])
    for (const member of ['error', 'message', 'detail'])
      assert.equal(read({ [member]: 'Rate limit exceeded. Please try again later.' }, status).tag, 'limited', `${status} ${member}`);
});

test('a name that may not be registered is not free, whether the error says it or a notice', () => {
  for (const words of [
    'This name may not be registered',
    'The name can not be registered: name collision',
    'This name is not available for registration:',
    'Domain is withheld from registration',
    'The requested domain is held by the registry',
  ]) {
    assert.notEqual(saidBy('Not Found', [words]), 'free', words);
    assert.notEqual(saidBy('Object not found', undefined, { notices: [{ title: 'Notice', description: [words] }] }), 'free', words);
  }
  assert.deepEqual(saidBy('Not Found', ['This domain is on the ICANN reserved list']), ['reserved']);
  assert.deepEqual(saidBy('Not Found', ['Domain Name: shop.com', 'This name is not available for registration:', 'Registry Reserved']), [
    'reserved',
  ]);
  const notices = [{ title: 'Notice', description: ['Domain names that contravene the rules may not be registered.'] }];
  assert.equal(saidBy('Object not found', undefined, { notices }), 'free');
});
