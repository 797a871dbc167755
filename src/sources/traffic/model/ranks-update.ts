import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { isObject } from '../../../contract/json-object.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { jsonOf } from '../../../upstream/answer.ts';
import type { Http } from '../../../upstream/ports.ts';

import { TRANCO, TRANCO_PACE } from './connector.ts';
import { cruxRow } from './parse.ts';
import type { RankHeader } from './ranks-file.ts';

type Row = readonly [domain: string, rank: number];
/** `rows` throws at a row of unknown form, and at the end of a list that has too few. */
export interface Downloaded {
  readonly header: RankHeader;
  readonly rows: Iterable<Row>;
}
export type Progress = (bytes: number, total: number | null) => void;

const MAX_BYTES = 400_000_000;
const LEAST_ROWS = { tranco: 500_000, crux: 100_000 } as const;

/** The newest Tranco list with subdomains merged into their domains (full: about 4.7 million domains). */
export async function downloadTranco(
  http: Http,
  signal: AbortSignal,
  progress: Progress,
  leastRows: number = LEAST_ROWS.tranco,
): Promise<Downloaded> {
  const about = jsonOf(await get(http, `${TRANCO}/api/lists/date/latest`, signal, 1_000_000));
  const id = isObject(about) && typeof about.list_id === 'string' && /^[A-Z0-9]{3,10}$/.test(about.list_id) ? about.list_id : null;
  const date = isObject(about) && typeof about.created_on === 'string' ? /^\d{4}-\d\d-\d\d/.exec(about.created_on)?.[0] : undefined;
  if (!id || !date || (isObject(about) && about.available === false))
    throw new Error('the description of the newest list is not of the known form, or the list is not ready yet');
  const answer = await get(http, `${TRANCO}/download/${id}/full`, signal, MAX_BYTES, progress);
  const rows = rankRows(unzipped(answer), leastRows, (line, n) => {
    const comma = line.indexOf(',');
    const rank = Number(line.slice(0, comma));
    if (rank !== n) throw new Error(`row ${n} of the list has the rank ${line.slice(0, comma).slice(0, 20)}: it is cut or out of order`);
    const domain = line
      .slice(comma + 1)
      .toLowerCase()
      .trim();
    if (!/^[a-z0-9_.-]+\.[a-z0-9-]+$/.test(domain)) throw new Error(`row ${n} of the list holds no domain: ${line.slice(0, 80)}`);
    return [domain, rank];
  });
  return { header: { list: 'tranco', id, date }, rows };
}

const CRUX = 'https://raw.githubusercontent.com/zakird/crux-top-lists/main/data/global/current.csv.gz';

/** The newest CrUX list of the first million origins. */
export async function downloadCrux(http: Http, signal: AbortSignal, progress: Progress, options: CruxOptions): Promise<Downloaded> {
  const answer = await get(http, CRUX, signal, MAX_BYTES, progress);
  const modified = Date.parse(answer.headers['last-modified'] ?? '');
  return cruxList(unzipped(answer), 'current', Number.isNaN(modified) ? options.nowMs : modified, options);
}
/** A CrUX list of the operator, plain or gzip: the whole of it, with buckets up to 50 million, comes from the data set in BigQuery. */
export function cruxFile(file: string, options: CruxOptions): Downloaded {
  return cruxList(unzipped({ body: readFileSync(file) }), basename(file), statSync(file).mtimeMs, options);
}

export interface CruxOptions {
  readonly domainOf: (host: string) => string | null;
  readonly nowMs: number;
  readonly leastRows?: number | undefined;
}
/** Rows of `origin,rank`; a domain has a row for each of its origins, of which the file's reader takes the best. */
const cruxList = (text: Buffer, id: string, dateMs: number, { domainOf, leastRows = LEAST_ROWS.crux }: CruxOptions): Downloaded => ({
  header: { list: 'crux', id, date: new Date(dateMs).toISOString().slice(0, 10) },
  rows: rankRows(text, leastRows, (line) => {
    const row = cruxRow(line);
    if (!row) throw new Error(`a row of the list is not of the known form: ${line.slice(0, 80)}`);
    const domain = row === 'head' ? null : domainOf(row.host);
    return row === 'head' || domain === null ? null : [domain, row.rank];
  }),
});

async function get(http: Http, url: string, signal: AbortSignal, maxBytes: number, progress?: Progress): Promise<Answer> {
  const attempt = { signal, deadlineMs: Number.POSITIVE_INFINITY };
  const reply = await http.ask({ url, attempt, maxBytes, pace: TRANCO_PACE, ...(progress && { onBytes: progress }) });
  if (reply.tag !== 'answer') throw new Error(`${url} could not be read: ${reply.what}`);
  if (reply.answer.status !== 200) throw new Error(`${url} answered ${reply.answer.status}`);
  return reply.answer;
}

/** Decompresses a ZIP of one member or a gzip stream, recognised by the first bytes; other content passes unchanged. */
function unzipped({ body }: Pick<Answer, 'body'>): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // less than the head of a ZIP
  if (bytes.length < 30) return bytes;
  if (bytes.readUInt16BE(0) === 0x1f8b) return gunzipSync(bytes);
  if (bytes.readUInt32BE(0) !== 0x504b0304) return bytes;
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  return bytes.readUInt16LE(8) === 0 ? bytes.subarray(start, start + bytes.readUInt32LE(18)) : inflateRawSync(bytes.subarray(start));
}

/** The rows of a list. `read`: null for a row without a rank. */
function* rankRows(text: Buffer, leastRows: number, read: (line: string, n: number) => Row | null): Generator<Row> {
  let [lines, rows] = [0, 0];
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    to = text.indexOf(10, from);
    if (to < 0) to = text.length;
    const line = text.toString('latin1', from, to).trimEnd();
    const row = line && read(line, ++lines);
    if (!row) continue;
    rows++;
    yield row;
  }
  if (rows < leastRows) throw new Error(`the list holds only ${rows} rows: it is cut`);
}
