import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable } from '../../../runtime/table.ts';
import { isRole } from '../facts.ts';
import { readWhoisText } from './parse.ts';

const LABELS = readTable(new URL('./labels.tsv', import.meta.url)).map(([label = '', place = '', meaning = '', tlds = '']) => {
  return { label, place, meaning, tld: tlds === '*' ? 'xx' : (tlds.split(',')[0] ?? '') };
});
function read(lines: readonly string[], domain: string) {
  const outcome = readWhoisText(lines.join('\n'), domain, `whois.nic.${domain.split('.').at(-1)}`, 0);
  assert.ok(outcome.tag === 'found', `${outcome.tag}: ${lines.join(' / ')}`);
  return outcome;
}
const contactsIn = (lines: readonly string[], domain: string) => read(lines, domain).resource.contacts;
const RECORD = (domain: string): readonly string[] => [
  `domain: ${domain}`,
  `domain name: ${domain}`,
  'created: 2020-01-02',
  'registrar: Harbor',
];

test('a line without a label below a labelled one is no name, under every heading of a contact', () => {
  const headings = LABELS.filter(({ place, meaning }) => place === 'heading' && isRole(meaning));
  assert.ok(headings.length > 30);
  for (const { label, tld } of headings) {
    const domain = `shop.${tld}`;
    for (const labelled of ['  Address:          Via Roma, 1', '  Organization:     Negozio srl', '  Phone:  +39.5550000000'])
      for (const rest of ['                    Torino', '  Torino', '    Torino']) {
        const lines = [...RECORD(domain), '', `${label}:`, labelled, rest, '                    10100', '  E-mail:  jo@shop.example'];
        for (const { name, email } of contactsIn(lines, domain)) assert.deepEqual([name, email], [null, 'jo@shop.example'], label);
      }
  }
});

test('an address block without any label still begins with a name, and its addresses may follow labelled lines', () => {
  const [contact] = contactsIn(
    [
      ...RECORD('shop.ly'),
      '',
      'Registrant:',
      '   Shop Ltd',
      '   1 Street',
      '   Zip/Postal code: 94043',
      '   Phone: +16505550000',
      '   jo@shop.ly',
    ],
    'shop.ly',
  );
  assert.deepEqual([contact?.name, contact?.email, contact?.phone], ['Shop Ltd', 'jo@shop.ly', '+16505550000']);
});

test('one word with a hyphen or a digit is a name wherever the registry is not known to print handles', () => {
  const parties = LABELS.filter(({ meaning }) => /\.(?:party|descr|name)$/.test(meaning) && !/^(?:given|first|last)/.test(meaning));
  assert.ok(parties.length > 30);
  for (const name of ['Coca-Cola', '7-Eleven', '3M', 'Domain-Manager', 'Rock_n_Roll', 'A.B.C-1'])
    for (const { label, place, meaning, tld } of parties) {
      const domain = `shop.${tld}`;
      const line = place === 'bracket' ? `[${label}]  ${name}` : `${label}: ${name}`;
      const role = meaning.split('.')[0];
      const contact = contactsIn([...RECORD(domain), line], domain).find((one) => one.role === role);
      assert.equal(contact?.name, name, `${label}, .${tld}`);
    }
});

test('a handle is no name where the text has its object or the registry prints handles', () => {
  const object = ['', 'person: Jo Roe', 'e-mail: jo@shop.example', 'nic-hdl: JR1-TEST'];
  const [named] = contactsIn([...RECORD('shop.xx'), 'registrant: JR1-TEST', ...object], 'shop.xx');
  assert.deepEqual([named?.name, named?.organization, named?.email], ['Jo Roe', null, 'jo@shop.example']);
  for (const { label, meaning, tld } of LABELS.filter((row) => row.place === 'domain' && row.meaning.endsWith('.ref'))) {
    const contacts = contactsIn([...RECORD(`shop.${tld}`), `${label}: JR1-TEST`], `shop.${tld}`);
    assert.deepEqual(contacts, [], `${label}, .${tld}: ${meaning}`);
  }
});

const two = (lines: readonly string[], domain: string, role: string): readonly (string | null)[] =>
  contactsIn(lines, domain).flatMap((one) => (one.role === role ? one.name : []));
