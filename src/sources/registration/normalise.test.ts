import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDate } from './dates.ts';
import { contactOf, NOT_STATED, registrarName, shown, shownEmail, shownPhone } from './facts.ts';
import { hostName, longestMatch, readHost, registries, registriesOf, sameDomain } from './registries.ts';
import { isTaken, readStatus, readStatuses, signedOf } from './status.ts';

test('a time with a stated zone is an instant in UTC', () => {
  assert.equal(readDate('2026-01-07T20:01:30Z'), '2026-01-07T20:01:30.000Z');
  // Finnish for November
  assert.equal(readDate('7 marraskuuta 2026'), null);
  assert.equal(readDate('2017-09-07T08:50:36-0700'), '2017-09-07T15:50:36.000Z');
  assert.equal(readDate('2025-12-29T22:32:48.632006Z'), '2025-12-29T22:32:48.632Z');
  assert.equal(readDate('2026/06/24 18:25:26 (JST)'), '2026-06-24T09:25:26.000Z');
  assert.equal(readDate('2026-11-09 00:00:00 (UTC+8)'), '2026-11-08T16:00:00.000Z');
  assert.equal(readDate('05-12-2018 11:02:02 GMT+1'), '2018-12-05T10:02:02.000Z');
  assert.equal(readDate('2012-06-19 10:13:30+03'), '2012-06-19T07:13:30.000Z');
  assert.equal(readDate('Mon Apr 26 18:38:40 GMT 2010'), '2010-04-26T18:38:40.000Z');
  assert.equal(readDate('2019-05-17-T23:02:50Z'), '2019-05-17T23:02:50.000Z');
});

test('a time without a zone, or with an ambiguous zone, becomes its day alone', () => {
  for (const text of [
    '2006-06-30 00:00:00',
    '30.6.2006 00:00:00',
    '20060630 19:36:02',
    '2006-06-30T14:05:58',
    '2006-06-30 10:00:00 IST',
    'Fri Jun 30 09:42:42 2006',
  ])
    assert.equal(readDate(text), '2006-06-30', text);
});

test('dates are read in every order that registries print', () => {
  for (const text of [
    '2006. 06. 30.',
    '2006-Jun-30.',
    '20060630 #142485',
    'Friday 30th June 2006',
    '30-jun-2006',
    'June 30 2006',
    '30/06/2006',
    'Fri Jun 30 2006',
  ])
    assert.equal(readDate(text), '2006-06-30', text);
  assert.equal(readDate('10.03.2008'), '2008-03-10');
  assert.equal(readDate('06/07/2011', 'mdy'), '2011-06-07');
  assert.equal(readDate('06/21/2011'), '2011-06-21');
});

test('a text that is not a date of a registration is null', () => {
  for (const text of ['before Aug-1996', '294247-01-10T04:00:54.775Z', '0000-00-00', '30.02.2010', 'N/A', '', '2026', '12345678901234'])
    assert.equal(readDate(text), null, text);
});

test('statuses become EPP names from any spelling, otherwise the phrase as printed', () => {
  for (const text of ['clientTransferProhibited', 'client transfer prohibited', 'CLIENT TRANSFER PROHIBITED', 'client_transfer_prohibited'])
    assert.equal(readStatus(text), 'clientTransferProhibited');
  assert.equal(readStatus('active'), 'ok');
  assert.equal(readStatus('associated'), 'linked');
  assert.equal(readStatus('Registered until expiry date.'), 'Registered until expiry date.');
  assert.deepEqual(
    readStatuses('nom-ns1.nominet.org.uk 213.248.199.16 2a01:40:1001:37::2'),
    [],
    'a name server below a heading that is lost',
  );
  assert.deepEqual(readStatuses('ok https://icann.org/epp#ok'), ['ok']);
  assert.deepEqual(readStatuses('clientHold More information on : https://icann.org/epp'), ['clientHold']);
  assert.deepEqual(readStatuses('clientHold (https://www.icann.org/epp#clientHold)'), ['clientHold']);
  for (const text of [
    'Please visit www.shop.example for more info.',
    'Registry Registrant ID:REDACTED',
    'REDACTED FOR PRIVACY',
    'Not Disclosed',
  ])
    assert.deepEqual(readStatuses(text), [], text);
  assert.deepEqual(readStatuses('pendingDelete / redemptionPeriod'), ['pendingDelete', 'redemptionPeriod']);
  assert.deepEqual(readStatuses('REGISTERED, DELEGATED, VERIFIED'), ['REGISTERED', 'DELEGATED', 'VERIFIED']);
  assert.deepEqual(readStatuses('ok - Normal state.'), ['ok']);
  assert.deepEqual(readStatuses('ok (paid and in zone)'), ['ok']);
  assert.deepEqual(readStatuses('No registration status listed.'), []);
});

