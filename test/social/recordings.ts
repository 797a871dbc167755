import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Answer } from '../../src/upstream/answer.ts';

/** The shared recordings, which are not part of the repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/recordings/social');

/** False if the recordings are missing; the test is then skipped, or fails if recordings are required. */
export function haveRecordings(t: TestContext): boolean {
  if (existsSync(FOLDER)) return true;
  if (/recordings/.test(process.env.SIGHTLINE_TEST_REQUIRE ?? ''))
    throw new Error(`the recordings are required, but ${FOLDER} is not there`);
  t.skip(`no recordings at ${FOLDER}`);
  return false;
}
export const recordingsOf = (area: 'shortvideo' | 'microblog'): string[] =>
  readdirSync(join(FOLDER, area)).filter((f) => !/\.(meta|expected)\.json$/.test(f));
export const readRecording = (area: 'shortvideo' | 'microblog', file: string): string => readFileSync(join(FOLDER, area, file), 'utf8');

export const answerOf = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode(body),
  url: '',
  atMs: Date.UTC(2026, 10, 1),
  ...more,
});

/** A page in the platform's format around one data script. */
export const pageAround = (id: string, json: unknown): string =>
  `<!DOCTYPE html><html><head><title>TikTok</title></head><body><div id="app"></div><script id="${id}" type="application/json">${JSON.stringify(json).replace(/\//g, '\\u002F')}</script></body></html>`;

export interface Case {
  readonly name: string;
  readonly reader: string;
  /** The JSON that the parser reads. */
  readonly json: unknown;
  /** Inserts the JSON into the body format of the platform. */
  readonly wrap: (json: unknown) => string;
  readonly url: string;
}

const scriptOf = (html: string, id: string): unknown => {
  const text = new RegExp(`<script[^>]*\\bid="${id}"[^>]*>([\\s\\S]*?)</script>`).exec(html)?.[1];
  return text === undefined ? undefined : JSON.parse(text);
};
const UNIVERSAL = '__UNIVERSAL_DATA_FOR_REHYDRATION__';

/** The recordings that contain a video, as the JSON of their data script. */
export function videoCases(): Case[] {
  const cases: Case[] = [];
  for (const file of recordingsOf('shortvideo')) {
    const text = readRecording('shortvideo', file);
    const add = (id: string, json: unknown, video: string): void => {
      cases.push({
        name: file,
        reader: 'shortvideo/page',
        json,
        wrap: (j) => pageAround(id, j),
        url: `https://www.tiktok.com/@_/video/${video}`,
      });
    };
    if (file.startsWith('oembed')) {
      const video = /data-video-id=\\"(\d+)/.exec(text)?.[1] ?? '';
      cases.push({
        name: file,
        reader: 'shortvideo/oembed',
        json: JSON.parse(text),
        wrap: JSON.stringify,
        url: `https://www.tiktok.com/@_/video/${video}`,
      });
    } else if (file.endsWith('.json')) {
      const json = JSON.parse(text) as Record<string, unknown>;
      if (json.id && typeof json.author === 'string') add('SIGI_STATE', { ItemModule: { [String(json.id)]: json } }, String(json.id));
      else if (json.id)
        add(
          UNIVERSAL,
          { __DEFAULT_SCOPE__: { 'webapp.video-detail': { itemInfo: { itemStruct: json }, statusCode: 0 } } },
          String(json.id),
        );
      else {
        const id = /"itemStruct":\{"id":"(\d+)"/.exec(JSON.stringify(json))?.[1];
        if (id) add(UNIVERSAL, json, id);
      }
    } else {
      for (const id of [UNIVERSAL, '__NEXT_DATA__']) {
        const json = scriptOf(text, id);
        const video = /"item(?:Struct|Infos)":\{"id":"(\d+)"/.exec(JSON.stringify(json ?? null))?.[1];
        if (video) add(id, json, video);
      }
    }
  }
  return cases;
}

const READERS: readonly [RegExp, string][] = [
  [/^v2_/, 'microblog/api'],
  [/^synd_/, 'microblog/syndication'],
  [/^oembed_/, 'microblog/oembed'],
  [/./, 'microblog/graphql'],
];
/** The id of the single result in an answer without a recorded request. */
function focalOf(json: unknown): string | undefined {
  const data = (json as { data?: Record<string, unknown> }).data ?? {};
  const holder = [data.tweetResult, data.tweet_results].flat().find(Boolean) as
    | { result?: { rest_id?: string; tweet?: { rest_id?: string } } }
    | undefined;
  return holder?.result?.rest_id ?? holder?.result?.tweet?.rest_id;
}
/** The available recordings of posts, with the requested post. */
export function postCases(): Case[] {
  return recordingsOf('microblog').flatMap((file) => {
    const text = readRecording('microblog', file);
    const reader = READERS.find(([pattern]) => pattern.test(file))?.[1] ?? '';
    const meta = readRecording('microblog', file.replace(/\.json$/, '.meta.json'))
      .replace(/%2F/gi, '/')
      .replace(/\\"/g, '"');
    const asked = /"(?:focalTweetId|tweetId)":"(\d+)"|[?&]id=(\d+)|\/tweets\/(\d+)|status\/(\d+)/.exec(meta)?.slice(1).find(Boolean);
    const id = asked ?? /"entryId":\s*"tweet-(\d+)"/.exec(text)?.[1] ?? focalOf(JSON.parse(text)) ?? '20';
    return [{ name: file, reader, json: JSON.parse(text), wrap: JSON.stringify, url: `https://x.com/i/status/${id}` }];
  });
}
