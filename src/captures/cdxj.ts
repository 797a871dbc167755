import type { OperationId } from '../contract/operations/index.ts';
import { factsOf, sentOf, uuidOf } from './records.ts';
import { fieldOf, sha256, type WarcRecord } from './warc.ts';

/** A decoded record and its place in the segment. */
export interface PlacedRecord {
  readonly record: WarcRecord;
  readonly offset: number;
  readonly length: number;
}

/** What the index says of a capture, in the JSON of its line. Offsets and lengths are bytes of the segment. */
export interface CaptureEntry {
  readonly capture: string;
  readonly kind: 'attempt' | 'shared';
  readonly source: string;
  readonly operation: OperationId | null;
  readonly input: object | null;
  readonly outcome: string | null;
  readonly requestId: string | null;
  /** RFC 3339. */
  readonly at: string;
  readonly unread: readonly string[];
  /** Place of all records of the capture. */
  readonly offset: number;
  readonly length: number;
  /** Of these bytes. */
  readonly sha256: string;
  readonly filename: string;
}

/** Sort-friendly URI: the labels of the host in reverse order, the rest in lower case. */
export function surtOf(uri: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^(\w+):\/\/(?:[^/@]*@)?([^/?#]*)([^#]*)/.exec(uri) ?? [];
  if (!scheme) return uri;
  const [host = '', port] = authority.split(':');
  const labels = host
    .toLowerCase()
    .replace(/^www\./, '')
    .split('.')
    .reverse()
    .join(',');
  const name = `${labels}${port ? `:${port}` : ''})${(rest || '/').toLowerCase()}`.replaceAll(' ', '%20');
  return /^https?$/.test(scheme) ? name : `${scheme}://(${name}`;
}
const timestamp = (rfc3339: string): string => rfc3339.replace(/\D/g, '').slice(0, 14);
const line = (key: string, at: string, content: object): string => `${key} ${timestamp(at)} ${JSON.stringify(content)}\n`;

/**
 * The index lines of a group of records: one for each response, then one for the capture. `bytes` are those of the group. The lines follow
 * from the segment alone, so that they can be compared with it.
 */
export function indexLinesOf(filename: string, bytes: Uint8Array, group: readonly PlacedRecord[]): string {
  const [first] = group;
  const last = group.at(-1);
  if (!first || !last) return '';
  const offset = first.offset;
  const length = last.offset + last.length - offset;
  const digest = sha256(bytes);
  const erased = erasedLength(last.record);
  if (erased !== null) return erasedLine(erased, { offset, length, sha256: digest, filename });
  const responses = group.flatMap(({ record, ...place }, i) => {
    const type = fieldOf(record, 'WARC-Type');
    if (type !== 'response' && type !== 'resource') return [];
    const request = group[i - 1]?.record;
    const uri = fieldOf(record, 'WARC-Target-URI');
    const answer = type === 'response' && request ? sentOf(request, record).answer : null;
    const mime = (answer?.headers['content-type'] ?? 'text/plain').split(';', 1)[0];
    const payload = fieldOf(record, 'WARC-Payload-Digest');
    const numbers = { status: String(answer?.status ?? 200), offset: String(place.offset), length: String(place.length) };
    return [line(surtOf(uri), fieldOf(record, 'WARC-Date'), { url: uri, mime, digest: payload, ...numbers, filename })];
  });
  const facts = factsOf(last.record);
  if (!facts) {
    const entry = { type: fieldOf(last.record, 'WARC-Type'), offset, length, sha256: digest, filename };
    return line(`urn:uuid:${uuidOf(fieldOf(last.record, 'WARC-Record-ID'))}`, fieldOf(last.record, 'WARC-Date'), entry);
  }
  const { capture, kind, source, operation, input, outcome, requestId, at } = facts;
  const told = { capture, kind, source, operation, input, outcome: outcome?.tag ?? null, requestId, at, unread: outcome?.unread ?? [] };
  return responses.join('') + line(`urn:uuid:${capture}`, at, { ...told, offset, length, sha256: digest, filename });
}

/** The entry of a line; null for lines of responses, of other records and of what was erased. */
export function entryOf(text: string): CaptureEntry | null {
  if (!text.startsWith('urn:uuid:')) return null;
  const json = text.slice(text.indexOf('{'));
  const entry = JSON.parse(json) as Partial<CaptureEntry>;
  return typeof entry.capture === 'string' ? (entry as CaptureEntry) : null;
}

/** The line that takes the place of `bytes` bytes of lines; empty for 0. */
export const erasedLine = (bytes: number, place: Pick<CaptureEntry, 'offset' | 'length' | 'sha256' | 'filename'>): string =>
  bytes === 0 ? '' : `${`!erased ${JSON.stringify(place)}`.padEnd(bytes - 1)}\n`;

/** The field that marks a record which took the place of an erased capture; its value is the length of the index lines. */
export const ERASED_FIELD = 'X-Sightline-Erased';
const erasedLength = (record: WarcRecord): number | null => {
  const length = fieldOf(record, ERASED_FIELD);
  return length === '' ? null : Number(length);
};

/** Splits records into groups: a group ends with a record that is none of request, response and resource. */
export function groupsOf(records: readonly PlacedRecord[]): readonly (readonly PlacedRecord[])[] {
  const groups: PlacedRecord[][] = [];
  let group: PlacedRecord[] = [];
  for (const placed of records) {
    group.push(placed);
    if (/^(request|response|resource)$/.test(fieldOf(placed.record, 'WARC-Type'))) continue;
    groups.push(group);
    group = [];
  }
  return groups;
}
