import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadFields } from '../unread-fields.ts';
import { noteVotes, readRating, readTotal } from './numbers.ts';

test('a total is parsed in any language and digit grouping, without the time beside it', () => {
  const lines: readonly (readonly [string, number | null])[] = [
    ['About 21,700,000 results (0.44 seconds)', 21_700_000],
    ['Ungefähr 114.000.000 Ergebnisse', 114_000_000],
    ['Page 3 of about 4,550,000,000 results', 4_550_000_000],
    ['約 1,600,000 件 （0.44 秒）', 1_600_000],
    ['Environ 12\u202f300\u202f000 résultats', 12_300_000],
    ['About 1,23,45,678 results', 12_345_678],
    ['حوالي ١٬٢٣٠٬٠٠٠ نتيجة', 1_230_000],
    ['1-10 of 316,000 results', 316_000],
    ['22 resultados', 22],
    ['About 0 results', 0],
    ['About 1.2 million results', 1_200_000],
    ['约 12 万条结果', 120_000],
    ['Ungefähr 1,2 Mio. Ergebnisse', 1_200_000],
    ['About 1.25 results', null],
    ['Results', null],
    ['', null],
    ['About 21,7e9,000 results', null],
    ['Page 2 of 95 results', 95],
    ['1998 results', 1998],
    ['Page 3 of about 2,024 results', 2_024],
    // a year, or a number without groups
    ['About 12 results in 2024', null],
    ['2024年の検索結果 約 12 件', null],
  ];
  for (const [line, total] of lines) assert.equal(readTotal(line), total, line);
});
test('a rating keeps its stated scale, and counts votes only if they are votes', () => {
  const lines: readonly (readonly [string, ReturnType<typeof readRating>])[] = [
    ['Rating: 8.7/10 · \u200e1,947,320 votes', { value: 8.7, votesCount: 1_947_320, max: 10 }],
    ['Rating: 88% · \u200e161 votes', { value: 88, votesCount: 161, max: 100 }],
    ['4.6(76)', { value: 4.6, votesCount: 76, max: 5 }],
    ['4.2 (6.6K)', { value: 4.2, votesCount: 6_600, max: 5 }],
    ['Bewertung: 4,5 · \u200e1.234 Rezensionen · \u200e12,99 €', { value: 4.5, votesCount: 1_234, max: 5 }],
    ['Rating: 4.1 · \u200e$1,049.00 to $1,499.00 · \u200e$6 2–8 day delivery', { value: 4.1, votesCount: null, max: 5 }],
    ['평점: 4.5 · \u200e리뷰 76개', { value: 4.5, votesCount: 76, max: 5 }],
    ['8,7/10 (1,7M)', { value: 8.7, votesCount: 1_700_000, max: 10 }],
    ['Rated 7 of something', null],
    ['no figures', null],
    // what is no vote: durations, distances, ages, weights
    ...['50 mins', '45 minutes', '12 km', '3 months ago', '15 mg', '350 kcal', '50 m', '2 hr 30 min', '2,5 hours'].map(
      (unit) => [`Rating: 4.8 · ${unit}`, { value: 4.8, votesCount: null, max: 5 }] as const,
    ),
    ['4.5 (30 min)', { value: 4.5, votesCount: null, max: 5 }],
    ...['3개월 전', '리뷰 3개월 전', '3個月前', '12个小时', '12人前', '12명분', '2019 · 2h', '18+', '12個'].map(
      (unit) => [`4.8 · ${unit}`, { value: 4.8, votesCount: null, max: 5 }] as const,
    ),
    ['4.8 · 12个评价', { value: 4.8, votesCount: 12, max: 5 }],
    ['4.8 · 리뷰 1.2만개', { value: 4.8, votesCount: 12_000, max: 5 }],
    ['5 mins', null],
    ['20% off', null],
    // thousands in words, and decimals of all scripts
    ['4,7 · 1,2 mil votos', { value: 4.7, votesCount: 1_200, max: 5 }],
    ['4,7(1,2 mil)', { value: 4.7, votesCount: 1_200, max: 5 }],
    ['4.7 · 1.2萬則評論', { value: 4.7, votesCount: 12_000, max: 5 }],
    ['4.5 · 1.2만 리뷰', { value: 4.5, votesCount: 12_000, max: 5 }],
    ['4,5 · 12,3 rb ulasan', { value: 4.5, votesCount: 12_300, max: 5 }],
    ['4,6 · 12 tys. opinii', { value: 4.6, votesCount: 12_000, max: 5 }],
    ['4,6 · 3 тыс. отзывов', { value: 4.6, votesCount: 3_000, max: 5 }],
    ['4,6 · 1,2 mil. hodnocení', { value: 4.6, votesCount: null, max: 5 }],
    ['4.0 · 2,1 N đánh giá', { value: 4, votesCount: 2_100, max: 5 }],
    ['4.5 · 1.2 crore votes', { value: 4.5, votesCount: 12_000_000, max: 5 }],
    ['4,5 · 12 хил. отзива', { value: 4.5, votesCount: 12_000, max: 5 }],
    ['৪.৫ · ১২টি রিভিউ', { value: 4.5, votesCount: 12, max: 5 }],
    ['4,5 · 12 arvustust', { value: 4.5, votesCount: 12, max: 5 }],
    ['4-star hotel · 4.5 (120)', null],
    ['التقييم: ٤٫٤ (١٤٧)', { value: 4.4, votesCount: 147, max: 5 }],
    ['۴٫۷ · ۱٬۲۳۴', { value: 4.7, votesCount: 1_234, max: 5 }],
    ['٨٫٥/١٠', { value: 8.5, votesCount: null, max: 10 }],
    // the scale that is stated
    ['4/4', { value: 4, votesCount: null, max: 4 }],
    ['92%', { value: 92, votesCount: null, max: 100 }],
    ['%92 · 12 oy', { value: 92, votesCount: 12, max: 100 }],
    ['٪٩٢', { value: 92, votesCount: null, max: 100 }],
    ['۴٫۵ از ۵', { value: 4.5, votesCount: null, max: 5 }],
    ['4·5 (12)', null],
    ['4,5 von 5 Sternen', { value: 4.5, votesCount: null, max: 5 }],
    ['Rating: 4.e5 · 3 votes', null],
    ['1e9 · 4.5 · 12 votes', null],
    ['4.5x10 (7)', null],
  ];
  for (const [line, rating] of lines) assert.deepEqual(readRating(line), rating, line);
});
test('votes that a rating states in words that are not understood are unread', () => {
  const unreadIn = (line: string) => {
    const unread = new UnreadFields();
    noteVotes(readRating(line), [line], unread);
    return unread.paths;
  };
  for (const line of ['4,6 · 1,2 mil. hodnocení', '4.5 · 3 gross votes', '4.5 · Free · 12 reviews', '4,5 · 1,2 E vélemény'])
    assert.deepEqual(unreadIn(line), ['organic.rating.votesCount'], line);
  for (const line of ['4.5 · 12 reviews', 'Rating: 4.8 · 50 mins', '4.9 · Review by Anna', '4.2 · 1M+ downloads', '92%', 'no rating'])
    assert.deepEqual(unreadIn(line), [], line);
});
