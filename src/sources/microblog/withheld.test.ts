import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, ID, read, tweet } from '../../../test/social/sample-posts.ts';
import type { Reader } from '../source.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

test('a post that is given is found though some countries may not see it; withheld everywhere, or in the place of the post, it is not there for the public', () => {
  const tombstone = (text: string) => ({ __typename: 'TweetTombstone', tombstone: { text: { text } } });
  const unavailable = (reason: string) => ({ __typename: 'TweetUnavailable', reason });
  const embed = { id_str: ID, text: 'x', user: { screen_name: 'acme' } };
  const data = { id: ID, text: 'x', author_id: '1' };
  const byCountry: readonly (readonly [Reader<'microblog-post'>, (codes: readonly string[]) => unknown])[] = [
    [readMicroblogApi, (country_codes) => ({ data: { ...data, withheld: { country_codes } } })],
    [readMicroblogGraphql, (withheld_in_countries) => envelope(tweet({ withheld_in_countries }))],
    [readSyndication, (withheld_in_countries) => ({ ...embed, withheld_in_countries })],
  ];
  for (const [reader, body] of byCountry) {
    for (const codes of [['XX'], ['XY'], ['DE', 'XX']]) assert.equal(read(reader, body(codes)).tag, 'absent', codes.join());
    for (const codes of [[], ['DE'], ['TR', 'IN']]) assert.equal(read(reader, body(codes)).tag, 'found', codes.join());
  }
  const tagsOf = (body: object) => [read(readSyndication, body).tag, read(readMicroblogGraphql, envelope(body)).tag];
  for (const body of [
    tombstone('This Post from @acme has been withheld in Germany in response to a legal demand. Learn more'),
    tombstone('This Post from @acme has been withheld in response to a report from the copyright holder. Learn more'),
    tombstone('This Post has been withheld in all countries.'),
    unavailable('withheld_in_country'),
    unavailable('LegalDemand'),
  ])
    assert.deepEqual(tagsOf(body), ['absent', 'absent'], JSON.stringify(body));
  // where the platform gives a notice for the text, the notice is what it gives
  const notice = "@acme's account has been withheld in India in response to a legal demand. Learn more.";
  assert.equal(read(readMicroblogApi, { data: { ...data, text: notice, withheld: { country_codes: ['IN'] } } }).tag, 'found');
});
