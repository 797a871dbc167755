import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keyOf } from './lines.ts';
import { readWhoisText, registrarServer } from './parse.ts';

test("a contact's status is not the domain's, even without a blank line between them", () => {
  const record = ['domain: shop.fr', 'registrar: Harbor Registrar LLC', 'created: 2009-12-10T19:24:18Z'];
  const contact = ['contact: Shop Ltd', 'e-mail: owner@shop.fr', 'eppstatus: associated', 'status: linked'];
  for (const lines of [
    [...record, '', 'nic-hdl: H1-FRNIC', ...contact],
    [...record, ...contact],
  ]) {
    const outcome = readWhoisText(lines.join('\n'), 'shop.fr', 'whois.nic.fr', 0);
    assert.ok(outcome.tag === 'found', outcome.tag);
    assert.deepEqual(outcome.resource.status, []);
  }
});

test('the day of a renewal is not the end of a registration', () => {
  const lines = [
    'Domain Name: shop.co.th',
    'Registrar: Harbor',
    'Registered Date: 2009-12-10',
    'Renew date: 2025-12-10',
    'Exp date: 2026-12-10',
  ];
  const expiresOf = (text: readonly string[]) => {
    const outcome = readWhoisText(text.join('\n'), 'shop.co.th', 'whois.thnic.co.th', 0);
    return outcome.tag === 'found' ? outcome.resource.expiresOn : outcome.tag;
  };
  assert.equal(expiresOf(lines), '2026-12-10');
  assert.equal(expiresOf(lines.slice(0, 4)), null);
});

const readOf = (domain: string, text: readonly string[]) => {
  const outcome = readWhoisText(text.join('\n'), domain, `whois.nic.${domain.slice(domain.lastIndexOf('.') + 1)}`, 0);
  assert.ok(outcome.tag === 'found', outcome.tag);
  return { resource: outcome.resource, unread: outcome.unread };
};

test('a date, a state or an address under a label that nobody has seen is unread, not assigned', () => {
  const known = ['Domain Name: shop.it', 'Registrar: Harbor', 'Name Server: ns1.shop.it'];
  for (const [label, fields] of [
    ['Data scadenza', ['registeredOn', 'expiresOn', 'updatedOn']],
    ['Registration valid through', ['expiresOn']],
  ] as const) {
    const { resource, unread } = readOf('shop.it', [...known, `${label}: 2027-03-31`]);
    assert.deepEqual([resource.registeredOn, resource.expiresOn, resource.updatedOn], [null, null, null]);
    assert.deepEqual(unread, fields);
  }
  const dated = ['Created: 2009-12-10', 'Expire Date: 2026-12-10', 'Last Update: 2025-12-10'];
  const { resource, unread } = readOf('shop.it', [...known, ...dated, 'Stato: clientHold', 'Posta elettronica: owner@shop.it']);
  assert.deepEqual([resource.status, resource.contacts], [[], []]);
  assert.deepEqual(unread, ['status', 'contacts']);
  const others = ['Registrant Name: Jo Roe', 'Admin Email: ann@shop.it'];
  assert.deepEqual(readOf('shop.it', [...known, ...others, 'Posta elettronica: jo@shop.it']).unread, ['contacts.email']);
  assert.deepEqual(readOf('shop.it', [...known, ...others]).unread, undefined);
  for (const written of ['jo AT shop.it', 'jo (at) shop.it', 'jo[at]shop.it'])
    assert.equal(readOf('shop.it', [...known, ...others, `Registrant Email: ${written}`]).unread, undefined, written);
  for (const key of [
    '12345 13 2 ABCDEF0123456789ABCDEF',
    '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d',
    'flags:KSK protocol:3 algorithm:8 pubKey:AAA',
  ])
    assert.deepEqual(readOf('shop.it', [...known, `Chiave: ${key}`]).unread, ['dnssec'], key);
  for (const label of ['DS', 'DS record', 'Domain DS', 'DNSSEC key', 'KSK'])
    assert.equal(readOf('shop.it', [...known, `${label}: 12345 13 2 ABCDEF0123456789ABCDEF`]).resource.dnssec, true, label);
});