test('every contact of a role is read: handles, fields and sections that are repeated, and the next one below the same heading', () => {
  const object = (handle: string, name: string) => ['', `nic-hdl: ${handle}`, `contact: ${name}`, 'source: FRNIC'];
  const handles = ['tech-c: T1-FRNIC', 'tech-c: T2-FRNIC', ...object('T1-FRNIC', 'Tec One'), ...object('T2-FRNIC', 'Tec Two')];
  assert.deepEqual(two([...RECORD('shop.fr'), ...handles], 'shop.fr', 'technical'), ['Tec One', 'Tec Two']);
  const fields = ['Tech Name: Tec One', 'Tech Email: one@shop.example', 'Tech Name: Tec Two', 'Tech Email: two@shop.example'];
  const contacts = contactsIn([...RECORD('shop.xyz'), ...fields], 'shop.xyz');
  assert.deepEqual(
    contacts.map(({ name, email }) => [name, email]),
    [
      ['Tec One', 'one@shop.example'],
      ['Tec Two', 'two@shop.example'],
    ],
  );
  const section = (name: string) => ['', 'Technical Contact:', `   Name: ${name}`, '   Address: 1 Street'];
  assert.deepEqual(two([...RECORD('shop.xx'), ...section('Tec One'), ...section('Tec Two')], 'shop.xx', 'technical'), [
    'Tec One',
    'Tec Two',
  ]);
  const oneHeading = [
    '',
    'Administrative contact:',
    'name: Adm One',
    'email: one@shop.ee',
    'changed: 2026-01-13',
    'name: Adm Two',
    'email: two@shop.ee',
  ];
  assert.deepEqual(two([...RECORD('shop.ee'), ...oneHeading], 'shop.ee', 'administrative'), ['Adm One', 'Adm Two']);
  const below = [
    '',
    'Registrar Technical Contacts:',
    '\tOrganisation:\tOne bv',
    '\tPhone:\t+32.5550001',
    '',
    '\tOrganisation:\tTwo bv',
    '',
    'Flags:',
  ];
  const organizations = contactsIn([...RECORD('shop.be'), ...below], 'shop.be').map(({ role, organization }) => [role, organization]);
  assert.deepEqual(organizations, [
    ['technical', 'One bv'],
    ['technical', 'Two bv'],
  ]);
});

test('the same contact is listed once, and the lines of an address or a second copy of the record are no further contacts', () => {
  const lines = ['descr: Shop Ltd', 'descr: 1 Street', 'descr: Tel Aviv'];
  assert.deepEqual(two([...RECORD('shop.co.il'), ...lines], 'shop.co.il', 'registrant'), ['Shop Ltd']);
  const owner = ['Owner Name: Shop Ltd', 'Owner Name: 1 Street'];
  assert.deepEqual(two([...RECORD('shop.tm'), ...owner], 'shop.tm', 'registrant'), ['Shop Ltd']);
  const copy = ['Domain Name: shop.xyz', 'Creation Date: 2020-01-02', 'Tech Name: Tec One', 'Tech Name: Tec One'];
  assert.deepEqual(two([...copy, '', ...copy.with(2, 'Tech Name: TEC ONE')], 'shop.xyz', 'technical'), ['Tec One']);
});

test('a repeated party that may be another contact or the next line of an address is unread', () => {
  const { resource, unread } = read([...RECORD('shop.xx'), 'Technical Contact: Tec One', 'Technical Contact: Tec Two'], 'shop.xx');
  assert.deepEqual([resource.contacts.map(({ name }) => name), unread], [['Tec One'], ['contacts']]);
});

test('a link is no name, with or without its scheme; a name with a domain or a slash in it is one', () => {
  for (const link of ['https://harbor.example', 'www.harbor.example', 'harbor.example/whois?mode=doit', 'harbor.co.kr:8080/x'])
    assert.deepEqual(contactsIn([...RECORD('shop.xx'), `Administrative Contact: ${link}`], 'shop.xx'), [], link);
  for (const name of ['Booking.com', 'Dansk Handel A/S', 'Amazon.com, Inc.', 'P/F Telefonverkið'])
    assert.deepEqual(two([...RECORD('shop.xx'), `Administrative Contact: ${name}`], 'shop.xx', 'administrative'), [name]);
});