test('hosts are lower case A-labels without address or final dot', () => {
  assert.equal(readHost('NS1.Example.COM. 192.0.2.1'), 'ns1.example.com');
  assert.equal(readHost('ns1.example.com (192.0.2.1, 2001:db8::1)'), 'ns1.example.com');
  assert.equal(hostName('ns.müller.de'), 'ns.xn--mller-kva.de');
  for (const text of ['-', 'not.defined.', '192.0.2.1', 'localhost', '', 'a b']) assert.equal(readHost(text), null, text);
});

test('a domain equals its form in another script, with a final dot or with a remark', () => {
  assert.ok(sameDomain('GOOGLE.COM.', 'google.com'));
  assert.ok(sameDomain('xn--ppettider-z7a.se (öppettider.se)', 'xn--ppettider-z7a.se'));
  assert.ok(sameDomain('google.台灣', 'google.xn--kprw13d'));
  assert.ok(!sameDomain('foo.de', 'www.foo.de'));
});

test('a placeholder is null and counts as redacted; an empty value is null and does not', () => {
  for (const text of [
    'REDACTED FOR PRIVACY',
    'Data Protected',
    'Not Disclosed - Visit www.internet.ee',
    'Not displayed due to GDPR',
    "(Not displayed by registrant's request)",
    'GDPR Masked',
    'NOT DISCLOSED!',
    '(Redacted for privacy)',
    'Hidden upon user request',
    'UNDISCLOSED',
    'Private Registrant',
    'Private Person (hidden)',
    'Natural person',
    'Information withheld',
    'gdpr-masked',
    'Removed for privacy',
    'Available upon request',
    'Datos protegidos',
    'Données protégées',
    'Magánszemély',
    'Физическое лицо',
    '[private]',
    'Protected by GDPR',
    'Nicht öffentlich',
    'Não divulgado',
    'Dane ukryte',
    'Gizli',
    'Фізична особа',
    '非公開',
    '비공개',
    'Ali ****',
    'j***@shop.example',
  ])
    assert.deepEqual(shown(text), { value: null, withheld: true }, text);
  for (const text of [
    '',
    'N/A',
    'N.A.',
    'n / a',
    'no-data',
    'XXXX',
    'Not defined',
    'not.defined.',
    '-',
    'none',
    '***',
    'n/a n/a',
    'Dato non disponibile',
    'Information not available',
    '+0.0000000000',
    '00000000',
    '+00 (0) 0000 000',
  ])
    assert.deepEqual(shown(text), { value: null, withheld: false }, text);
  for (const text of ['REDACTED FOR PRIVACY', 'Data redacted', 'Not Disclosed']) assert.equal(registrarName(text), null, text);
  assert.equal(registrarName('Notable Registrar'), 'Notable Registrar');
  assert.deepEqual(shownEmail('Please query the RDDS service of the Registrar of Record'), { value: null, withheld: true });
  assert.equal(shownEmail('https://registrar.example/contact').value, null);
  assert.equal(shownPhone('+0.0000000000').value, null);
  assert.equal(shownPhone('+380.440000000').value, '+380.440000000');
  assert.equal(shownPhone('tel:+1.5550100').value, '+1.5550100');
  for (const [uri, value] of [
    ['tel:+1.5550100;ext=102', '+1.5550100;ext=102'],
    ['tel:+1.5550100;EXT=1-02;phone-context=example.com', '+1.5550100;ext=1-02'],
    ['+1.5550100;ext=', '+1.5550100'],
    ['tel:5550100;phone-context=+1', '5550100'],
    ['tel:+1;ext=5550100', null],
    ['+1.5550100; +1.5550101', '+1.5550100; +1.5550101'],
  ] as const)
    assert.equal(shownPhone(uri).value, value, uri);
});