test("a label holds under its own registry's top-level domains only", () => {
  const lines = (domain: string) => [`Domain Name: ${domain}`, 'Registrar: Harbor', 'Assigned: 2009-12-10', 'Paid-till: 2026-12-10'];
  const dates = (domain: string) => {
    const { resource, unread } = readOf(domain, lines(domain));
    return [resource.registeredOn, resource.expiresOn, unread];
  };
  assert.deepEqual(dates('shop.ru'), [null, '2026-12-10', ['registeredOn', 'updatedOn']]);
  assert.deepEqual(dates('shop.co.il'), ['2009-12-10', null, ['expiresOn', 'updatedOn']]);
  assert.deepEqual(dates('shop.xyz'), [null, null, ['registeredOn', 'expiresOn', 'updatedOn']]);
});

test('name servers under a label or a heading that nobody has seen are unread, never an empty list in silence', () => {
  const known = ['Domain: shop.it', 'Registrar: Harbor', ''];
  const unreadBelow = (...lines: readonly string[]) => readOf('shop.it', [...known, ...lines]).unread;
  for (const lines of [
    ['NS 1   : ns1.harbor.example', 'NS 2   : ns2.harbor.example'],
    ['ns1_hostname: ns1.harbor.example', 'ns1_netaddress: 192.0.2.1'],
    ['Name Server Handle: NSHA26H-HARBOR'],
    ['Current Nameservers:', '', '    ns1.harbor.example'],
    ['Server di nomi', '    ns1.harbor.example   192.0.2.1'],
  ])
    assert.deepEqual(unreadBelow(...lines), ['nameServers'], lines[0]);
  assert.equal(unreadBelow('Name Server: ns1.harbor.example', 'NS 2: ns2.harbor.example')?.includes('nameServers'), undefined);
  for (const other of ['DNSSEC Delegation: unsigned', 'WHOIS Server: whois.harbor.example', 'Transfer Server Lock: none', 'NS 1: -'])
    assert.equal(unreadBelow(other), undefined, other);
});

test('a holder and a telephone number under labels that nobody has seen are unread; those of registrars and resellers are no contacts', () => {
  const known = ['Domain: shop.it', 'Registrar: Harbor', 'Created: 2009-12-10'];
  const unreadOf = (...lines: readonly string[]) => readOf('shop.it', [...known, ...lines]).unread;
  for (const label of ['Domain Holder', 'Titular', 'Current registrant name'])
    assert.deepEqual(unreadOf(`${label}: Shop Ltd`), ['contacts'], label);
  assert.deepEqual(unreadOf('Registrant Name: Jo Roe', 'Registrant Voice Number: +1.6502530000'), ['contacts.phone']);
  assert.equal(unreadOf('Registrant Name: Jo Roe', 'Registrant Phone: +1.6502530001', 'Owner Voice: +1.6502530000'), undefined);
  for (const other of ['Registrar Phone: +1.6502530000', 'Reseller Telephone: +1.6502530000', 'Domain Holder: -', 'Account Holder Id: 7'])
    assert.equal(unreadOf('Registrant Name: Jo Roe', other), undefined, other);
});

test('a sentence says when the record was created, changed and will expire, in the words of registries', () => {
  const datesOf = (...lines: readonly string[]) => {
    const { resource } = readOf('shop.ee', ['Domain Name: shop.ee', 'Registrar: Harbor', ...lines]);
    return [resource.registeredOn, resource.updatedOn, resource.expiresOn];
  };
  for (const verb of ['changed', 'modified', 'updated', 'last updated', 'last changed', 'last modified'])
    assert.deepEqual(
      datesOf('Record created on 22-Apr-2003', `Record ${verb} on 28-May-2010`, 'Record will expire on 22-Apr-2027'),
      ['2003-04-22', '2010-05-28', '2027-04-22'],
      verb,
    );
});

