import { isObject } from '../../../contract/json-object.ts';
import type { TrafficEstimate } from '../../../contract/operations/traffic/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { absent, changed, found, type Outcome } from '../../outcome.ts';

import { evidence, failureOfProvider, jsonObjectOf, notKnown } from '../provider-answer.ts';
import { estimateOf } from './estimate.ts';

const TRANCO = 'The rank list (Tranco)';
export const NO_RANKS = evidence('tranco without ranks');
export const NO_ORIGIN = evidence('crux without the domain');
const day = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])-\d\d(?:$|[T ])/.test(value) ? value.slice(0, 10) : null;

/** `{domain, ranks: [{date, rank}, …]}` in any order; without ranks `absent`. Source: tranco-list.eu/api_documentation. */
export function readTranco(answer: Answer, input: { domain: string }): Outcome<TrafficEstimate> {
  const read = jsonObjectOf(answer, TRANCO);
  if (read.tag !== 'json') return read;
  const { ranks, domain } = read.value;
  if (!Array.isArray(ranks) || typeof domain !== 'string') return notKnown(TRANCO, 'no ranks or no domain');
  if (domain.toLowerCase() !== input.domain) return changed(`${TRANCO} answered for another domain.`, domain.slice(0, 100));
  if (!ranks.length) return absent(NO_RANKS, `${input.domain} is in none of the rank lists asked: Tranco.`);
  let newest: { date: string; rank: number } | null = null;
  for (const entry of ranks) {
    const date = isObject(entry) ? day(entry.date) : null;
    const rank = isObject(entry) ? entry.rank : null;
    if (date === null || typeof rank !== 'number' || !Number.isInteger(rank) || rank < 1) continue;
    if (!newest || date > newest.date) newest = { date, rank };
  }
  if (!newest) return notKnown(TRANCO, 'no readable rank');
  return found(estimateOf(input.domain, { list: 'tranco', ...newest }, answer.atMs));
}

const CRUX = 'The rank list (CrUX)';
const HEAD = 'origin,rank';

/** A row `https://www.example.com,50000` of the list: its host and the end of its bucket. Null for any other text. */
export function cruxRow(line: string): { readonly host: string; readonly rank: number } | 'head' | null {
  if (line.toLowerCase() === HEAD) return 'head';
  const [, origin = '', rank = ''] = /^(https?:\/\/[^/,\s]+),([1-9]\d{2,8})$/.exec(line) ?? [];
  return URL.canParse(origin) ? { host: new URL(origin).hostname, rank: Number(rank) } : null;
}

/** Rows `origin,rank`: the best bucket of the domain's origins, else `absent`. The list's month is that of Last-Modified. */
export function readCrux(answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> {
  const { status, headers, atMs } = answer;
  if (status !== 200) return failureOfProvider(answer, CRUX, true);
  const text = Buffer.from(answer.body).toString('latin1');
  if (!text.endsWith('\n')) return notKnown(CRUX, 'the last row is cut');
  let best = Number.POSITIVE_INFINITY;
  let origins = 0;
  for (const line of text.slice(0, -1).split(/\r?\n/)) {
    const row = cruxRow(line.trimEnd());
    if (!row) return notKnown(CRUX, `a row ${JSON.stringify(line.slice(0, 80))}`);
    if (row !== 'head') origins++;
    if (row !== 'head' && (row.host === domain || row.host.endsWith(`.${domain}`))) best = Math.min(best, row.rank);
  }
  if (origins === 0) return notKnown(CRUX, 'a list without origins');
  if (best === Number.POSITIVE_INFINITY) return absent(NO_ORIGIN, `${domain} is in none of the rank lists asked: CrUX.`);
  const modified = Date.parse(headers['last-modified'] ?? '');
  const date = new Date(Number.isNaN(modified) ? atMs : modified).toISOString().slice(0, 10);
  return found(estimateOf(domain, { list: 'crux', rank: best, date }, atMs));
}
