import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWhoisText } from './parse.ts';

function read(domain: string, text: string) {
  const outcome = readWhoisText(text, domain, 'whois.example', 0);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { contacts, ...rest } = outcome.resource;
  const people = contacts.map(
    (c) => `${c.role}: ${[c.name, c.organization, c.email, c.phone].map((v) => v ?? '-').join(' | ')}${c.redacted ? ' (redacted)' : ''}`,
  );
  return { ...rest, people, unread: outcome.unread ?? [] };
}

/** Contacts in the forms of single registries: [domain, text, contacts]. */
const CONTACTS: readonly (readonly [domain: string, text: string, people: readonly string[]])[] = [
  [
    'shop.uz',
    'Domain Name: SHOP.UZ\nCreation Date: 13-Apr-2006\n\nRegistrant:\n    Shop LLC\n    1 Quay Road\n    Tel. +1.6502530000\n    Fax.\n',
    ['registrant: Shop LLC | - | - | +1.6502530000'],
  ],
  [
    'shop.com.tw',
    'Domain Name: shop.com.tw\n   Registrant:\n\n      Shop Ltd\n      Jo  Roe  jo@shop.example\n      +886.228381031\n\n   Record created on 2015-12-09\n',
    ['registrant: Shop Ltd | - | jo@shop.example | +886.228381031'],
  ],
  [
    'shop.int',
    'domain: SHOP.INT\ncreated: 1996-08-23\n\ncontact: technical\nname: Jo Roe\nphone: +39 06941 88 688 (Please include country prefix)\n',
    ['technical: Jo Roe | - | - | +39 06941 88 688'],
  ],
  [
    'shop.hk',
    'Domain Name: SHOP.HK\nDomain Name Commencement Date: 06-04-2004\n\nAdministrative Contact Information:\n\nGiven name: Admin, DNS\nFamily name: .\n',
    ['administrative: Admin, DNS | - | - | -'],
  ],
  [
    'shop.com.ec',
    'Domain Information\nQuery: shop.com.ec\nStatus: Delegated\nCreated: 11 Mar 2003\n\nRegistrant:\nEmail Address: jo@shop.example\n\nLocal Name: Jo Roe\nLocal Organisation: Shop Inc.\n',
    ['registrant: Jo Roe | Shop Inc. | jo@shop.example | -'],
  ],
  [
    'shop.co.il',
    'domain: shop.co.il\n\ndescr: Shop Ltd\ndescr: 1 Quay Road\nphone: +972 3 9700900\ne-mail: jo AT shop.example\nstatus: Transfer Locked\n',
    ['registrant: Shop Ltd | - | - | +972 3 9700900'],
  ],
  [
    'shop.ac.uk',
    'Domain:\n\tshop.ac.uk\n\nRegistered For:\n\tShop College\n\nRegistered By:\n\tHarbor Names\n\nRegistrant Contact:\n\tJo Roe\n\nRegistrant Address:\n\tShop College\n\t+44 1509 222333 (Phone)\n\tjo@shop.example\n',
    ['registrant: Jo Roe | Shop College | jo@shop.example | +44 1509 222333'],
  ],
  ['shop.by', 'Domain name: shop.by\nRegistrar: Harbor Names\nPerson: HIDDEN!\n', ['registrant: - | - | - | - (redacted)']],
  [
    'shop.by',
    'Domain name: shop.by\nRegistrar: Harbor Names\nOrg: Shop LLC\nPhone: +1.6502530000\nEmail: HIDDEN! Details are available at https://whois.example\n',
    ['registrant: - | Shop LLC | - | +1.6502530000 (redacted)'],
  ],
  [
    'shop.com.hk',
    'Domain Name: SHOP.COM.HK\n\nRegistrant Contact Information:\n\nHolder English Name (It should be the same as your legal name on your card):  JO ROE\nHolder Chinese Name:\nEmail:  jo@shop.example\n',
    ['registrant: JO ROE | - | jo@shop.example | -'],
  ],
  [
    'shop.net',
    'Domain: shop.net\n\nRegistrar: Harbor Names\n\nRegistrant\n    Jo Roe\n    Email:jo@shop.example\n    1 Quay Road\n    Tel: +31.650253000\n',
    ['registrant: Jo Roe | - | jo@shop.example | +31.650253000'],
  ],
  [
    'shop.spb.ru',
    'domain: SHOP.SPB.RU\norg: Shop LLC\ndescr: Shops and more\nregistrar: HARBOR-RU\n',
    ['registrant: - | Shop LLC | - | -'],
  ],
];
for (const [domain, text, people] of CONTACTS)
  test(`${domain}: the contacts of its registry's form are read`, () => assert.deepEqual(read(domain, text).people, people));

