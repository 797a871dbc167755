import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPhrase, readWhoisText, saysAvailable } from './parse.ts';

/** Sentences of registry software about the unregistered domain `free.xx`. */
const FREE = [
  'Domain name free.xx (free.xx) does not exist in database!',
  'domain free.xx does not exist',
  'Status: AVAILABLE (No match for domain "free.xx")',
  'NO MATCH: free.xx',
  'No Match',
  'No entries found for domain "free.xx"',
  'No match found for "free.xx"',
  'Sorry, but domain: "free.xx", not found in database',
  'No match for domain "free.xx"',
  'Not found',
  '% No such domain',
  'No records matching free.xx found.',
  'free.xx no match',
  'free.xx not found',
  'The domain free.xx is not registered.',
  'El dominio free.xx no existe',
  '%ERROR:101: no entries found',
  'El dominio no se encuentra registrado en NIC Argentina',
  'El dominio free.xx no se encuentra registrado',
  'Not found: free.xx',
  'Dominio no registrado',
  'Extended Domain Status: available',
  'Domain Status: No Object Found',
  'Dominio disponible',
  "The queried object does not exist: Domain name 'free.xx'",
  'Unregistered domain name',
  'free.xx - No Match',
  'Domínio free.xx não registado / Domain free.xx not registered',
  'The domain name free.xx is not registered',
  'Domain free.xx is not registered yet',
  'Domain is available',
  'Domain free.xx not found.',
  'The domain has not been registered.',
  'Domain free.xx not registered.',
  'free.xx was not found',
  'free.xx: no match found',
  'No matches found for free.xx',
  'No information available for free.xx',
  'free.xx is not a registered domain',
  'The domain name "free.xx" is not found',
  'Domain "free.xx" - no existe',
  'Record not found',
  "The requested domain was not found in the Registry or Registrar's WHOIS Server.",
  'No record found for "free.xx"',
  'Error: domain not found',
  'ERROR: No entries found',
  'Object not found',
  'no object found',
  'The domain name you requested is not registered',
  'The requested domain name is available',
  'free.xx is available for registration.',
  'Status: Not Registered',
  'No entries found in the database for free.xx',
  'Domain does not exist',
  'free.xx — domain name does not exist.',
  'free.xx - The domain name does not exist',
  "Domain free.xx doesn't exist",
  'Domain does not exist: free.xx',
  'There is no domain free.xx in the registry',
  'No domain free.xx exists in our database',
  'No records for free.xx in the registry',
  'free.xx: no such domain',
  'free.xx - домен не існує',
  'free.xx - доменное имя не существует',
  'Домен free.xx не існує',
  'Result: Domain not found',
  'Requested domain does not exist',
  'free.xx domain is not registered',
  'There is no such domain free.xx',
  'free.xx is still available',
  'Domain name free.xx is unregistered',
  'No existe el dominio free.xx',
  'Der Domainname free.xx ist nicht registriert',
  'Aucun enregistrement trouvé',
  'Domaine free.xx non trouvé',
  'nom de domaine disponible',
  'Domain free.xx is free',
  'Not Registered',
  'DOMAIN NOT FOUND',
  'Domain name: free.xx is not registered',
  'The domain name is not registered in the registry',
  'whois: no match for free.xx',
  '> No match for free.xx',
  'No domain found for query free.xx',
  'no matching data found',
  'Nothing found for free.xx',
  '404 Not Found',
  'Your query returned no results',
  'Your search returned no results.',
  'Query returned 0 results',
  '0 results found',
  'No data available for free.xx',
  'Domain free.xx no encontrado',
  'Available for registration',
  'This domain is available',
  'this domain has not been registered',
  'Domain Name Not Found in Registry',
  'The domain free.xx could not be found',
  'We could not find the domain free.xx',
  'free.xx: not registered',
  'The domain name free.xx has not been registered yet.',
  'The Domain free.xx does not exist in our database',
  'Unknown domain: free.xx',
];
/** Sentences with the same words and another meaning. */
const NOT_FREE = [
  'free.xx is not available for registration',
  'This domain is not available',
  'Domain free.xx is registered',
  'free.xx is not free',
  'Status: NOT AVAILABLE',
  'Domain is reserved',
  'No whois server is known for this kind of object.',
  'Please note that a record not found is no promise',
  'Information not available',
  'Query limit not exceeded',
  'The domain free.xx is reserved and not available',
  'No more connections',
  'No data found for this client, access denied',
  'Domain name free.xx is not delegated',
  'not available',
  'free.xx is available only to residents',
  'No part of this database may be copied',
  'Available in French',
  'Domain not available',
  'not valid',
  'Not permitted',
  'TLD not found',
  'Nameserver not found',
  'no information provided',
  'The registrar is not known',
  'free.xx is taken',
];

test('a sentence that means "not registered" is recognised for every top-level domain', () => {
  assert.deepEqual(
    FREE.filter((line) => findPhrase([line], 'free.xx')?.kind !== 'free'),
    [],
  );
});

