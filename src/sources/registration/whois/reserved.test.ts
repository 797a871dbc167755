import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRdap } from '../rdap/parse.ts';
import { readWhoisText } from './parse.ts';

const whois = (text: string, domain: string) => readWhoisText(text, domain, `whois.nic.${domain.split('.').at(-1)}`, 0);
const rdap404 = (title: string, description: readonly string[], notices: readonly object[] = []) =>
  readRdap(
    {
      status: 404,
      headers: { 'content-type': 'application/rdap+json' },
      body: new TextEncoder().encode(JSON.stringify({ rdapConformance: ['rdap_level_0'], errorCode: 404, title, description, notices })),
      url: 'https://rdap.nic.example/domain/shop.dev',
      atMs: 0,
    },
    { domain: 'shop.dev' },
  );

/** Sentences of registries that withhold a name from registration. */
const WITHHELD = [
  'Domain name is reserved or restricted',
  'Domain is not available or is reserved by the registry.',
  'The domain name is reserved by the registry.',
  'The domain name is prohibited by policy.',
  'Registration of this domain is prohibited',
  'This domain is blocked',
  'Name is restricted from registration',
  'Domain shop.dev is reserved by the registry',
  'shop.dev has been blocked by the registry operator.',
  'Reserved by Registry',
  'Name is reserved by harbor',
  'Domain Status: Prohibited String - Object Cannot Be Registered',
  'Domain Status: Prohibited String - Domain Cannot Be Registered',
  'The queried object does not exist: Prohibited String - Object Cannot Be Registered',
  'The queried object does not exist: Reserved by the registry',
  'Name is on a restricted list',
  'This name is registry reserved',
  'This is an ICANN reserved name',
  'shop.dev - Forbiden name',
  'El dominio shop.dev no se puede registrar',
  'This domain is currently not available for registration. Please select another name.',
  'This domain is currently available for application via the Harbor Dropzone service.',
  'Domain blocked by GlobalBlock',
  'This domain name is blocked by an AdultBlock subscription',
  'Domain name is reserved, restricted or otherwise not available for registration',
  "Domain name 'shop.dev' is reserved or restricted",
  "The domain shop.dev is on the registry's reserved list.",
  'The requested domain name is in the list of reserved names',
  'Domain not available: reserved',
  'Reserved or restricted domain name',
  'Restricted domain',
  'domain_name is reserved or restricted',
  'State: reserved',
  'Registration of shop.dev is not permitted',
];
/** Sentences that only WHOIS servers send. */
const BY_WHOIS = [
  'Domain not found. This name is reserved.',
  'No match for "SHOP.DEV". Reserved by the registry.',
  'Above domain name is not available for registration.',
  'This request domain name is restricted to specifically qualified registrants for stable management.',
  '% reserved:    CG',
  'shop.dev: reserved',
  "NOTICE: The domain shop.dev is on the registry's reserved list.",
  'The domain shop.dev is a Harbor Reserved Name and is available for registration only by eligible applicants.',
];
/** Sentences that no record was found, of which a known word is no reason. */
const NO_RECORD = [
  'The domain does not exist; it may be reserved.',
  'Object not found. All rights reserved.',
  'The name is not reserved',
  'Object not found',
  'The domain shop.dev was not found in the registry.',
  'No record found. Reserved characters are not allowed in queries.',
  'The domain is not registered. Some names are reserved; see https://registry.example/reserved',
  'Object not found. Certain two-letter domains are blocked by the registry.',
  'Domain not found. Please note that premium, reserved and blocked names are listed at https://registry.example/names',
];

test('a registry that withholds a name says so by WHOIS and by RDAP in the same words', () => {
  for (const sentence of [...WITHHELD, ...BY_WHOIS, 'RESTRICTED - Restricted domain name', ...SINGLE]) {
    const got = whois(sentence, 'shop.dev');
    assert.ok(got.tag === 'found' && !got.resource.available && got.resource.status.length === 1, sentence);
  }
  for (const sentence of WITHHELD)
    for (const got of [rdap404('Not Found', [sentence]), rdap404(sentence, []), rdap404('Not Found', ['Error', sentence])]) {
      assert.ok(got.tag === 'found', sentence);
      assert.deepEqual(
        [got.resource.available, got.resource.status, got.resource.source],
        [false, ['reserved'], 'authoritative'],
        sentence,
      );
    }
  for (const lines of [['shop.dev was not found', 'Reason: reserved'], ['Object not found, blocked by the registry.']]) {
    const got = rdap404('Not Found', lines);
    assert.ok(got.tag === 'found' && !got.resource.available, lines.join());
  }
  const noticed = (title: string, description: readonly string[]) => rdap404('Not Found', [], [{ title, description }]);
  const withheld = noticed('Status', ['This domain name is reserved']);
  assert.ok(withheld.tag === 'found' && !withheld.resource.available);
  const terms = noticed('Terms of Service', ['This domain data is restricted.', 'Access may be blocked. All rights reserved.']);
  assert.ok(terms.tag === 'found' && terms.resource.available);
  assert.equal(rdap404('Not Found', ['Your IP address is blocked']).tag, 'blocked');
  for (const sentence of NO_RECORD) {
    const got = rdap404('Not Found', [sentence]);
    assert.ok(got.tag === 'found' && got.resource.available, sentence);
  }
});

