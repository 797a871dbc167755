import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { whoisServerOf } from '../../src/sources/registration/registries.ts';
import { decodeWhois } from '../../src/sources/registration/whois/lines.ts';
import { hostOf } from '../../src/sources/registration/whois/parse.ts';
import type { Answer } from '../../src/upstream/answer.ts';

/** A recorded answer about a domain. */
export interface Recorded {
  /** The name of its file without folder and ending. */
  readonly name: string;
  readonly kind: 'whois' | 'rdap';
  readonly domain: string;
  readonly isTaken: boolean;
  readonly answer: Answer;
  readonly text: string;
}
const FIRST = resolve('../shared/recordings/registration');
const SECOND = resolve('../shared/recordings/2026-11/registration');

const present = existsSync(`${FIRST}/expected.json`) && existsSync(`${SECOND}/expected.ndjson`);
/** A test over the recordings is skipped for this reason; false if it runs. */
export const skip = present || process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings') ? false : 'the recordings are not here';

interface First {
  readonly kind: 'whois' | 'rdap';
  readonly domain?: string;
  readonly outcome: string;
}
interface Second {
  readonly file: string;
  readonly reader: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly input: { readonly domain: string };
  readonly expected: { readonly outcome: string | readonly string[]; readonly available?: boolean };
}

function recorded(
  path: string,
  kind: Recorded['kind'],
  domain: string,
  isTaken: boolean,
  url: string,
  status = 200,
  headers = {},
): Recorded {
  const body = readFileSync(path);
  const text = kind === 'whois' ? decodeWhois(body, hostOf(url)) : new TextDecoder().decode(body);
  return {
    name: path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.')),
    kind,
    domain,
    isTaken,
    answer: { status, headers, body, url, atMs: 0 },
    text,
  };
}
const urlOf = (kind: Recorded['kind'], domain: string): string =>
  kind === 'whois' ? `whois://${whoisServerOf(domain)?.host ?? 'whois.example'}` : `https://rdap.example/domain/${domain}`;

/** Every recorded answer about a domain, of both sets. */
export function allRecordings(): readonly Recorded[] {
  const first = Object.entries(JSON.parse(readFileSync(`${FIRST}/expected.json`, 'utf8')) as Record<string, First>);
  const second = readFileSync(`${SECOND}/expected.ndjson`, 'utf8').trim().split('\n');
  return [
    ...first.flatMap(([file, { kind, domain, outcome }]) =>
      domain === undefined ? [] : recorded(`${FIRST}/${file}`, kind, domain, outcome === 'registered', urlOf(kind, domain)),
    ),
    ...second.map((row) => {
      const { file, reader, url, status, headers, input, expected } = JSON.parse(row) as Second;
      const isTaken = expected.outcome === 'found' && expected.available === false;
      const kind = reader.endsWith('whois') ? 'whois' : 'rdap';
      return recorded(`${SECOND}/${file}`, kind, input.domain, isTaken, url, status, headers);
    }),
  ];
}
/** Those about a taken name. */
export const takenRecordings = (): readonly Recorded[] => allRecordings().filter((one) => one.isTaken);