test('a known label of another date says nothing about the fields', () => {
  const { unread } = readOf('shop.ru', ['domain: SHOP.RU', 'registrar: HARBOR-RU', 'created: 2009-12-10', 'free-date: 2027-01-10']);
  assert.equal(unread, undefined);
});

test('every line of the table of labels has its place, its meaning, its top-level domains and its evidence, once', () => {
  const rows = readFileSync(new URL('./labels.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const seen = new Set<string>();
  for (const row of rows) {
    const [label = '', place = '', meaning = '', tlds = '', evidence = '', ...rest] = row.split('\t');
    assert.ok(meaning !== '' && /^(?:\*|[a-z0-9-]+(?:,[a-z0-9-]+)*)$/.test(tlds) && rest.length === 0, row);
    assert.match(place, /^(?:any|domain|registrar|ns|person|heading|bracket|paragraph|personal|database)$/, row);
    assert.match(evidence, /^(?:recording|fixture) \S+|parser|template|rule|whois/i, row);
    assert.equal(place === 'bracket' ? label : keyOf(label), label, row);
    for (const tld of tlds.split(',')) {
      assert.ok(!seen.has(`${place} ${label} ${tld}`), row);
      seen.add(`${place} ${label} ${tld}`);
    }
  }
});

test('the month stands first in dates of .cf and .gq, as in those of .tk', () => {
  const text = ['Domain name:', '   SHOP.GQ', '', 'Domain registered: 03/02/2012', 'Record will expire on: 10/18/2027'];
  for (const domain of ['shop.gq', 'shop.cf', 'shop.tk']) {
    const lines = text.map((line) => line.replace('GQ', domain.slice(-2)));
    assert.equal(readOf(domain, lines).resource.registeredOn, '2012-03-02');
  }
});

test('a state may name its last day: "OK-UNTIL 20271218000000"', () => {
  const { resource } = readOf('shop.in.ua', ['domain: shop.in.ua', 'status: OK-UNTIL 20271218000000', 'nserver: ns1.shop.com']);
  assert.deepEqual([resource.status, resource.expiresOn], [['ok'], '2027-12-18']);
});

test('.be and .eu once printed the name without its suffix; elsewhere that is another name', () => {
  const text = (name: string) => [`Domain: ${name}`, 'Registrar:', '   Name: Harbor', '', 'Name servers:', '   ns1.shop.com'];
  assert.equal(readOf('shop.eu', text('shop')).resource.registrar?.name, 'Harbor');
  assert.equal(readWhoisText(text('shop').join('\n'), 'shop.shop', 'whois.nic.shop', 0).tag, 'changed');
  assert.equal(readWhoisText(text('shopping').join('\n'), 'shop.eu', 'whois.eu', 0).tag, 'changed');
});

test('a year of two digits is read where the registry is known to print one: .es has names since 1988, and no expiry before 2000', () => {
  const text = (domain: string, from: string, to: string) => [
    `Domain Name: ${domain}`,
    `Creation Date: ${from}`,
    `Expiration Date: ${to}`,
    'Name Server 1: ns1.shop.com',
  ];
  for (const [from, to, dates] of [
    ['16/09/03', '16/09/14', ['2003-09-16', '2014-09-16']],
    ['01/02/88', '01/02/90', ['1988-02-01', '2090-02-01']],
    ['31/12/1999', '31/12/2030', ['1999-12-31', '2030-12-31']],
  ] as const) {
    const { resource } = readOf('shop.es', text('shop.es', from, to));
    assert.deepEqual([resource.registeredOn, resource.expiresOn], dates);
  }
  const elsewhere = readOf('shop.pt', text('shop.pt', '16/09/03', '16/09/14'));
  assert.deepEqual([elsewhere.resource.registeredOn, elsewhere.unread], [null, ['registeredOn', 'expiresOn']]);
  assert.deepEqual(readOf('shop.es', text('shop.es', '40/09/03', '16/09/14')).unread, ['registeredOn']);
});

test('of handles of servers and persons that are not described, and of a person without a role, something is unread; of a date that was never set, nothing', () => {
  const old = readFileSync(new URL('./fixtures/old.ma.txt', import.meta.url), 'utf8').split('\n');
  assert.deepEqual(readOf('old.ma', old).unread, ['nameServers', 'contacts']);
  const person = ['First Name: Ann', 'Last Name: Roe', 'Date Created: Thu Aug 2003 09:32:17', 'DNS servers1: ns1.shop.com'];
  const { resource, unread } = readOf('shop.vu', person);
  assert.deepEqual([resource.contacts, resource.registeredOn, unread], [[], null, ['registeredOn', 'contacts']]);
  const never = ['Domain Name: shop.sl', 'Server Time: 2010-11-17 18:06:27', 'Last Updated: 0000-00-00', 'Name Server: ns1.shop.com'];
  assert.equal(readOf('shop.sl', never).unread, undefined);
});

test('labels that one registry prints: the holder, the organisation, the servers, the first registration', () => {
  const contactsOf = (domain: string, ...lines: string[]) =>
    readOf(domain, [`Domain: ${domain}`, 'created: 2003-04-03', ...lines]).resource.contacts.map((c) => [
      c.role,
      c.name ?? c.organization,
      c.email,
    ]);
  assert.deepEqual(
    contactsOf('shop.sm', '', 'Owner:', 'Shop S.p.A.', 'Via Roma, 1', 'SM', 'Phone: +378 0549 550100', 'Email: jo@shop.sm'),
    [['registrant', 'Shop S.p.A.', 'jo@shop.sm']],
  );
  for (const tld of ['hr', 'is'])
    assert.deepEqual(contactsOf(`shop.${tld}`, 'descr: Shop Ltd', 'descr: 1 High Street'), [['registrant', 'Shop Ltd', null]]);
  assert.deepEqual(contactsOf('shop.pl', '', 'TECHNICAL CONTACT:', 'company: Shop SA', '         Dept', 'phone: +48.225550100'), [
    ['technical', 'Shop SA', null],
  ]);
  const old = readOf('shop.io', [
    'Domain : shop.io',
    'Status : Live',
    'Expiry : 2015-04-06',
    'NS 1   : ns1.shop.example',
    'NS 2   : ns2.shop.example',
  ]);
  assert.deepEqual(old.resource.nameServers, ['ns1.shop.example', 'ns2.shop.example']);
  const { resource } = readOf('shop.ch', ['Domain name\tshop.ch', 'Registrar\tHarbor', '', 'First registration date\t31 May 1999']);
  assert.equal(resource.registeredOn, '1999-05-31');
});

test('an empty server or reseller at the start of a paragraph hides nothing below it', () => {
  for (const label of ['WHOIS Server:', 'Reseller:']) {
    const lines = [
      'Domain Name: shop.example',
      '',
      label,
      'Creation Date: 2014-02-25T14:42:32Z',
      'Registrar: Harbor',
      'Registrar IANA ID: 7',
    ];
    const { resource } = readOf('shop.example', lines);
    assert.deepEqual([resource.registrar?.name, resource.registrar?.ianaId], ['Harbor', '7'], label);
  }
});

test("a state in a paragraph of its own is the domain's; one further down in another paragraph is not", () => {
  const statusOf = (text: string) => {
    const outcome = readWhoisText(text, 'shop.eu', 'whois.eu', 0);
    return outcome.tag === 'found' ? outcome.resource.status : outcome.tag;
  };
  const record = 'Domain: shop.eu\nScript: LATIN\n\nStatus: SERVER HOLD\n\nRegistrar:\n  Name: Harbor\n';
  assert.deepEqual(statusOf(record), ['serverHold']);
  assert.deepEqual(statusOf('Domain: shop.eu\n\nnserver: ns1.shop.example\n\nstatus: CLIENT-TRANSFER-PROHIBITED\n'), [
    'clientTransferProhibited',
  ]);
  assert.deepEqual(statusOf('Domain: shop.eu\nstatus: ok\n\nnic-hdl: JR1\nperson: Jo Roe\nstatus: verified\n'), ['ok']);
});

test('the server of a registrar may be printed as an address or with its port; what names no server cannot be asked', () => {
  const serverOf = (named: string) => {
    const body = Buffer.from(`Domain Name: SHOP.COM\nRegistrar WHOIS Server: ${named}\nRegistrar: Harbor\n`);
    const found = registrarServer(
      { status: 200, headers: {}, body, url: 'whois://whois.registry.example', atMs: 0 },
      { domain: 'shop.com' },
    );
    return typeof found === 'string' || found === null ? found : found.tag;
  };
  for (const named of [
    'whois.harbor.example',
    'WHOIS.HARBOR.EXAMPLE.',
    'whois.harbor.example:43',
    'whois://whois.harbor.example/',
    'http://whois.harbor.example',
  ])
    assert.equal(serverOf(named), 'whois.harbor.example', named);
  for (const named of ['https://www.harbor.example/whois', 'whois.harbor.example:4343', 'please see our web page'])
    assert.equal(serverOf(named), 'refused', named);
  for (const named of ['', 'N/A', 'none', '-']) assert.equal(serverOf(named), null, named);
});

test("a name server ends the paragraph of a contact: the states and dates below it are the domain's", () => {
  const got = readWhoisText(
    [
      ...[
        'query:        shop.org.il',
        '',
        'domain:       shop.org.il',
        '',
        'registrant:   Harbor Association',
        'e-mail:       it AT shop.org.il',
      ],
      ...['nserver:      ns1.shop.org.il', 'status:       Transfer Locked', 'changed:      registrar AT ns.il 19960111 (Assigned)'],
      ...['changed:      registrar AT shop.org.il 20260924 (Changed)', '', 'admin e-mail: it AT shop.org.il'],
    ].join('\n'),
    'shop.org.il',
    'whois.isoc.org.il',
    0,
  );
  assert.ok(got.tag === 'found');
  const { registeredOn, updatedOn, status, contacts } = got.resource;
  assert.deepEqual([registeredOn, updatedOn, status], ['1996-01-11', '2026-09-24', ['Transfer Locked']]);
  assert.deepEqual(
    contacts.map(({ role, name }) => [role, name]),
    [['registrant', 'Harbor Association']],
  );
});

test('a contact whose type and names are withheld is a withheld holder, and a name of which a part is withheld is none', () => {
  const contactsOf = (...lines: string[]) => {
    const got = readWhoisText(['Domain: shop.tg', 'Registrar: Harbor', ...lines].join('\n'), 'shop.tg', 'whois.nic.tg', 0);
    assert.ok(got.tag === 'found');
    assert.deepEqual(got.unread ?? [], []);
    return got.resource.contacts.map(({ role, name, redacted }) => [role, name, redacted]);
  };
  const withheld = [
    'Contact Type:.......[PRIVEE]',
    'Last Name:..........[PRIVEE]',
    'First Name:.........[PRIVEE]',
    'e-mail:.............[PRIVEE]',
  ];
  assert.deepEqual(contactsOf(...withheld, '', '-----', 'Domain: shop.tg', ...withheld), [['registrant', null, true]]);
  assert.deepEqual(contactsOf('Contact Type: admin', 'Last Name: [PRIVEE]', 'First Name: Jo'), [['administrative', null, true]]);
});

test('the WHOIS server that ends an answer is no name server of a list above it', () => {
  const lines = ['Domain Name:   shop.com.ly', 'Created: 2003-07-17 01:12:25', 'Domain servers in listed order:'];
  const read = (...more: string[]) => readWhoisText([...lines, ...more, 'whois.nic.ly'].join('\n'), 'shop.com.ly', 'whois.nic.ly', 0);
  const [lost, whole] = [read(), read('   NS1.SHOP.COM.LY')];
  assert.ok(lost.tag === 'found' && whole.tag === 'found');
  assert.deepEqual([lost.resource.nameServers, whole.resource.nameServers], [[], ['ns1.shop.com.ly']]);
});
