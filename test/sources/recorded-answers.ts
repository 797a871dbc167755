import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Input } from '../../src/contract/operations/index.ts';
import { FILES, readRecording } from '../appmarket/recorded-pages.ts';
import { postCases, videoCases } from '../social/recordings.ts';

export const SHARED = join(import.meta.dirname, '../../../shared');
const RECORDINGS = join(SHARED, 'recordings');
const isRequired = /(^|,)recordings(,|$)/.test(process.env.SIGHTLINE_TEST_REQUIRE ?? '');
/** Why tests over the recordings are skipped; false: they run. */
export const skipRecordings: string | false = existsSync(RECORDINGS) || isRequired ? false : 'there are no recordings beside this checkout';

/** A recorded answer with the reader and the input that it belongs to. */
export interface Recorded {
  readonly id: string;
  readonly reader: string;
  readonly body: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly input: Input;
}

interface Row extends Omit<Recorded, 'body'> {
  readonly file: string;
}
const text = (...path: string[]): string => readFileSync(join(RECORDINGS, ...path), 'utf8');

/** The rows of the folders with expectations. */
function expectedRows(): Recorded[] {
  return ['registration', 'forum', 'social', 'serp'].flatMap((area) =>
    text('2026-11', area, 'expected.ndjson')
      .trim()
      .split('\n')
      .map((line) => {
        const { id, reader, file, status, headers, url, input } = JSON.parse(line) as Row;
        return { id, reader, status, headers, url, input, body: readFileSync(join(RECORDINGS, '2026-11', area, file)) };
      }),
  );
}

async function registrations(): Promise<Recorded[]> {
  const script = join(SHARED, 'conformance/registration.mjs');
  if (!existsSync(script)) return [];
  const { load } = (await import(pathToFileURL(script).href)) as {
    load: (folder: string) => { id: string; line: Omit<Recorded, 'body' | 'id'> & { body: string } }[];
  };
  return load(join(RECORDINGS, 'registration')).map(({ id, line }) => ({ ...line, id, body: readFileSync(line.body) }));
}

function appPages(): Recorded[] {
  return Object.values(FILES).map((file) => {
    const { url, status, headers = {} } = JSON.parse(readRecording(file.replace(/\.html$/, '.meta.json'))) as Recorded;
    const { pathname, searchParams } = new URL(url);
    const [first = '', second = ''] = pathname.split('/').filter(Boolean);
    const page = Number(searchParams.get('page') ?? 1);
    const of = (reader: string, input: object) => ({
      id: `appmarket/${file}`,
      reader: `appmarket/${reader}`,
      body: Buffer.from(readRecording(file)),
      status,
      headers,
      url,
      input: input as Input,
    });
    if (first === 'search') return of('search', { keyword: searchParams.get('q') ?? '', page });
    if (first === 'partners') return of('developer', { handle: second });
    if (first === 'categories' || first === 'browse') return of('category', { handle: second, page });
    return second === 'reviews' ? of('reviews', { handle: first, page, sort: 'relevance' }) : of('app', { handle: first });
  });
}

function resultPages(): Recorded[] {
  const folder = readdirSync(join(RECORDINGS, 'serp'));
  return folder
    .filter((file) => file.endsWith('.html'))
    .map((file) => {
      const meta = JSON.parse(text('serp', file.replace(/\.html$/, '.meta.json')));
      const { engine, device, params } = meta;
      return {
        id: `serp/${file}`,
        reader: engine === 'engine_b' ? 'serp/bing-page' : 'serp/google-page',
        body: readFileSync(join(RECORDINGS, 'serp', file)),
        status: meta.status,
        headers: { 'content-type': meta.contentType },
        url: meta.finalUrl ?? `${meta.url}?${new URLSearchParams(params)}`,
        input: { keyword: params.q, engine, device, location: 'US', language: 'en', depth: 10 } as Input,
      };
    });
}

const posts = (): Recorded[] =>
  [...videoCases(), ...postCases()].map(({ name, reader, json, wrap, url }) => ({
    id: `social/${name}`,
    reader,
    body: Buffer.from(wrap(json)),
    status: 200,
    headers: {},
    url,
    input: { url } as Input,
  }));

function discussions(): Recorded[] {
  const of = (folder: string, reader: string, input: object) =>
    readdirSync(join(RECORDINGS, 'forum', folder))
      .filter((file) => file.endsWith('.json') && !/\.(meta|expected)\.json$/.test(file))
      .map((file) => ({
        id: `forum/${folder}/${file}`,
        reader,
        body: readFileSync(join(RECORDINGS, 'forum', folder, file)),
        status: 200,
        headers: { 'content-type': 'application/json' },
        url: 'https://oauth.reddit.com/?raw_json=1',
        input: input as Input,
      }));
  return [
    ...of('listing', 'forum/listing', { community: 'a', sort: 'hot', after: null }),
    ...of('search', 'forum/search', { query: 'a', sort: 'new', after: null, community: null }),
    ...of('thread', 'forum/thread', {}),
  ];
}

/** Every recorded answer that a reader takes. */
export const recordedAnswers = async (): Promise<Recorded[]> => [
  ...expectedRows(),
  ...(await registrations()),
  ...appPages(),
  ...resultPages(),
  ...posts(),
  ...discussions(),
];
