import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRdap } from './parse.ts';

function unreadOf(entity: object): readonly string[] {
  const json = { objectClassName: 'domain', ldhName: 'shop.cz', status: ['active'], entities: [entity] };
  const body = new TextEncoder().encode(JSON.stringify(json));
  const outcome = readRdap({ status: 200, headers: {}, body, url: 'https://rdap.example/domain/shop.cz', at: 0 }, { domain: 'shop.cz' });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.unread ?? [];
}

test('a contact that is known by its handle alone is unread; one that is redacted, and a registrar, are not', () => {
  const handle = { objectClassName: 'entity', handle: 'SHOP-1' };
  assert.deepEqual(unreadOf({ ...handle, roles: ['registrant'] }), ['contacts']);
  assert.deepEqual(unreadOf({ ...handle, roles: ['registrant'], remarks: [{ title: 'REDACTED FOR PRIVACY' }] }), []);
  assert.deepEqual(unreadOf({ ...handle, roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Jo Roe']]] }), []);
  assert.deepEqual(unreadOf({ ...handle, roles: ['registrar'] }), []);
});