test('persons of .ru, .su and .рф; names printed in two parts; a label that explains itself', () => {
  for (const domain of ['shop.ru', 'shop.su', 'shop.xn--p1ai']) {
    const [hidden] = contactsIn([...RECORD(domain), 'person: Private Person'], domain);
    assert.deepEqual([hidden?.role, hidden?.name, hidden?.redacted], ['registrant', null, true]);
    const [shown] = contactsIn([...RECORD(domain), 'person: Ivan Petrov', 'phone: +7 495 5550000', 'e-mail: ivan@shop.example'], domain);
    assert.deepEqual(
      [shown?.name, shown?.email, shown?.phone, shown?.redacted],
      ['Ivan Petrov', 'ivan@shop.example', '+7 495 5550000', false],
    );
  }
  const hk = ['', 'Administrative Contact Information:', '', 'Given name: TAI MAN', 'Family name: CHAN', 'Company name: SHOP LIMITED'];
  assert.deepEqual(two([...RECORD('shop.hk'), ...hk], 'shop.hk', 'administrative'), ['TAI MAN CHAN']);
  const remark = 'It should be the same as the registered name; see "documents", '.repeat(4);
  const company = ['', 'Registrant Contact Information:', '', `Company English Name (${remark}): SHOP LIMITED`];
  assert.deepEqual(two([...RECORD('shop.hk'), ...company], 'shop.hk', 'registrant'), ['SHOP LIMITED']);
});

test('a sentence that the holder is hidden is a redacted registrant; one about the registrar is no contact', () => {
  const [hidden] = contactsIn([...RECORD('shop.rs'), '', 'Whois privacy has been activated for domain.'], 'shop.rs');
  assert.deepEqual([hidden?.role, hidden?.name, hidden?.redacted], ['registrant', null, true]);
  const { unread } = read([...RECORD('shop.do'), 'Registrar Customer Service Email: info@nic.example'], 'shop.do');
  assert.equal(unread, undefined);
});

test('keys and DS records in every form mean that the domain is signed', () => {
  const signed = (domain: string, ...lines: string[]) => read([...RECORD(domain), ...lines], domain).resource.dnssec;
  const ds = '44047 8 2 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF';
  for (const key of [
    'flags:KSK protocol:3 algorithm:RSA_SHA256 pubKey:AwEAAex',
    'keyTag:1 flags:KSK pubKey:AwEAAex',
    ds,
    `257 3 8 AwEAAex`,
  ])
    for (const tld of ['eu', 'be']) assert.equal(signed(`shop.${tld}`, '', 'Keys:', `\t${key}`), true, key);
  for (const { label, place, tld } of LABELS.filter(({ meaning }) => meaning === 'dsRecord'))
    assert.equal(signed(`shop.${tld}`, place === 'bracket' ? `[${label}] ${ds}` : `${label}: ${ds}`), true, label);
  assert.equal(signed('shop.si', `ds: ${ds}`), true);
  for (const label of ['dsrecord', 'DS', 'DNSKEY 1', 'DNSSEC Key', 'DNSSEC', 'DS1', 'Digest', 'Trust Anchor'])
    assert.equal(signed('shop.xy', `${label}: ${ds}`), true, label);
  assert.equal(signed('shop.xy', 'nserver: ns1.shop.xy', `dsrecord: ${ds}`), true, 'in the paragraph of the name servers');
  for (const heading of ['DS Records', 'DNSSEC Keys', 'DS Data']) {
    assert.equal(signed('shop.xy', `${heading}:`, `    ${ds}`, `    ${ds}`), true, heading);
    assert.equal(signed('shop.xy', '', `${heading}:`, ds), true, heading);
  }
  for (const none of ['none', '-', 'No records', 'Jo Roe']) assert.notEqual(signed('shop.xy', 'DS Records:', `    ${none}`), true, none);
  assert.equal(signed('shop.xy', 'Key Contacts:', '    Jo Roe'), null);
  assert.equal(signed('shop.eu', '', 'Keys:', '', 'Please visit www.eurid.eu for more info.'), null);
  assert.equal(signed('shop.be', '', 'Keys:', '', 'Flags:', '\tclientTransferProhibited'), null);
});

test('a record is that of its name in either script, whatever letter it begins with, under every label of a domain', () => {
  const labels = LABELS.filter(({ place, meaning }) => meaning === 'domain' && (place === 'any' || place === 'bracket'));
  assert.ok(labels.length > 8);
  for (const [unicode, ascii] of [
    ['übung', 'xn--bung-zra'],
    ['æøåöäüé', 'xn--4cabco7dk5a'],
    ['ÖPPETTIDER', 'xn--ppettider-z7a'],
    ['пример', 'xn--e1afmkfd'],
    ['例', 'xn--fsq'],
  ] as const)
    for (const { label, place, tld } of labels) {
      const line = place === 'bracket' ? `[${label}]  ${unicode}.${tld}` : `${label}: ${unicode}.${tld}`;
      const rest = place === 'bracket' ? '[Registered Date] 2020/01/02' : 'created: 2020-01-02';
      const { resource } = read([line, rest, 'registrar: Harbor', 'nserver: ns1.shop.example'], `${ascii}.${tld}`);
      assert.equal(resource.registrar?.name, 'Harbor', line);
    }
});

