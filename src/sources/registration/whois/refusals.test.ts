import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWhoisText, waitMsIn } from './parse.ts';

const tagOf = (text: string): string => {
  const outcome = readWhoisText(text, 'shop.example', 'whois.nic.example', 0, true);
  return outcome.tag === 'found' ? `found ${outcome.resource.available}` : outcome.tag;
};
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  limited: [
    'Vous avez dépassé le nombre de requêtes autorisées.',
    'Nombre maximum de requêtes atteint',
    'Anfragelimit erreicht',
    'Превышен лимит запросов',
    'Слишком много запросов',
    'Превышено количество запросов с вашего адреса',
    'Перевищено ліміт запитів',
    'Przekroczono limit zapytań',
    'Příliš mnoho dotazů',
    'Překročen limit dotazů',
    'Sorgu limitinizi aştınız',
    '查询过于频繁，请稍后再试',
    '查询次数超过限制',
    'リクエストが多すぎます',
    '조회 횟수를 초과하였습니다',
    'Troppe richieste',
    'Superato il limite di interrogazioni',
    'Has excedido el límite de consultas',
    'Você excedeu o limite de consultas',
    'Excesso de consultas',
    'Te veel verzoeken',
    'Túl sok lekérdezés',
    'Liian monta kyselyä',
    '-1: Maximum daily connection limit reached. Lookup refused.',
    'Your access is too fast, please try again later.',
    'Service currently unavailable due to a large number of requests.',
    'You have been rate limited',
    'Rate limited. Please try again later.',
  ],
  unreachable: [
    'Сервис временно недоступен',
    'WHOIS server unavailable',
    '服务暂时不可用',
    'Der Dienst ist derzeit nicht verfügbar',
    'Servis geçici olarak kullanılamıyor',
    'サービスは現在利用できません',
  ],
  blocked: ['Accès refusé', 'Acceso denegado', 'Доступ запрещен', 'Zugriff verweigert', '拒绝访问'],
};

test('a limit, a failure and a refusal are known in the languages of registries, and outrank a line that reads like "not found"', () => {
  for (const [tag, sentences] of Object.entries(REFUSALS))
    for (const sentence of sentences) {
      assert.equal(tagOf(sentence), tag, sentence);
      assert.equal(tagOf(`% ${sentence}`), tag, sentence);
      assert.equal(tagOf(`No match for shop.example\n${sentence}`), tag, sentence);
    }
});
test('terms of use that only speak of limits are none', () => {
  const free = 'No match for shop.example';
  for (const terms of [
    'Le nombre de requêtes est limité.',
    'Das Limit beträgt hundert Abfragen am Tag.',
    'Количество запросов ограничено.',
    'El límite de consultas es de cien al día.',
    'Access to this service is limited.',
    'Toegang is beperkt.',
  ])
    assert.equal(tagOf(`${free}\n\n${terms}`), 'found true', terms);
});
test('a rule for those who ask too much is no limit, and one that was broken is', () => {
  for (const rule of [
    ...[
      'Too many requests will be blocked.',
      'Excessive querying will result in your IP being blocked.',
      'Excessive access is prohibited.',
    ],
    ...['Your IP address will be blocked if you ask too much.', 'Access to this service is restricted to legitimate users.'],
    ...['Request limit: 50 per hour.', 'This server does not support bulk queries.'],
  ]) {
    assert.equal(tagOf(`No match for "SHOP.EXAMPLE".\n\n% ${rule}\n`), 'found true', rule);
    assert.equal(tagOf(`${rule}\n\nNo match for "SHOP.EXAMPLE".\n`), 'found true', rule);
  }
  for (const state of [
    ...['Too many requests. Your IP will be blocked.', 'Too many connections, you will be blocked for an hour.'],
    ...['Query limit exceeded and access will be restored later.', 'Too many requests from your address'],
  ])
    assert.equal(tagOf(`% ${state}\n\nNo match for "SHOP.EXAMPLE".\n`), 'limited', state);
});

test('a state alone beside the words of a limit is a reduced record: limited, and a record with data is one', () => {
  const limit = '% Query rate limit exceeded. Reduced information.\n\n';
  const terms = '% Terms of use\n% The number of queries is limited.\n\n';
  assert.equal(tagOf(`${limit}domain: shop.example\nstatus: published\n`), 'limited');
  assert.equal(tagOf(`${limit}domain: shop.example\nstatus: published\ncreated: 20200102\n`), 'found false');
  assert.equal(tagOf(`${terms}Domain Name: shop.example\nDomain Status: Ok\n`), 'found false');
});

test('a name that is reserved is not free, in the languages of registries, whatever else the answer says', () => {
  for (const sentence of [
    'Ce nom de domaine est réservé',
    'Nom de domaine réservé',
    'Este dominio está reservado',
    'Domínio reservado',
    'Dominio riservato',
    'Dieser Domainname ist reserviert',
    'De domeinnaam is gereserveerd',
    'Домен зарезервирован',
    'Ce nom de domaine est interdit',
    '该域名已被保留',
    'この名前は予約されています',
  ])
    for (const text of [sentence, `No match for shop.example\n${sentence}`]) assert.equal(tagOf(text), 'found false', text);
  for (const terms of ['Tous droits réservés.', 'Alle Rechte vorbehalten.', 'Todos los derechos reservados.', 'Все права защищены.'])
    assert.equal(tagOf(`No match for shop.example\n${terms}`), 'found true', terms);
});