test('a state beside the name, and one between stars below the states, are states', () => {
  const tk = read('shop.tk', '   Domain name:\n      SHOP.TK is Active\n\n   Owner contact:\n      Name: Jo Roe\n');
  assert.deepEqual(tk.status, ['ok']);
  const uk =
    '    Domain name:\n        shop.co.uk\n\n    Registrar:\n        Harbor Names\n\n    Registration status:\n        Renewal required.\n        *** This registration has been SUSPENDED. ***\n';
  assert.deepEqual(read('shop.co.uk', uk).status, ['Renewal required.', 'This registration has been SUSPENDED.']);
});

test('a sentence of rules between stars is no state', () => {
  const text = 'Domain Name: shop.se\nRegistrar: Harbor Names\n*** Queries are limited ***\nstatus: ok\n*** The end ***\n';
  assert.deepEqual(read('shop.se', text).status, ['ok']);
});

test('a heading or label of a contact that is not in the table leaves the contacts unread, unless they were read elsewhere', () => {
  const record = 'Domain Name: shop.com\nRegistrar: Harbor\nCreation Date: 2006-04-13\n\n';
  const unreadOf = (lines: string): readonly string[] => read('shop.com', `${record}${lines}\n`).unread;
  assert.deepEqual(unreadOf('Registrant Contact Details:\n    Shop LLC\n    1 Quay Road'), ['contacts']);
  assert.deepEqual(unreadOf('Owner/Main Contact:\n\n    Name: Shop LLC'), ['contacts']);
  assert.deepEqual(unreadOf('Registrant Internationalized Name: Shop LLC'), ['contacts']);
  assert.deepEqual(unreadOf('Registrant Name: Shop LLC\nAdministrative Company: Harbor LLC'), ['contacts']);
  assert.deepEqual(unreadOf('Registrant Name: Shop LLC\nRegistrant Internationalized Name: Shop Ltd'), []);
  assert.deepEqual(unreadOf('Registrant Organization: Shop LLC\nRegistrar Admin Email: ops@harbor.example'), []);
  assert.deepEqual(unreadOf('Administrative Company: REDACTED FOR PRIVACY\nSponsoring Registrar Admin Name: Jo Roe'), []);
  assert.deepEqual(read('shop.lt', 'Domain: shop.lt\nRegistered: 2018-12-07\n%\nContact email: ops@shop.example\n').unread, ['contacts']);
});

test('a telephone number with its area code in brackets is one; digits alone may be a postal code', () => {
  const phoneOf = (line: string) =>
    read(
      'shop.edu',
      `Domain Name: SHOP.EDU\n\nAdministrative Contact:\n   Jo Roe\n   ${line}\n   jo@shop.edu\n\nDomain record activated: 10-May-1999\n`,
    ).people[0];
  assert.equal(phoneOf('(415) 829-2341'), 'administrative: Jo Roe | - | jo@shop.edu | (415) 829-2341');
  assert.equal(phoneOf('94043-1351'), 'administrative: Jo Roe | - | jo@shop.edu | -');
});

test('"Registrant Contact:" is the heading of the holder at registrars, too', () => {
  const text = 'Domain name:  shop.com\nRegistered: 2005-01-30\n\nRegistrant Contact:\n    Jo Roe\n    Shop LLC\n    Email: jo@shop.com\n';
  assert.deepEqual(read('shop.com', text).people, ['registrant: Jo Roe | - | jo@shop.com | -']);
});

