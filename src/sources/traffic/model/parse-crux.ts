import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { absent, changed, found, limited, type Outcome, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import { estimateOf } from './estimate.ts';

const WHO = 'The rank list (CrUX)';
const HEAD = 'origin,rank';

/** A row `https://www.example.com,50000` of the list: its host and the end of its bucket. Null for any other text. */
export function cruxRow(line: string): { readonly host: string; readonly rank: number } | 'head' | null {
  if (line.toLowerCase() === HEAD) return 'head';
  const [, origin = '', rank = ''] = /^(https?:\/\/[^/,\s]+),([1-9]\d{2,8})$/.exec(line) ?? [];
  return URL.canParse(origin) ? { host: new URL(origin).hostname, rank: Number(rank) } : null;
}

/**
 * Parses rows of CrUX, `origin,rank` with a bucket's end as rank: the domain's estimate by the best bucket of its origins; without one the
 * domain is not in the list (`absent`). The list's month is that of the answer's Last-Modified.
 */
export function readCrux(answer: Answer, { domain }: { domain: string }): Outcome<TrafficEstimate> {
  const { status, headers, at } = answer;
  if (status === 429) return limited(`${WHO} limits the number of requests.`, retryAfterMs(headers, at));
  if (status >= 500) return unreachable(`${WHO} failed.`, `status ${status}`);
  if (status === 401 || status === 403) return refused(`${WHO} did not accept the request.`, `status ${status}`);
  const notKnown = (detail: string) => changed(`${WHO} answered in a shape that is not known.`, detail);
  if (status !== 200) return notKnown(`status ${status}`);
  const text = Buffer.from(answer.body).toString('latin1');
  if (!text.endsWith('\n')) return notKnown('the last row is cut');
  let best = Number.POSITIVE_INFINITY;
  for (const line of text.slice(0, -1).split(/\r?\n/)) {
    const row = cruxRow(line.trimEnd());
    if (!row) return notKnown(`a row ${JSON.stringify(line.slice(0, 80))}`);
    if (row !== 'head' && (row.host === domain || row.host.endsWith(`.${domain}`))) best = Math.min(best, row.rank);
  }
  if (best === Number.POSITIVE_INFINITY) return absent(`${domain} is in none of the rank lists asked: CrUX.`);
  const modified = Date.parse(headers['last-modified'] ?? '');
  const date = new Date(Number.isNaN(modified) ? at : modified).toISOString().slice(0, 10);
  return found(estimateOf(domain, { list: 'crux', rank: best, date }, at));
}
