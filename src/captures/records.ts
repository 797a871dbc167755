import { STATUS_CODES } from 'node:http';
import { instant } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import type { SentRequest } from '../upstream/ports.ts';
import type { CaptureFacts, StoredCapture } from './capture.ts';
import { fieldOf, sha256, type WarcRecord } from './warc.ts';

const CRLF = '\r\n';
const WHOIS = 'WHOIS';
const METADATA_TYPE = 'application/json';
const urnOf = (id: string): string => `<urn:uuid:${id}>`;

const headText = (first: string, headers: Readonly<Record<string, string>>): string =>
  [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value.replaceAll('\n', ' ')}`), CRLF].join(CRLF);

/** The URI of a WHOIS query has the query as its path, as in Heritrix. */
const uriOf = ({ method, url, body }: Pick<SentRequest, 'method' | 'url' | 'body'>): string =>
  method === WHOIS ? `${url}/${encodeURIComponent(body ?? '')}` : url;

function requestBlock({ method, url, headers, body }: SentRequest): Buffer {
  // not by URL: a part that was removed may have left none
  const [, host = '', path = ''] = /^\w+:\/\/([^/?#]*)(.*)$/.exec(url) ?? [];
  const own: Record<string, string> = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const first = `${method} ${path.startsWith('/') ? path : `/${path}`} HTTP/1.1`;
  return Buffer.from(headText(first, { host, ...headers, ...own }) + (body ?? ''));
}
function responseBlock({ status, headers, body }: Answer): Buffer {
  // the body is stored as decoded, so that its length is not the one of the wire
  const head = headText(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trim(), { ...headers, 'content-length': String(body.length) });
  return Buffer.concat([Buffer.from(head), body]);
}

/** The metadata record; then a request and its response each; a resource for a WHOIS answer, because readers take a response for HTTP. */
export function recordsOf({ facts, exchanges }: StoredCapture, newId: () => string): WarcRecord[] {
  const records: WarcRecord[] = [];
  let firstId: string | null = null;
  for (const sent of exchanges.flatMap((exchange) => exchange.sent)) {
    const { answer } = sent;
    const [requestId, responseId] = [urnOf(newId()), urnOf(newId())];
    const add = (type: string, id: string, atMs: number, concurrentTo: string | null, contentType: string, block: Uint8Array): void => {
      const fields: [string, string][] = [
        ['WARC-Type', type],
        ['WARC-Record-ID', id],
        ['WARC-Date', instant(atMs)],
        ['WARC-Target-URI', uriOf(sent)],
      ];
      if (concurrentTo !== null) fields.push(['WARC-Concurrent-To', concurrentTo]);
      if (answer && id === responseId) fields.push(['WARC-Payload-Digest', `sha256:${sha256(answer.body)}`]);
      records.push({ fields: [...fields, ['Content-Type', contentType]], block });
      firstId ??= id;
    };
    if (sent.method === WHOIS) {
      if (answer) add('resource', responseId, answer.atMs, null, 'text/plain', answer.body);
      continue;
    }
    add('request', requestId, sent.atMs, answer && responseId, 'application/http; msgtype=request', requestBlock(sent));
    if (answer) add('response', responseId, answer.atMs, requestId, 'application/http; msgtype=response', responseBlock(answer));
  }
  const asked = exchanges[0]?.facts.asked;
  const metadata: WarcRecord = {
    fields: [
      ['WARC-Type', 'metadata'],
      ['WARC-Record-ID', urnOf(facts.capture)],
      ['WARC-Date', facts.at],
      ['WARC-Target-URI', asked ? uriOf(asked) : `urn:uuid:${facts.capture}`],
      ...(firstId ? [['WARC-Concurrent-To', firstId] as const] : []),
      ['Content-Type', METADATA_TYPE],
    ],
    block: Buffer.from(JSON.stringify(facts)),
  };
  return [metadata, ...records];
}

/** The facts of a metadata record of ours; null for any other record. */
export function captureFactsOf(record: WarcRecord): CaptureFacts | null {
  if (fieldOf(record, 'WARC-Type') !== 'metadata' || fieldOf(record, 'Content-Type') !== METADATA_TYPE) return null;
  const facts = JSON.parse(Buffer.from(record.block).toString('utf8')) as Partial<CaptureFacts>;
  return typeof facts.capture === 'string' && Array.isArray(facts.exchanges) ? (facts as CaptureFacts) : null;
}

function messageOf(block: Uint8Array): { first: string; headers: Record<string, string>; body: Buffer } {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const end = bytes.indexOf(CRLF + CRLF);
  const [first = '', ...lines] = bytes.toString('utf8', 0, end).split(CRLF);
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  return { first, headers, body: bytes.subarray(end + 4) };
}

/** A WHOIS query with its answer, which is a resource record. When it was sent is not stored. */
function queryOf(resource: WarcRecord): SentRequest {
  const uri = fieldOf(resource, 'WARC-Target-URI');
  const atMs = Date.parse(fieldOf(resource, 'WARC-Date'));
  const url = uri.slice(0, uri.lastIndexOf('/'));
  const answer = { status: 200, headers: {}, body: resource.block, url, atMs };
  return { atMs, method: WHOIS, url, headers: {}, body: decodeURIComponent(uri.slice(url.length + 1)), answer };
}

export function sentOf(request: WarcRecord, response: WarcRecord | null): SentRequest {
  const uri = fieldOf(request, 'WARC-Target-URI');
  const atMs = Date.parse(fieldOf(request, 'WARC-Date'));
  const answeredAt = response ? Date.parse(fieldOf(response, 'WARC-Date')) : 0;
  const { first, headers, body } = messageOf(request.block);
  const hasBody = headers['content-length'] !== undefined;
  const { host: _host, 'content-length': _length, ...rest } = headers;
  const message = response && messageOf(response.block);
  const answer = message && {
    status: Number(message.first.split(' ')[1]),
    headers: Object.fromEntries(Object.entries(message.headers).filter(([name]) => name !== 'content-length')),
    body: message.body,
    url: uri,
    atMs: answeredAt,
  };
  const method = first.split(' ', 1)[0] ?? 'GET';
  return { atMs, method, url: uri, headers: rest, body: hasBody ? body.toString('utf8') : null, answer };
}

/** The capture of these records; throws where they do not belong together. */
export function captureOf(records: readonly WarcRecord[]): StoredCapture {
  const [first, ...left] = records;
  const facts = first ? captureFactsOf(first) : null;
  if (!facts) throw new Error('the first record is no metadata record of a capture');
  const atMs = Date.parse(facts.at);
  const exchanges = facts.exchanges.map((exchange) => ({
    facts: exchange,
    sent: exchange.answered.map((answered) => {
      if (exchange.asked.method === WHOIS && !answered) return { ...exchange.asked, atMs, headers: {}, answer: null };
      if (exchange.asked.method === WHOIS) return queryOf(left.shift() ?? missing());
      const request = left.shift();
      const response = answered ? left.shift() : null;
      return sentOf(request ?? missing(), response === undefined ? missing() : response);
    }),
  }));
  return { facts, exchanges };
}
function missing(): never {
  throw new Error('a record of the capture is missing');
}
