import { existsSync, readFileSync } from 'node:fs';
import type { Answer } from '../../src/upstream/answer.ts';

const RECORDINGS = new URL('../../../shared/recordings/appmarket/', import.meta.url);
/** Why tests over the recordings are skipped; false: they run. */
export function skipRecordings(): string | false {
  if (existsSync(RECORDINGS)) return false;
  if (/recordings/.test(process.env.SIGHTLINE_TEST_REQUIRE ?? '')) throw new Error(`there are no recordings in ${RECORDINGS.pathname}`);
  return 'no recordings here';
}

/** One recording of each kind. */
export const FILES = {
  app: 'app_dropify-5_2026-10-05.trimmed.html',
  app2024: 'reconstructed-app_calendify_2024-11.html',
  reviews: 'reviews_shopify-pos_p1_relevance_2024-07-20.html',
  pastEnd: 'reviews_dropify-5_newest_p7_empty_2026-10-05.trimmed.html',
  search: 'reconstructed-search_facebook-feed_p1.html',
  searchFrame: 'reconstructed-search_turbo-frame_seo_p2.html',
  noResults: 'reconstructed-search_no-results.html',
  lazy: 'reconstructed-search_lazy-frame.html',
  developer: 'reconstructed-partner_order-printer.html',
  topic: 'reconstructed-category_topic_marketing-and-conversion.html',
  category: 'category_email-marketing_all_p1_2026-10-05.trimmed.html',
  old: 'browse_all_p1_2020-08-15.html',
  challenge: 'cloudflare_challenge_403_2026-10-05.html',
  notFound: 'reconstructed-app_404.html',
} as const;
export type Kind = keyof typeof FILES;
export const readRecording = (file: string): string => readFileSync(new URL(file, RECORDINGS), 'utf8');

export const answerOf = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(body),
  url: 'https://apps.shopify.com/some-app',
  atMs: 0,
  ...more,
});