test('a label without a space after its colon is not the value of the empty label above it', () => {
  const lines = ['Admin Name:Jo Doe', 'Admin Organization:', 'Admin Street1:1 High Street', 'Admin City:Harbor', 'Admin Email:jo@shop.in'];
  const [contact] = contactsIn([...RECORD('shop.in'), ...lines], 'shop.in');
  assert.deepEqual([contact?.name, contact?.organization, contact?.email], ['Jo Doe', null, 'jo@shop.in']);
  // a time after the same word is no label
  const { resource } = read(
    ['Domain Name: shop.com.tw', 'Record expires on 2026-11-09 00:00:00 (UTC+8)', 'Record created on 2000-08-29 10:22:50 (UTC+8)'],
    'shop.com.tw',
  );
  assert.equal(resource.registeredOn, '2000-08-29T02:22:50.000Z');
});

test("a handle's object is read without a blank line above it, and what follows it is not the domain's", () => {
  const record = ['domain: shop.co.cr', 'registrant: CON-7', 'admin-c: CON-7', 'registrar: NIC-REG1', 'registered: 18.04.2002 18:00:00'];
  const object = [
    'contact: CON-7',
    'org: Shop Inc.',
    'name: Jo Doe',
    'phone: +1.6505550100',
    'e-mail: jo@shop.example',
    'created: 03.06.2011',
  ];
  const servers = ['nsset: SHOP', 'nserver: ns1.shop.example', 'created: 03.06.2012'];
  const apart = read([...record, '', ...object, '', ...servers], 'shop.co.cr');
  assert.equal(apart.resource.contacts.length, 2);
  assert.deepEqual(read([...record, ...object, ...servers], 'shop.co.cr'), apart);
  // an object that only the servers name
  const next = ['contact: CON-8', 'org: Hosting Ltd', 'name: Al Lee'];
  for (const { organization } of contactsIn([...record, 'contact: CON-7', 'name: Jo Doe', ...next, ...servers], 'shop.co.cr'))
    assert.equal(organization, null);
  const [holder] = contactsIn(
    ['domain: shop.com.ar', 'registrant: 307', 'registered: 1997-05-26', 'contact: 307', 'name: SHOP'],
    'shop.com.ar',
  );
  assert.deepEqual([holder?.role, holder?.name], ['registrant', 'SHOP']);
});

test('a telephone number before its fax number, and digits below an e-mail address, are read; a postal code is not', () => {
  const phoneOf = (...lines: string[]) =>
    contactsIn(
      [
        'Titular:',
        `Shop SA (1-x)\t\tjo@shop.uy`,
        '   Harbor, 11300 UY',
        ...lines,
        '',
        '   Nombre de Dominio: shop.uy',
        'Fecha de Creacion: 2016-07-11',
      ],
      'shop.uy',
    )[0]?.phone;
  assert.equal(phoneOf('   +598.55501000 (FAX) +598.55501001'), '+598.55501000');
  assert.equal(phoneOf('   1 - 6505550100 (FAX) 1 - 6505550101'), '1 - 6505550100');
  assert.equal(phoneOf('   2418246437'), null);
  const block = (...lines: string[]) =>
    contactsIn(
      ['   Domain name: shop.am', '   Registered: 1999-06-05', '', '   Administrative contact:', '      Shop', ...lines],
      'shop.am',
    )[0]?.phone;
  assert.equal(block('      jo@shop.example', '      1 6505550100', '      1 6505550101'), '1 6505550100');
  assert.equal(block('      1234567890', '      jo@shop.example'), null);
});

test("the holder's description is no handle, whose object would be missing", () => {
  const { unread } = read(
    [
      'domain: shop.co.il',
      'descr: Jo Doe',
      'admin-c: A-IL',
      'zone-c: Z-IL',
      'assigned: 21-08-2001',
      '',
      'person: Al Lee',
      'nic-hdl: A-IL',
      '',
      'person: Zoe',
      'nic-hdl: Z-IL',
    ],
    'shop.co.il',
  );
  assert.equal(unread, undefined);
});

