import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactOf, NOT_STATED, shown } from './facts.ts';

test('a sentence that says that a value is withheld is its placeholder, with its subject and its reason', () => {
  for (const text of [
    ...['Data Privacy Protected', 'Information withheld for privacy reasons', 'Confidential information'],
    ...['This information is not publicly available', 'This data is not public', 'Not for public display', 'Name not disclosed'],
    ...['Registrant information hidden', 'Contact data not disclosed', 'Data not available due to privacy', 'Unavailable due to GDPR'],
    ...[
      'WHOIS privacy enabled',
      'Registrant hidden by request',
      'The data is protected under privacy laws',
      'Hidden for privacy',
      'Masked',
    ],
    ...['[PRIVEE]', 'Privée', 'gdpr-masking@gdpr-masked.com'],
    ...['Données personnelles masquées', 'Informations non publiques', 'Datos ocultos', 'Información protegida', 'Protegido pela LGPD'],
    ...['Dati non pubblici', 'Aus Datenschutzgründen nicht angezeigt', 'Nicht öffentlich sichtbar', 'Niet zichtbaar', 'Dane chronione'],
    ...['Скрыто по запросу', 'Персональные данные скрыты', 'Особисті дані приховано', '비공개 정보', '信息保护', '非公开', '已隐藏'],
    ...['Private person.', 'Hidden!', 'Not public.'],
    ...['Fyysinen henkilö', 'Persoană fizică', 'Φυσικό πρόσωπο'],
  ])
    assert.deepEqual(shown(text), { value: null, withheld: true }, text);
});
test('a name that only begins with such a word is a name', () => {
  for (const name of [
    ...[
      'Hidden Valley Ranch',
      'Hidden Lake AS',
      'Hidden in Plain Sight LLC',
      'Masked Marauders',
      'Protected Harbor',
      'Undisclosed Records',
    ],
    ...['Privacy Enabled Systems Co', 'Restricted by Design', 'Confidential Information Ltd', 'Ocultos SA', 'Contact Information GmbH'],
  ])
    assert.deepEqual(shown(name), { value: name, withheld: false }, name);
});
test('services whose names speak of a shield or of a hidden identity are privacy services', () => {
  for (const service of [
    ...['DomainIdShield Service Co., Limited', 'YinSi BaoHu Yi KaiQi', 'Private Ranger Limited', 'PrivateName Services Inc.'],
    ...['Shield Whois', 'Domain ID Protect Service', 'Secret Registration Customer ID 123456'],
  ]) {
    const parts = { name: shown(service), organization: NOT_STATED, email: NOT_STATED, phone: NOT_STATED };
    assert.deepEqual(
      [contactOf('registrant', false, parts)?.name, contactOf('registrant', false, parts)?.redacted],
      [service, true],
      service,
    );
  }
  for (const name of ['Shield Whistler', 'Solid Shield Ltd', 'Hidden Domaine Wines'])
    assert.equal(
      contactOf('registrant', false, { name: shown(name), organization: NOT_STATED, email: NOT_STATED, phone: NOT_STATED })?.redacted,
      false,
      name,
    );
});