test('a sentence with the same words and another meaning is not recognised', () => {
  assert.deepEqual(
    NOT_FREE.filter((line) => saysAvailable(line, 'free.xx')),
    [],
  );
});

/** Sentences in other scripts and languages, and of single registries. */
const FURTHER = [
  '상기 도메인이름은 등록되어 있지 않습니다.',
  '未注册',
  '没有找到匹配的记录',
  '登録されていません',
  '該当するデータがありません。',
  'Домен free.xx не найден',
  'Домен свободен для регистрации',
  'Le domaine free.xx est disponible',
  'Aucun objet trouvé dans la base de données',
  'El dominio está disponible para su registro',
  'Nincs talalat / No match',
  'Invalid query or domain name not known in Dot XX Domain Registry',
  'The queried object does not exist: No Object Found',
  'The queried object does not exist: previous registration',
  'This Domain is not available in our whois database',
  'free.xx is available for registration at any accredited registrar',
];
/** What turns a sentence into another one. */
const TAILS = [
  ' because the register is closed',
  ', please try again later',
  ' in time',
  ' but it is reserved',
  ' for your client address',
  ' until 2027-01-01',
  '; server error',
  ' with this registrar',
  ' or you are not allowed to see it',
  ': maintenance',
  ' / reserved',
  '. Server moved to whois.other.xx',
  ' 만 예약되어 있습니다',
  'が予約済みです',
  '商标',
];
test('a sentence that only begins like one that means "not registered" is not recognised', () => {
  for (const line of FURTHER) assert.ok(saysAvailable(line, 'free.xx'), line);
  const wrong = [...FREE, ...FURTHER].flatMap((line) =>
    TAILS.map((tail) => line.replace(/[.!。]+$/, '') + tail).filter((longer) => saysAvailable(longer, 'free.xx')),
  );
  assert.deepEqual(wrong, []);
  for (const other of [
    'free.xx is available for sale',
    'free.xx is available for purchase at $2,000',
    'free.xx may be available for purchase from its owner',
    'free.xx is available for registration by the trademark holder only',
    'El dominio no está disponible',
    'El dominio no está delegado',
    'El dominio está disponible para ser transferido',
    'Aucun objet trouvé pour cette session',
    'Домен свободен от обременений',
    'Invalid query or domain name not known in the requests of your registry',
  ])
    assert.equal(saysAvailable(other, 'free.xx'), false, other);
});

test('a sentence that names a domain counts only for that domain', () => {
  const named = FREE.filter((line) => line.includes('free.xx'));
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((line) => saysAvailable(line.replaceAll('free.xx', 'other.xx'), 'free.xx')),
    [],
  );
});

test('the end of a wrapped sentence is not recognised', () => {
  const terms = ['The registry gives no promise that the name is', 'available.', 'These terms may change. All rights', 'Reserved.'];
  assert.equal(findPhrase(terms, 'free.xx'), null);
});

test('"not registered" directly below the name is about the name, also where the registry prints a registrar of its own', () => {
  const tagOf = (...lines: string[]) => {
    const outcome = readWhoisText(lines.join('\n'), 'shop.sr', 'whois.sr', 0);
    return outcome.tag === 'found' ? `found ${outcome.resource.available}` : outcome.tag;
  };
  const own = ['Sponsoring Registrar: Harbor N.V.', 'Sponsoring Registrar Abuse Email: abuse@harbor.example'];
  for (const free of ['Message: No Object Found', 'The queried object does not exist: No Object Found', 'Domain Status: No Object Found']) {
    assert.equal(tagOf('Domain: shop.sr', free, ...own), 'found true', free);
    assert.equal(tagOf('Domain: shop.sr', ...own, '', free), 'found false', free);
    for (const fact of ['Creation Date: 2020-01-02', 'Name Server: ns1.harbor.example', 'Registrant Name: Jo Roe'])
      assert.equal(tagOf('Domain: shop.sr', free, ...own, fact), 'found false', fact);
  }
});

test("a reservation of another domain, and a state of the queried name's parent or child, say nothing about it", () => {
  const tagOf = (...lines: string[]) => {
    const outcome = readWhoisText(lines.join('\n'), 'shop.co.it', 'whois.nic.it', 0);
    return outcome.tag === 'found' ? `found ${outcome.resource.available}` : outcome.tag;
  };
  for (const state of ['Status: AVAILABLE', 'Status: free', 'Domain Status: Reserved', 'This name is reserved.', 'Domain not found.']) {
    for (const other of ['co.it', 'www.shop.co.it']) assert.equal(tagOf(`Domain: ${other}`, state), 'changed', state);
    assert.match(tagOf('Domain: shop.co.it', state), /^found/, state);
  }
  assert.equal(tagOf('Domain: other.it', 'Domain Status: Reserved'), 'changed');
  assert.equal(tagOf('Domain: co.it', 'No match for shop.co.it'), 'found true');
});