test('a second contact without labels below one heading is listed, prose is not', () => {
  const block = (name: string) => [
    `  ${name}`,
    `  ${name.slice(0, 2).toLowerCase()}@shop.bg`,
    '  Shop AD',
    '  tel: +359 2 5550100',
    '  NIC handle: X1',
  ];
  const lines = [
    ...RECORD('shop.bg'),
    '',
    'TECHNICAL CONTACT(S):',
    '',
    ...block('Jo Doe'),
    '',
    ...block('Al Lee'),
    '',
    '  No liability is assumed.',
    '',
  ];
  assert.deepEqual(
    contactsIn(lines, 'shop.bg').map(({ role, name, email }) => [role, name, email]),
    [
      ['technical', 'Jo Doe', 'jo@shop.bg'],
      ['technical', 'Al Lee', 'al@shop.bg'],
    ],
  );
});

test('the holder under a label that nobody has seen is unread below its heading, too', () => {
  const holder = (line: string) =>
    read([...RECORD('shop.xy'), '', 'Holder', '', line, '', 'Registrar', '', 'name: Harbor'], 'shop.xy').unread;
  assert.deepEqual(holder('holder: Jo Roe'), ['contacts']);
  assert.deepEqual(holder('titulaire: Jo Roe'), ['contacts']);
  assert.equal(holder('holder transfer: 2018-11-20'), undefined);
});

test('a second name below the record that is no host does not end it', () => {
  const lines = [
    'Domain:',
    'name: shop.ee',
    'registered: 2010-07-04',
    '',
    'Administrative contact:',
    'name: Adm One',
    '',
    'name: Adm Two',
    '',
  ];
  const { registrar } = read([...lines, 'Registrar:', 'name: Harbor OU'], 'shop.ee').resource;
  assert.equal(registrar?.name, 'Harbor OU');
});

test('a contact without a role is unread where no other is listed', () => {
  const lines = [
    'Domain Name: shop.tw',
    '',
    '   Contact:',
    '      Jo Doe',
    '      jo@shop.tw',
    '',
    '   Record created on 2005-10-27 (YYYY-MM-DD)',
  ];
  assert.deepEqual(read(lines, 'shop.tw').unread, ['contacts']);
});

test('a name beside a given name alone is the family name; one that has the given name in it is whole', () => {
  const nameOf = (...lines: readonly string[]) => {
    const text = ['Domain name: shop.tn', 'Registrar: Harbor', '', 'Administrativ contact', ...lines, 'Email: jo@shop.example', ''].join(
      '\n',
    );
    const outcome = readWhoisText(text, 'shop.tn', 'whois.ati.tn', 0);
    return outcome.tag === 'found' ? outcome.resource.contacts[0]?.name : outcome.tag;
  };
  assert.equal(nameOf('Name: Roe', 'First name: Jo'), 'Jo Roe');
  assert.equal(nameOf('First name: Jo', 'Name: Roe'), 'Jo Roe');
  assert.equal(nameOf('Name: Jo Roe', 'First name: Jo'), 'Jo Roe');
  assert.equal(nameOf('Name: Shop SARL', 'First name:'), 'Shop SARL');
  assert.equal(nameOf('Name: Shop SARL', 'First name: Jo', 'Last name: Roe'), 'Shop SARL');
});

test('the contact of a company that begins with an empty name has its organization', () => {
  const got = readWhoisText(
    [
      ...[
        'domain:            shop.at',
        'registrar:         Harbor',
        'registrant:        HG1234567-NICAT',
        'tech-c:            JR7654321-NICAT',
      ],
      ...['nserver:           ns1.harbor.example', 'changed:           20200427 16:03:40', 'source:            AT-DOM', ''],
      ...[
        'personname:        ',
        'organization:      Harbor GmbH',
        'city:              Linz',
        'phone:             +43.7320001',
        'e-mail:            it@harbor.example',
      ],
      ...['nic-hdl:           HG1234567-NICAT', 'changed:           20121116 16:58:21', 'source:            AT-DOM', ''],
      ...['personname:        Jo Roe', 'organization:      ', 'e-mail:            jo@harbor.example', 'nic-hdl:           JR7654321-NICAT'],
    ].join('\n'),
    'shop.at',
    'whois.nic.at',
    0,
  );
  assert.ok(got.tag === 'found');
  assert.deepEqual(got.resource.contacts, [
    { role: 'registrant', name: null, organization: 'Harbor GmbH', email: 'it@harbor.example', phone: '+43.7320001', redacted: false },
    { role: 'technical', name: 'Jo Roe', organization: null, email: 'jo@harbor.example', phone: null, redacted: false },
  ]);
  assert.deepEqual([got.resource.updatedOn, got.unread ?? []], ['2020-04-27', []]);
});