const SINGLE = [
  'Domain not available for registration',
  'This platinum domain is available for purchase.',
  'This premium domain is available for purchase.',
  'The queried object is reserved',
  'Domain is not available: it is reserved',
  'Domain name is not available for registration, because it is blocked',
  'Domain shop.dev is forbidden for registration',
  'the Domain Name you apply can not be registered online. Please consult your Domain Name registrar',
];

test('a sentence that there is no record is never "reserved"', () => {
  for (const what of ['This Domain', 'This domain name', 'The domain you requested', 'The domain shop.lk', 'Domain'])
    for (const where of ['in our whois database', 'in the database', 'in the registry', 'from our records', 'in this WHOIS server']) {
      const got = whois(`${what} is not available ${where}`, 'shop.lk');
      assert.ok(got.tag !== 'found' || got.resource.available, `${what} is not available ${where}`);
    }
});

test('a sentence that another name is withheld, or that a client is blocked, says nothing of the name', () => {
  for (const line of [...WITHHELD, ...SINGLE].filter((one) => one.includes('shop.dev')).concat('shop.dev is reserved', 'shop.dev: blocked'))
    for (const other of ['other.dev', 'client.example.net', '192.0.2.1']) {
      const sentence = line.replaceAll('shop.dev', other);
      assert.notEqual(whois(sentence, 'shop.dev').tag, 'found', sentence);
      assert.equal(whois(line, 'shop.dev').tag, 'found', line);
    }
  for (const line of ['192.0.2.1 has been blocked', 'your.host.example has been blocked due to abuse'])
    assert.notEqual(whois(line, 'shop.dev').tag, 'found', line);
});

test('a line of the terms of use is no reason that a name is withheld', () => {
  for (const line of [
    'The domain information is restricted to lawful purposes.',
    'This domain lookup service is restricted to registrars.',
    'The domain name data is prohibited from being used for spam.',
    'The domain registration data in this database is reserved to the registry.',
    'This domain name database is blocked for mining.',
    'This name is not available in every language',
  ]) {
    const got = whois(`Domain not found.\n\n${line}\n`, 'shop.dev');
    assert.ok(got.tag === 'found' && got.resource.available, line);
  }
});

test('states of auction, release and dispute keep a name from being registered, and stand as printed', () => {
  for (const [domain, label, state] of [
    ['shop.ee', 'status', 'AtAuction'],
    ['shop.ee', 'status', 'deleteCandidate'],
    ['shop.ee', 'status', 'Disputed'],
    ['shop.ee', 'status', 'PendingRegistration'],
    ['shop.ca', 'Domain status', 'to be released'],
    ['shop.com.br', 'release process', 'waiting'],
  ] as const) {
    const name = domain.endsWith('.ee') ? 'name' : 'domain';
    const got = whois(`Domain:\n${name}: ${domain}\n${label}: ${state}\n`, domain);
    assert.ok(got.tag === 'found', `${domain} ${state}: ${got.tag}`);
    assert.deepEqual([got.resource.available, got.resource.status], [false, [state]]);
  }
});

test('a name for which the registry takes applications has that as its state', () => {
  const got = whois(
    'This domain is currently available for application via the Harbor Dropzone service.\n>>> Last update of WHOIS database: 2026-05-13T16:08:47Z <<<\n\nTerms of Use: a\nb\nc\nd\ne\nf',
    'shop.io',
  );
  assert.ok(got.tag === 'found');
  assert.deepEqual([got.resource.available, got.resource.status], [false, ['available for application via the Harbor Dropzone service']]);
});

test('a record whose only fact is an unknown state is no answer, whatever known word it contains', () => {
  for (const state of ['quarantined by committee', 'good grief', 'on hold music', 'expired milk', 'purple'])
    assert.equal(whois(`Domain Name: shop.com\nDomain Status: ${state}\n`, 'shop.com').tag, 'changed', state);
});

test('limits and refusals of a client in the words of registries', () => {
  for (const limit of [
    'whois.domain-registry.nl: only 1 request per second allowed, try again later',
    'Only 10 queries per minute are permitted.',
    'Maximum of 30 lookups per 60 seconds allowed. Please wait.',
    'Only one request per second allowed',
    'Your request has been rate limited',
    '% Permission denied. Query rate limit exceeded',
    'Denied: too many queries from your address',
    '%ERROR:503: You have reached the limit of queries',
    '-4: Excessive querying, grace period of 60 seconds',
    'Error for "shop.co.uk". The WHOIS query quota for 192.0.2.1 has been exceeded',
    'Limit of requests per minute reached',
    '% Your IP address exceeded the daily query allowance',
  ])
    assert.equal(whois(limit, 'shop.nl').tag, 'limited', limit);
  for (const refusal of [
    '-3: IP address blocked',
    'IP address has been banned.',
    'Error 403: access denied',
    'ERROR:403: Permission denied',
  ])
    assert.equal(whois(refusal, 'shop.be').tag, 'blocked', refusal);
  for (const invalid of [
    'This domain cannot be registered because it contravenes the Nominet UK',
    '-7: %Invalid pattern',
    'Status: This WHOIS server does not have any records for that zone.',
  ])
    assert.equal(whois(invalid, 'shop.co.uk').tag, 'refused', invalid);
  assert.equal(whois('Connection attempt failed 2.', 'shop.pr').tag, 'unreachable');
});

