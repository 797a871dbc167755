import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whoisServerOf } from '../registries.ts';
import { readWhoisText, waitMsIn } from './parse.ts';

const hostOf = (domain: string): string => whoisServerOf(domain)?.host ?? `whois.nic.${domain.split('.').at(-1)}`;
function said(domain: string, text: string, host = hostOf(domain)): string {
  const outcome = readWhoisText(text, domain, host, 0);
  return outcome.tag === 'found' ? (outcome.resource.available ? 'free' : 'taken') : outcome.tag;
}

/** Answers without a record: [queried domain, text, expected reading]. */
const PHRASES: readonly (readonly [domain: string, text: string, read: string])[] = [
  ['a.com', 'No match for "A.COM".\n>>> Last update', 'free'],
  ['a.org', 'NOT FOUND\n', 'free'],
  ['a.io', 'Domain not found.\n', 'free'],
  ['a.sk', 'Domain not found.', 'free'],
  ['a.fi', 'Domain not found', 'free'],
  ['a.post', 'Domain not found.', 'free'],
  ['a.us', 'No Data Found\n>>>', 'free'],
  ['a.com.au', 'No Data Found', 'free'],
  ['a.biz', 'No Data Found', 'free'],
  ['a.xyz', 'The queried object does not exist: DOMAIN NOT FOUND', 'free'],
  ['a.ie', 'Not found: a.ie', 'free'],
  ['a.de', 'Domain: a.de\nStatus: free', 'free'],
  [
    'a.icu',
    'The queried object does not exist: previous registration D1-CNIC was purged on 2019-12-30T23:18:42.0Z (DOMAIN NOT FOUND)',
    'free',
  ],
  ['a.xn--ses554g', 'The queried object does not exist: Common; No match.', 'free'],
  ['a.eu', '% still available or not\n\nDomain: a.eu\nScript: LATIN\nStatus: AVAILABLE\n\nRegistrant:\n', 'free'],
  ['a.be', '% is still available or not\nDomain:\ta.be\nStatus:\tAVAILABLE\n\nPlease visit www.dnsbelgium.be for more info.', 'free'],
  ['a.it', 'Domain:             a.it\nStatus:             AVAILABLE', 'free'],
  ['a.bg', 'DOMAIN NAME: a.bg (a.bg)\nregistration status: available\n', 'free'],
  ['a.fr', '%% NOT FOUND', 'free'],
  ['a.re', '%% No entries found in the AFNIC Database.', 'free'],
  ['a.se', '# c\ndomain "a.se" not found.', 'free'],
  ['a.ru', 'No entries found for the selected source(s).', 'free'],
  ['a.dk', '# x\nNo entries found for the selected source.', 'free'],
  ['a.cz', '%ERROR:101: no entries found\n%\n% No entries found.', 'free'],
  ['a.rs', '%ERROR:103: Domain is not registered', 'free'],
  ['a.ua', '% No entries found for a.ua', 'free'],
  ['a.is', '% No entries found for query "a.is".', 'free'],
  ['a.cl', 'a.cl: no entries found.', 'free'],
  ['a.kz', '*** Nothing found for this query.', 'free'],
  ['a.jp', '[ JPRS database\nNo match!!', 'free'],
  ['a.kr', '# ENGLISH\n\nThe requested domain was not found in the Registry or', 'free'],
  ['a.cn', 'No matching record.', 'free'],
  ['a.tw', 'No Found', 'free'],
  ['a.co.il', '% No data was found to match the request criteria.', 'free'],
  ['a.com.br', '% No match for a.com.br', 'free'],
  ['a.pe', 'Domain Name: a.pe\nDomain Status: No Object Found', 'free'],
  ['a.pt', 'a.pt - No Match', 'free'],
  ['a.tn', 'NO OBJECT FOUND!', 'free'],
  ['a.im', 'The domain a.im was not found.', 'free'],
  ['a.co.za', 'Available\n\nNo information was found matching that query.', 'free'],
  ['a.ac.uk', 'No such domain a.ac.uk', 'free'],
  ['a.int', '% This query returned 0 objects.', 'free'],
  ['a.nl', 'a.nl is free', 'free'],
  ['a.no', '% No match', 'free'],
  ['a.hk', 'The domain has not been registered.', 'free'],
  ['a.at', '% nothing found', 'free'],
  ['a.ca', 'Domain name: a.ca\nDomain status: available', 'free'],
  ['a.pl', 'No information available about domain name a.pl in the Registry NASK database.', 'free'],
  ['a.com.mx', 'No_Se_Encontro_El_Objeto/Object_Not_Found', 'free'],
  ['a.hu', '% Whois server 3.0 serving the hu ccTLD\n\nNincs talalat / No match', 'free'],
  ['a.nz', 'domain_name: a.nz\nquery_status: 220 Available', 'free'],
  ['a.ir', '%ERROR:101: no entries found', 'free'],
  ['a.am', '%\nNo match\n', 'free'],
  ['a.tk', 'Invalid query or domain name not known in Dot TK Domain Registry', 'free'],
  ['a.ch', 'We do not have an entry in our database matching your query.', 'free'],
  ['a.my', '>>> Domain a.my is available for registration\n\nThe terms may change. All rights\nreserved.\n', 'free'],
  ['a.hiphop', '>>> Domain a.hiphop is available for registration\n\nmay modify these terms at any time and\nreserved.', 'free'],
  ['a.coop', 'No domain records were found to match "a.coop"', 'free'],
  ['a.cm', 'Domain Name: a.cm\nThe queried object does not exist: No Object Found\n>>> Last update', 'free'],
  ['a.scot', 'The queried object does not exist: no matching objects found', 'free'],
  ['a.ws', 'The queried object does not exist: a.ws.\n', 'free'],
  ['a.wales', 'This domain name has not been registered.\n\n>>> Last update', 'free'],
  ['a.koeln', 'Available\nDomain: a.koeln\n\n>>> Last update', 'free'],
  ['a.fj', 'The Data is provided for\ninformation purposes.\n\nThe domain a.fj was not found!\nGo to http://domains.fj', 'free'],
  ['a.tm', 'Domain a.tm is available for purchase', 'free'],
  ['a.ac', 'Domain a.ac - Available', 'free'],
  ['a.ie', '% Not Registered - The domain you have requested (a.ie) is not a registered .ie domain name.', 'free'],
  ['a.museum', '% Object a.museum NOT FOUND', 'free'],
  ['a.cx', 'Domain Name: a.cx\nDomain Status: Not Registered', 'free'],
  ['a.hm', 'Domain not found.', 'free'],
  ['a.bj', 'No records matching a.bj found.', 'free'],
  ['a.gg', 'NOT FOUND', 'free'],
  ['a.sn', 'Nom de domaine a.sn inconnu', 'free'],
  ['a.ht', 'Le domaine a.ht est disponible', 'free'],
  ['a.gt', 'Dominio a.gt no encontrado', 'free'],
  ['a.ao', 'Domínio a.ao não registado', 'free'],
  ['a.sm', 'No entries found.', 'free'],
  ['a.ph', 'Domain is available', 'free'],
  ['a.bw', 'The domain has not been registered.', 'free'],
  ['a.pk', 'Domain Not Found', 'free'],
  ['a.zm', 'No Object Found', 'free'],
  ['a.xy', 'No record of a.xy', 'free'],
  ['a.xy', 'No record of b.xy', 'changed'],
  ['a.xy', 'No registration found', 'free'],
  ['a.at', 'Domain a.at existiert nicht', 'free'],
  ['a.cz', 'Doména neexistuje', 'free'],
  ['a.tattoo', '>>> Domain a.tattoo is not available for registration', 'taken'],
  ['a.my', '>>> Domain b.my is available for registration', 'changed'],
  ['la.it', 'Domain: la.it\nStatus: UNASSIGNABLE', 'taken'],
  ['a.io', 'Reserved by Registry', 'taken'],
  ['a.asia', 'Reserved by DotAsia', 'taken'],
  ['a.xxx', 'Reserved by ICM Registry', 'taken'],
  ['a.om', 'Restricted', 'taken'],
  ['a.aero', 'Name is restricted from registration', 'taken'],
  ['a.cn', 'The domain you requested is prohibited.', 'taken'],
  ['a.cn', 'Sorry, The domain you requested is in the reserved list.', 'taken'],
  ['a.fi', 'Domain not available', 'taken'],
  ['a.tw', 'reserved name', 'taken'],
  ['a.name', 'Not available for second level registration.', 'taken'],
  ['a.ca', 'Error code: 01044\nError message: The domain name requested has usage restrictions applied to it.', 'taken'],
  ['a.pt', 'Domain: a.pt\nDomain Status: Reserved\n', 'taken'],
  ['a.tattoo', 'Domain Name: a.tattoo\n\n>>> This name is not available for registration:\n', 'taken'],
  ['a.org', 'WHOIS LIMIT EXCEEDED - SEE WWW', 'limited'],
  ['a.be', '% Maximum queries per hour reached (100)', 'limited'],
  ['a.nl', 'a: daily whois-limit exceeded for client 1.2.3.4', 'limited'],
  ['a.nl', 'Error: daily whois-limit exceeded', 'limited'],
  ['a.nl', '1.2.3.4: daily whois-limit exceeded', 'limited'],
  ['a.de', '% Error: 55000000002 Connection refused; access control limit reached.', 'limited'],
  ['a.lu', '%% Maximum query rate reached', 'limited'],
  ['a.lu', '% Excessive querying, grace period of 1 seconds', 'limited'],
  ['a.eu', '-1: Still in grace period, wait 7777777 seconds', 'limited'],
  ['a.co.za', 'Please go away for 13 Seconds', 'limited'],
  ['a.pl', 'request limit exceeded for 1.2.3.4', 'limited'],
  ['a.cz', 'Your connection limit exceeded. Please slow down and try again later.', 'limited'],
  ['a.dk', '# Too many connections.', 'limited'],
  ['a.pe', 'Looup quota exceeded.', 'limited'],
  ['a.com', 'You have exceeded your quota of queries.', 'limited'],
  ['a.fr', '%%\n%% Too many requests...\n%%\n%% No entries found in the AFNIC Database.', 'limited'],
  ['a.com', 'Rate limit exceeded. Try again after: 24h0m0s', 'limited'],
  [
    'a.co.uk',
    'Error for "a.co.uk".\n\nthe WHOIS query quota for 2001:db8::1 has been exceeded\nand will be replenished in 0.141 seconds',
    'limited',
  ],
  ['a.com.br', '% Query rate limit exceeded. Reduced information.\n\n% No match for a.com.br', 'limited'],
  ['a.nz', 'domain_name: a.nz\nquery_status: 440 Request Denied', 'limited'],
  [
    'a.ch',
    'The number of requests per client per time interval is\nrestricted. You have exceeded this limit.\nPlease wait a moment and try again.',
    'limited',
  ],
  ['a.eu', '% Excessive querying, grace period of 30 seconds', 'limited'],
  ['a.hk', 'Please maintain at least 10-second time before starting another enquiry.', 'limited'],
  ['a.ml', 'WHOIS lookup for A.ML can temporarily not be answered. Please try again.', 'limited'],
  ['a.sg', 'You are querying too fast.', 'limited'],
  ['a.vn', 'The WHOIS service is currently under maintenance.', 'unreachable'],
  ['a.ve', 'Database temporarily unavailable, please try again later.', 'unreachable'],
  ['a.nl', 'whois.domain-registry.nl: Server too busy, try again later', 'unreachable'],
  ['a.cx', "Server can't process your request.", 'unreachable'],
  ['a.sm', '% Error: service unavailable', 'unreachable'],
  ['a.com', '', 'unreachable'],
  ['a.kg', 'OK! You win', 'blocked'],
  ['a.ch', 'Requests of this client are not permitted. Please use https://www.nic.ch/whois/ for queries.', 'blocked'],
  ['a.de', 'Domain: a.de\nStatus: invalid', 'refused'],
  ['a.be', '% x\nDomain:\ta.be\nStatus:\tNOT ALLOWED\n', 'refused'],
  ['a.info', 'TLD is not supported.\n>>>', 'refused'],
  [
    'a.tattoo',
    'Domain Name: a.tattoo\n\n>>> This name is not available for registration:\n\n>>> Tld not supported by this registry interface',
    'refused',
  ],
  ['a.com.tr', 'Invalid input', 'refused'],
  ['a.co', 'Domain not found', 'free'],
  ['shop.in.ua', 'shop.in.ua - Domain name does not exist', 'free'],
  ['shop.in.ua', 'toy.in.ua - Domain name does not exist', 'changed'],
  ['shop.to', 'No match for shop\n', 'free'],
  ['shop.to', 'No match for toys\n', 'changed'],
  ['shop.co.uk', 'No match for shop\n', 'changed'],
  ['a.paris', 'Requested Domain cannot be found', 'free'],
  ['a.ovh', '%% Requested Domain cannot be found.', 'free'],
  ['a.paris', 'Requested Domain cannot be found in our records at this time, please try again later', 'changed'],
  ['a.ac.uk', 'Sorry - no such domain a.ac.uk', 'free'],
  ['a.ac.uk', 'Sorry - no answer today', 'changed'],
  ['a.co.pl', 'Unfortunately, No Results Were Found', 'free'],
  ['a.eu.org', '% Key not found', 'free'],
  ['a.ai', 'Domain a.ai not registred.', 'free'],
  ['a.ai', 'Domain b.ai not registred.', 'changed'],
  ['a.gq', 'The domain a.gq has no matches', 'free'],
  ['a.int', '% You queried for a.int but this server does not have\n% any data for a.int.', 'free'],
  ['a.int', '% You queried for b.int but this server does not have\n% any data for b.int.', 'changed'],
  ['a.vu', 'The domain a.vu is not valid!', 'changed'],
  ['a.co.nz', 'query_status: 260 Will be Available', 'changed'],
];
for (const [domain, text, read] of PHRASES) {
  test(`${domain}: ${JSON.stringify(text.slice(0, 60))} is ${read}`, () => assert.equal(said(domain, text), read));
}