test('an answer of few lines that speaks of how often a server is asked is a limit, in any words', () => {
  for (const sentence of [
    ...['The query frequency too fast, please query later', 'Query rate of 100 queries per hour exceeded', 'You are being rate limited.'],
    ...['Requests from your IP have been limited, try again in 60 seconds', 'maximum 5 requests per minute', 'Only one query at a time'],
    ...['You have been temporarily banned for excessive queries', 'Request throttled, retry after 10 seconds', 'Please query less often'],
    ...['Your quota of 200 queries has been used up', 'Wait 60 seconds before next query', 'Look up quota exceeded', 'ERROR: 429'],
    ...['Bitte nur 1 Anfrage pro Sekunde', 'Whois-Limit überschritten', 'Máximo 5 consultas por minuto', 'Trop de connexions'],
    ...[
      'Sua cota de consultas foi excedida',
      'Za dużo zapytań',
      'Çok fazla sorgu',
      '查询次数过多',
      '접속이 너무 많습니다',
      'Слишком частые запросы',
    ],
    'You are not allowed to connect due to excessive querying of the WHOIS database.\nSee https://rules.example for details.',
  ]) {
    assert.equal(tagOf(sentence), 'limited', sentence);
    const terms = 'This service is provided as is.\nIt may change.\nAsk the registry.\nSee the rules.\nThank you.\n';
    assert.notEqual(tagOf(`${terms}The number of queries is limited to 5 per minute.`), 'limited', sentence);
  }
  for (const other of [
    'This query exceeds the maximum length of a domain name',
    'Only ASCII names of at most 63 characters per label',
    'Access is limited to accredited registrars',
    'Your request could not be understood',
  ])
    assert.notEqual(tagOf(other), 'limited', other);
  assert.equal(tagOf('shop.example is free. Queries are limited to 5 per minute.\nNo match for shop.example'), 'found true');
  assert.equal(tagOf('Server is busy now, please try again later.'), 'unreachable');
  assert.equal(tagOf('Access to whois service at whois.registry.example was **DENIED**'), 'blocked');
});

test('a footer about limits hides neither a free name nor words that are not known', () => {
  for (const footer of [
    '>>> Terms: Data provided for information purposes only.\n>>> Rate limited; bulk access prohibited.',
    'Access to the WHOIS and RDAP services is rate limited. For more\ninformation, visit https://shop.example/limits',
  ]) {
    assert.equal(tagOf(`No record found for 'shop.example'.\n${footer}`), 'found true', footer);
    assert.equal(tagOf(`Unheard-of words.\n${footer}`), 'changed', footer);
  }
});
test('a server of a top-level domain that has no WHOIS says nothing of a name, whatever it says first', () => {
  for (const sentence of [
    'This TLD has no whois server.',
    'This registry offers no public WHOIS',
    'The extension has no lookup service',
    'No whois service is available.',
  ])
    for (const first of ['The domain you requested is not known in our database.', 'No match for shop.example'])
      assert.equal(tagOf(`${first}\n\n${sentence}\n`), 'refused', sentence);
});
/** Notices of registries and registrars that end WHOIS, also as one long line. */
const RETIRED = [
  "Notice: Effective June 3, 2026, the WHOIS service has been retired in accordance with ICANN's policy. All queries for registration data are now answered by RDAP. The base URL of the Registration Data Access Protocol (RDAP) is: https://rdap.shop.example/rdap/",
  'This WHOIS server is being retired. Please use our RDAP service instead.',
  'WHOIS service is deprecated. Please use RDAP instead.',
  'RDAP has replaced WHOIS.',
  'Our WHOIS service is no longer available.',
  'WHOIS service for .EXAMPLE ceased on 9th of March 2027',
  '% The port 43 WHOIS service was permanently discontinued on 2026-01-31.',
];
const HAS_ENDED = /has been retired|was permanently discontinued|ceased/;
test('a notice that WHOIS has ended is a refusal that names it, unless the answer says more', () => {
  for (const notice of RETIRED) {
    assert.equal(tagOf(notice), 'refused', notice);
    assert.equal(tagOf(`${notice}\nDomain not found.`), HAS_ENDED.test(notice) ? 'refused' : 'found true', notice);
    assert.equal(tagOf(`Domain Name: shop.example\nRegistrar: Shop Registrar\n\n${notice}`), 'found false', notice);
    assert.equal(tagOf(`${notice} Rate limit exceeded. Try again after: 3h2m1s.`.slice(-190)), 'limited', notice);
  }
});
test('a banner that WHOIS will end is no part of the answer', () => {
  const banner = '\n    *******************\n    * WHOIS service for .EXAMPLE will cease on 9th of March 2027 *\n    *******************\n';
  assert.equal(tagOf(`No match for "shop.example".\n${banner}`), 'found true');
  assert.equal(tagOf(`Domain name: shop.example\nRegistered on: 10-Jun-2014\n${banner}`), 'found false');
});
test('the wait that a server states is a day at most, in any unit', () => {
  assert.equal(waitMsIn('Rate limit exceeded. Try again after: 2562047h47m16.854775807s.'), 86_400_000);
  assert.equal(waitMsIn('Try again after: 1h2m3s'), 3_723_000);
  assert.equal(waitMsIn('Try again after: 16.85s'), 16_000);
});
test('a name that the rules of a registry do not allow is not accepted', () => {
  for (const sentence of [
    '>>> The domain contains special characters not allowed.',
    '>>> This domain violates registry policy.',
    '>>> Domain name violates registry policy',
    'registration status: invalid',
    'Domain name is invalid',
    'This name is invalid and can not be registered',
    'Not a valid domain search pattern',
    'Parameter value syntax error',
    '網域名稱不合規定!',
  ])
    assert.equal(tagOf(`Domain Name: shop.example\n${sentence}\n`), 'refused', sentence);
});
