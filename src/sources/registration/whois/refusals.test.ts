import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWhoisText } from './parse.ts';

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
