import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, ID, read, tweet } from '../../../test/social/sample-posts.ts';
import type { Reader } from '../source.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

test('withheld in a country, a post is public elsewhere: never gone; withheld everywhere, it is gone, in every format', () => {
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
    tombstone('@acme’s account has been withheld in Turkey, India based on local law(s).'),
    tombstone('This Tweet from @acme has been withheld in: Turkey.'),
    tombstone('This Post is withheld in your country.'),
    unavailable('withheld_in_country'),
    unavailable('WithheldInCountry'),
    unavailable('CountryWithheld'),
  ])
    assert.deepEqual(tagsOf(body), ['blocked', 'blocked'], JSON.stringify(body));
  for (const body of [
    tombstone('This Post from @acme has been withheld in response to a report from the copyright holder. Learn more'),
    tombstone('This Post has been withheld in all countries.'),
    tombstone('This Post has been withheld worldwide in response to a legal demand.'),
    unavailable('LegalDemandWithheld'),
    unavailable('WithheldInAllCountries'),
  ])
    assert.deepEqual(tagsOf(body), ['absent', 'absent'], JSON.stringify(body));
});
test('a notice of the platform in the place of a text is no text', () => {
  const bodies: readonly (readonly [Reader<'microblog-post'>, (text: string, codes: readonly string[]) => unknown])[] = [
    [readMicroblogApi, (text, country_codes) => ({ data: { id: ID, text, author_id: '1', withheld: { country_codes } } })],
    [readMicroblogGraphql, (full_text, withheld_in_countries) => envelope(tweet({ full_text, withheld_in_countries }))],
    [readSyndication, (text, withheld_in_countries) => ({ id_str: ID, text, user: { screen_name: 'acme' }, withheld_in_countries })],
  ];
  const holder = 'This Tweet from Acme has been withheld in response to a report from the copyright holder. Learn more';
  for (const [reader, body] of bodies) {
    const tagOf = (text: string, codes: readonly string[] = []) => read(reader, body(text, codes)).tag;
    assert.equal(tagOf(holder), 'absent');
    assert.equal(tagOf("Acme's account is temporarily unavailable because it violates the Twitter Media Policy. Learn more."), 'changed');
    assert.equal(tagOf('This Post from @acme has been withheld in: Turkey.', ['TR']), 'blocked');
    assert.equal(tagOf('They said it is withheld in Turkey. Learn more'), 'found');
    assert.equal(tagOf('A text of its own', ['TR']), 'found');
  }
});
