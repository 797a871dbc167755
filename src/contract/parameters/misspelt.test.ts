import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationList } from '../operations/index.ts';
import { didYouMean, isMisspelt } from './misspelt.ts';

test('letters that are missing, too many, wrong or swapped are one edit each', () => {
  for (const name of ['keywrd', 'keywoord', 'keywird', 'keywrod', 'eyword']) assert.ok(isMisspelt(name, 'keyword', 1), name);
  assert.ok(!isMisspelt('keyword', 'keyword'));
  assert.ok(!isMisspelt('kewyrod', 'keyword', 1));
  assert.ok(isMisspelt('kewyrod', 'keyword', 2));
});

test('the nearest name is offered, a beginning where it is the only one, and nothing where none is near', () => {
  const names = ['serp', 'short-video', 'traffic', 'app', 'app-reviews'];
  const meant = { srep: 'serp', shortvideo: 'short-video', TRAFIC: 'traffic', 'app-reveiws': 'app-reviews', sho: 'short-video' };
  for (const [given, one] of Object.entries(meant)) assert.equal(didYouMean(given, names), ` (did you mean ${one}?)`, given);
  for (const given of ['whois', '', 'zz', 7, null, 'x'.repeat(1_000_000)])
    assert.equal(didYouMean(given, names), '', String(given).slice(0, 9));
});

test('a parameter that there is not is refused with those that there are, also where they stand in the path', () => {
  for (const { id, parameters, readInput } of operationList) {
    const all = parameters.map(({ name, example }) => [name, String(example)] as const);
    const read = readInput([...all, ['zzz', '1']]);
    assert.ok(!read.ok && read.why.startsWith('Unknown parameter "zzz": this operation '), id);
    const { why } = read;
    assert.doesNotMatch(why, /takes no /, `${id}: it was given some`);
    const known = parameters.filter((p) => p.in === 'query');
    for (const { name } of known.length > 0 ? known : parameters) assert.ok(why.includes(name), `${id}: ${why}`);
  }
});