test('a state of a name that is not sold to everybody is its status, without the remark behind it', () => {
  const statusOf = (text: string) => {
    const got = whois(text, 'shop.sx');
    return got.tag === 'found' && !got.resource.available && got.resource.status;
  };
  assert.deepEqual(statusOf('Status: PREMIUM NAME (No match for domain "shop.sx")'), ['PREMIUM NAME']);
  assert.deepEqual(statusOf('Domain status:         unavailable'), ['unavailable']);
});

test('lines that end with the line break of HTML are lines', () => {
  const got = whois(
    'Domain Name: SHOP.COM<br>Registrar: Harbor Names<br />Registrant Name: Jo Roe<BR/>Creation Date: 2020-01-02',
    'shop.com',
  );
  assert.ok(got.tag === 'found');
  assert.deepEqual([got.resource.registrar?.name, got.resource.contacts[0]?.name], ['Harbor Names', 'Jo Roe']);
});

test('an address that says where to look is no date, and leaves none unread; the changes of RIPE are dated', () => {
  const record = ['domain: shop.bg', 'registrar: Harbor', 'nserver: ns1.shop.bg'];
  const looked = whois([...record, 'activated on: see at www.register.bg', 'expires at: see at https://register.bg'].join('\n'), 'shop.bg');
  assert.ok(looked.tag === 'found' && looked.unread === undefined && looked.resource.registeredOn === null);
  const changed = whois([...record, 'changed: jo@shop.bg 20251013', 'changed: mail 20240101'].join('\n'), 'shop.bg');
  assert.ok(changed.tag === 'found' && changed.resource.updatedOn === '2025-10-13' && changed.unread === undefined);
});

test('an answer that only says that the name is held is known in any words, with the state that it names', () => {
  const statusOf = (text: string) => {
    const outcome = whois(text, 'shop.dev');
    return outcome.tag === 'found' ? (outcome.resource.available ? 'free' : outcome.resource.status.join()) : outcome.tag;
  };
  for (const [sentence, status] of [
    ['Domain shop.dev is in auction', 'in auction'],
    ['This domain name is in quarantine', 'in quarantine'],
    ['shop.dev is in quarantine until 2026-12-31', 'in quarantine'],
    ['The domain is currently in redemption.', 'in redemption'],
    ['Domain shop.dev is pending release', 'pending release'],
    ['shop.dev is already registered', 'registered'],
  ] as const)
    assert.equal(statusOf(sentence), status, sentence);
  for (const sentence of [
    ...['The name shop.dev is subject to a dispute', 'The domain shop.dev cannot be registered', 'Domain shop.dev can not be registered'],
    ...[
      'This domain may not be registered',
      'shop.dev is not available for registration',
      'Domain shop.dev is unavailable',
      'Blocked domain',
    ],
    ...[
      'shop.dev is on the reserved list',
      'Restricted name',
      'This is a premium domain',
      'Domain will be released on 2026-12-31',
      'Blocked',
    ],
    ...[
      "Ce nom de domaine n'est pas disponible",
      'El dominio no está disponible',
      'Domínio não disponível',
      'Il dominio non è disponibile',
    ],
    ...[
      'Domain ist nicht verfügbar',
      'De domeinnaam is geblokkeerd',
      'Domena zajęta',
      'Doména je obsazena',
      'Домен занят',
      '该域名不可注册',
    ],
    ...['Domain Status: Not registrable', 'Domain Status: Premium'],
  ]) {
    assert.ok(!['free', 'changed', 'refused'].includes(statusOf(sentence)), `${sentence}: ${statusOf(sentence)}`);
    const terms = Array.from({ length: 6 }, (_, i) => `Sentence ${i} of the terms of use.`).join('\n');
    assert.notEqual(statusOf(`${sentence.replace('shop.dev', 'other.dev')}\n${terms}`), 'free', sentence);
  }
  for (const other of [
    ...[
      'other.dev is in auction',
      'This domain is not available in the database',
      'The domain is not reserved',
      'The domain shop.dev is not blocked',
    ],
    ...['The name server is unavailable', 'Domain is no longer blocked', 'Names in this list are reserved'],
  ])
    assert.ok(['free', 'changed'].includes(statusOf(other)), `${other}: ${statusOf(other)}`);
});