test('a phrase about another domain does not apply to the queried one', () => {
  assert.equal(said('a.com', 'No match for "B.COM".'), 'changed');
  assert.equal(said('a.ie', 'Not found: b.ie'), 'changed');
});

test('terms that list the domains of a database refuse those that are not in the list alone', () => {
  const terms = 'The Registry database contains ONLY .cc, .tv, and .jobs domains\nand Registrars.\n';
  assert.equal(said('a.tv', `No match for "A.TV".\n\n${terms}`), 'free');
  assert.equal(said('a.jobs', `No match for "A.JOBS".\n\n${terms}`), 'free');
  assert.equal(said('a.xyz', `No match for "A.XYZ".\n\n${terms}`), 'refused');
  assert.equal(said('a.obs', `No match for "A.OBS".\n\n${terms}`), 'refused');
});

test('terms of use that mention limits and availability are not an answer', () => {
  const terms =
    'You may exceed no query limit. A record not found is not available for registration.\nThis name may still be available or not.\n';
  assert.equal(said('a.com', terms), 'changed');
  assert.equal(said('a.fr', `%% ${terms}`), 'changed');
});

test('a server other than the registry cannot report a domain as available', () => {
  assert.equal(said('a.com', 'No match for "A.COM".', 'whois.some-registrar.com'), 'refused');
  assert.equal(said('google.tv', 'No match for "GOOGLE.TV".', 'tvwhois.verisign-grs.com'), 'refused');
});