test('the name of a privacy service is the contact on record, and redacted', () => {
  for (const service of [
    'Domains By Proxy, LLC',
    'Private by Design, LLC',
    'Knock Knock WHOIS Not There, LLC',
    'c/o whoisproxy.com',
    'shop.example Private Registrant',
    'On behalf of shop.com owner',
    'Contact Privacy Inc. Customer 0123456789',
    'PrivacyGuardian.org llc',
  ]) {
    const got = contactOf('registrant', false, { name: shown(service), organization: NOT_STATED, email: NOT_STATED, phone: NOT_STATED });
    assert.deepEqual([got?.name, got?.redacted], [service, true], service);
  }
  for (const person of ['Private Dining Ltd', 'Ann Proxmire', 'Design House', 'Epoxy Works'])
    assert.equal(
      contactOf('registrant', false, { name: shown(person), organization: NOT_STATED, email: NOT_STATED, phone: NOT_STATED })?.redacted,
      false,
      person,
    );
});

test('a state that registrar or registry prohibits, in every form of its verb; a dispute is a state', () => {
  for (const [verbs, name] of [
    [['Delete', 'Deletion', 'delete'], 'DeleteProhibited'],
    [['Update', 'Updates'], 'UpdateProhibited'],
    [['Transfer', 'Transfers'], 'TransferProhibited'],
    [['Renew', 'Renewal', 'renewals'], 'RenewProhibited'],
  ] as const)
    for (const verb of verbs) {
      assert.equal(readStatus(`${verb} prohibited by Registrar`), `client${name}`);
      assert.equal(readStatus(`${verb} Prohibited By the Registry`), `server${name}`);
      assert.equal(readStatus(`${verb}ProhibitedByRegistrar`), `client${name}`);
    }
  assert.equal(isTaken('under dispute'), true);
});

test('whether a domain is signed is read in the languages of the registries, and never from the beginning of another word', () => {
  for (const word of ['Signed', 'signedDelegation', 'yes', 'Sí', 'si', 'sim', 'oui', 'ano', 'igen', 'да', 'on', 'Assinado'])
    assert.equal(signedOf(word), true, word);
  for (const word of ['Unsigned', 'no', 'NOT_SIGNED', 'não', 'nem', 'нет', 'Off', 'Inactive', 'None'])
    assert.equal(signedOf(word), false, word);
  for (const word of ['sínodo', 'once', 'official', 'nový', 'dát', 'nothing', 'anonymous']) assert.equal(signedOf(word), null, word);
});

test('the longest suffix wins, label by label', () => {
  const table = new Map([
    ['com', 'a'],
    ['uk.com', 'b'],
  ]);
  assert.deepEqual(longestMatch(table, 'shop.uk.com'), { suffix: 'uk.com', value: 'b' });
  assert.deepEqual(longestMatch(table, 'shop.notuk.com'), { suffix: 'com', value: 'a' });
  assert.equal(longestMatch(table, 'com'), null);
});