test('several hosts on one line are several name servers, below a heading and behind a label', () => {
  const three = ['ns1.shop.example', 'ns2.shop.example', 'ns3.shop.example'];
  for (const hosts of [three.join('   '), three.join(', '), `${three.join('. ')}.`]) {
    const record = 'Domain Name: shop.com\nRegistrar: Harbor\n';
    assert.deepEqual(read('shop.com', `${record}\nName Servers:\n    ${hosts}\n`).nameServers, three, hosts);
    assert.deepEqual(read('shop.com', `${record}Name Servers: ${hosts}\n`).nameServers, three, hosts);
  }
  const addressed = read(
    'shop.com',
    'Domain Name: shop.com\nName Server: ns1.shop.example 192.0.2.1\nName Server: ns2.shop.example 2001:db8::1\n',
  );
  assert.deepEqual(addressed.nameServers, three.slice(0, 2));
});

test('the server of .to prints the label before each name server: those of another label are not of the name', () => {
  const outcome = readWhoisText('Tonic whoisd V1.1\nshops ns1.shop.example\nsho ns2.shop.example\n', 'shop.to', 'whois.tonic.to', 0);
  assert.equal(outcome.tag, 'changed');
});

test('the form of one registry means nothing under another suffix', () => {
  const texts = [
    'Domain-name         shop.cz\nValid-date          2011-07-23\n',
    'shop ns1.shop.example\n',
    '5a.  Primary NS : ns1.shop.example\n',
  ];
  for (const text of texts) assert.equal(readWhoisText(text, 'shop.cz', 'whois.nic.cz', 0).tag, 'changed', text);
});

test('a host that a registry lists before the domain has a registrar of its own, which is not that of the domain', () => {
  const host = (name: string, registrar: string): string =>
    `   Server Name: ${name}\n   IP Address: 192.0.2.1\n   Registrar: ${registrar}\n   Whois Server: whois.other.example\n\n`;
  const hosts = host('SHOP.COM.OF.ANOTHER.EXAMPLE', 'OTHER INC.') + host('SHOP.COM.MORE.EXAMPLE', 'ANOTHER LLC');
  const { registrar, nameServers } = read(
    'shop.com',
    `${hosts}   Domain Name: SHOP.COM\n   Registrar: HARBOR NAMES\n   Whois Server: whois.harbor.example\n   Name Server: NS1.SHOP.EXAMPLE\n`,
  );
  assert.deepEqual([registrar?.name, nameServers], ['HARBOR NAMES', ['ns1.shop.example']]);
  assert.equal(readWhoisText(hosts, 'shop.com', 'whois.verisign-grs.com', 0).tag, 'changed');
});

test('the organization of the sponsoring registrar names it, whatever the top-level domain is', () => {
  const text =
    'Domain Name:SHOP.UK.COM\nCreated On:2012-08-03\nSponsoring Registrar ID:H65658\nSponsoring Registrar Organization:Harbor Names\n';
  assert.equal(read('shop.uk.com', text).registrar?.name, 'Harbor Names');
});

test('a label that is padded before its colon or within it, and a NUL at the end, change nothing', () => {
  const sk =
    'Domain: shop.sk\nCreated: 2003-07-24\nValid Until: 2027-07-24\nNameserver: ns1.shop.sk\n\nRegistrar: MARK-0292\nName: Mark Ltd\n';
  const plain = read('shop.sk', sk);
  assert.deepEqual([plain.registrar?.name, plain.expiresOn, plain.unread], ['MARK-0292', '2027-07-24', []]);
  for (const changed of [
    sk.replace(/^(.*?):/gm, (_, label: string) => `${label.padEnd(16)}:`),
    sk.replace(/^(.*?):\s*/gm, (_, label: string) => `${label.padEnd(16)}:\t`),
    sk.replace('Valid Until', 'Valid  Until'),
    `${sk}\0`,
    sk.replaceAll('\n', '\0\n'),
  ])
    assert.deepEqual(read('shop.sk', changed), plain, changed);
  for (const [domain, text] of [
    ['shop.ws', 'The queried object does not exist: shop.ws\n'],
    ['shop.com.ar', 'El dominio no se encuentra registrado en NIC Argentina\n'],
    ['shop.cm', 'Domain Name: shop.cm\nDomain Status: No Object Found\n'],
  ] as const) {
    const of = (printed: string) => readWhoisText(printed, domain, 'whois.example', 0, true);
    const free = of(text);
    assert.ok(free.tag === 'found' && free.resource.available, text);
    for (const changed of [text.replace(/:/g, ' :'), text.replace(/:/g, '      :\t'), `${text}\0`])
      assert.deepEqual(of(changed), free, changed);
  }
});