test('the wait that a throttled server states is read from its text', () => {
  assert.equal(waitMsIn('Please go away for 13 Seconds'), 13_000);
  assert.equal(waitMsIn('Rate limit exceeded. Try again after: 24h0m0s'), 24 * 3_600_000);
  assert.equal(waitMsIn('and will be replenished in 0.141 seconds'), 1000);
  assert.equal(waitMsIn('Too many requests'), null);
});

test('a record of another domain is not used for the queried one', () => {
  const text = 'Domain: foo.de\nNserver: ns1.foo.de\nStatus: connect\n';
  assert.equal(said('www.foo.de', text), 'changed');
  assert.equal(said('foo.de', text), 'taken');
});

test('an availability phrase next to registration data does not make the domain available', () => {
  const holder = 'domain: a.gf\nchanged: 2016-10-14\n\n[holder]\nNO OBJECT FOUND!\nobject: 234\n';
  assert.equal(said('a.gf', holder), 'taken');
  assert.equal(said('a.gf', holder.replaceAll('\n\n', '\n\n\n')), 'taken');
  assert.equal(said('a.gf', holder.replaceAll('\n', '\n\n')), 'taken');
  assert.equal(said('a.gf', holder.replaceAll('\n', '\r')), 'taken');
  assert.equal(said('a.gf', holder.replace('domain: a.gf', 'domain: a.gfx')), 'changed');
  assert.equal(said('a.gf', 'domain: a.gf\n\nchanged: 2016-10-14\n\n\nNO OBJECT FOUND!\n'), 'changed');
  assert.equal(said('a.com', 'Registrar: Harbor Names\nNot found.\n'), 'taken');
});

test('a record with only an unknown status is not an answer', () => {
  assert.equal(said('a.be', 'Domain: a.be\nStatus: FROBNICATED\n'), 'changed');
  assert.equal(said('a.be', 'Domain: a.be\nStatus: NOT AVAILABLE\n'), 'taken');
  assert.equal(said('a.lt', 'Domain: a.lt\nStatus: registered\n'), 'taken');
});

test('the wait of a throttled server is read in linear time, whatever follows it', () => {
  const before = process.cpuUsage();
  assert.equal(waitMsIn(`rate limit exceeded ${'9'.repeat(900_000)}`), null);
  assert.equal(waitMsIn(`try again after 30 seconds ${'9'.repeat(900_000)}`), 30_000);
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