test('the table of registries does not contradict itself', () => {
  const { rdap, proven, unlisted, whois, stated } = registries();
  const left = [...stated].map((entry) => entry.split(' ')).filter(([kind]) => kind === 'former');
  assert.ok(left.length > 0);
  for (const [, host = '', suffix = ''] of left)
    assert.ok(whois.get(suffix) !== host && !stated.has(`host ${host} ${suffix}`), `${host} and ${suffix}`);
  for (const suffix of proven.keys()) assert.ok(!unlisted.has(suffix) && !rdap.has(suffix), suffix);
  assert.equal(whois.get('co'), 'whois.registry.co');
  assert.equal(proven.get('co'), 'https://rdap.registry.co/co/');
});

test('a date with digits or letters joined to it is no date; a remark apart is none of it', () => {
  for (const damaged of [
    '2018-11-1e9T16:00:00Z',
    '2018-11-01T1e6:00:00Z',
    '2018-11-01x',
    '2018-11-01 16:2',
    '20181101e5',
    '01.11.2018-4',
    '1 Nov 2018e',
    'Nov 1, 2018.5e3',
  ])
    assert.equal(readDate(damaged), null, damaged);
  for (const [text, date] of [
    ['2018-11-01 (Thursday)', '2018-11-01'],
    ['19990221 #142485', '1999-02-21'],
    ['2018-11-01 by REGISTRAR', '2018-11-01'],
    ['12-May-2027.', '2027-05-12'],
    ['2018-11-01 12:30:05.', '2018-11-01'],
    ['2015-12-09 12:30:05 (UTC+8)', '2015-12-09T04:30:05.000Z'],
  ] as const)
    assert.equal(readDate(text), date, text);
});

test('an address that registries share is that of each suffix; a malformed line is left out', () => {
  const read = registriesOf([['rdap', 'https://rdap.nic.*/', 'a'], ['whois', 'whois.nic.*', 'b'], ['rubbish']]);
  assert.deepEqual([...read.rdap], [['a', 'https://rdap.nic.a/']]);
  assert.deepEqual([...read.whois], [['b', 'whois.nic.b']]);
});

test('a phrase is a state only as a whole: a known word in an unknown phrase is none', () => {
  for (const state of [
    ...['ok', 'clientHold', 'AtAuction', 'deleteCandidate', 'Disputed', 'Blocked', 'PendingRegistration', 'in quarantine', 'NOT AVAILABLE'],
    ...[
      'Registered until expiry date.',
      'paid and in zone',
      'to be released',
      'Transfer Locked',
      'REDEMPTION-NO-PROVIDER',
      'Permanent/Reserved',
    ],
    ...[
      'To be deleted',
      'Registration in progress',
      'Withdrawn',
      'Excluded',
      'Awaiting auction',
      'Scheduled for deletion',
      'Out of service',
    ],
    ...['Réservé', 'Bloqueado', 'Gesperrt', 'Zarezerwowana', 'Заблокирован', 'Drop pending', 'In release process'],
    ...['Administratively blocked', 'Sponsoring registrar change forbidden by registry hold', 'зарегистрирован'],
  ])
    assert.ok(isTaken(state), state);
  for (const phrase of [
    ...[
      'quarantined by committee',
      'frobnicated',
      'in limbo until further notice',
      'locksmith',
      'good grief',
      'active imagination',
      'on a holding pattern',
    ],
    ...['not registered', 'unregistered', 'reserved for elephants', 'published in a journal', 'expired milk'],
  ])
    assert.ok(!isTaken(phrase), phrase);
});

test('a link is no name, also without a scheme or behind a word that points to it', () => {
  for (const link of [
    '//harbor.example/contact',
    'See www.harbor.example/contact',
    'Voir https://harbor.example',
    'WWW.HARBOR.EXAMPLE',
    'harbor.example/whois',
  ])
    assert.equal(shown(link).value, null, link);
  for (const name of ['See Harbor Ltd', 'Visit Harbor', 'Harbor/Quay GmbH', 'wwwharbor']) assert.equal(shown(name).value, name);
});
