import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Exchange } from '../upstream/recorded-exchange.ts';
import type { AttemptCapture, CaptureFacts, ExchangeFacts, StoredCapture } from './capture.ts';
import { indexLinesOf } from './cdxj.ts';
import { infoRecord, recordsOf } from './records.ts';
import { type Redaction, redactExchange, redactionOf } from './redaction.ts';
import { type Area, areaOf, DAY_MS, dropSegments, indexOf, keepOf, type Limits, segmentBytes, segmentName } from './segments.ts';
import { encodeRecord, type WarcRecord } from './warc.ts';

export interface SegmentWriterParts extends Limits {
  /** Folder of all captures of the machine, to which the budget applies. */
  readonly folder: string;
  /** Folder of this process: the same, or one below it. */
  readonly ownFolder: string;
  readonly redaction: Redaction;
  readonly version: string;
  readonly now: () => number;
  readonly newId: () => string;
}

interface OpenSegment {
  readonly file: string;
  readonly area: Area;
  readonly beganMs: number;
  readonly fd: number;
  readonly indexFd: number;
  size: number;
  indexSize: number;
  /** URLs of the shared documents that it holds. */
  readonly shared: Set<string>;
}

/** Shared documents in memory; the oldest are forgotten above this. */
const MAX_SHARED_BYTES = 4_194_304;
/** A segment takes at most this part of the time that captures are kept, so that dropping it does not take much younger ones. */
const KEEP_PARTS = 8;

/** A capture that does not fit into the budget. */
export class CaptureTooLarge extends Error {}

/**
 * Appends captures to segments, synchronously: it runs in a thread of its own. Each segment holds the shared documents (robots.txt, the RDAP
 * bootstrap) of the sources whose captures it holds, so that it can be replayed by itself.
 */
export class SegmentWriter {
  readonly #parts: SegmentWriterParts;
  readonly #open = new Map<Area, OpenSegment>();
  /** Last shared documents by source and URL, redacted. */
  readonly #shared = new Map<string, { source: string; exchange: Exchange; bytes: number }>();
  #sharedBytes = 0;

  constructor(parts: SegmentWriterParts) {
    this.#parts = parts;
  }

  /** Remembers a document that later captures of the source will need for their replay. */
  share(source: string, plain: Exchange): void {
    const exchange = redactExchange(plain, redactionOf([plain], this.#parts.redaction));
    const { reply } = exchange;
    // a revalidation (304) leaves the document as it is
    if (reply.tag !== 'answer' || reply.answer.status === 304) return;
    const key = `${source} ${exchange.asked.url} ${exchange.asked.body ?? ''}`;
    this.#sharedBytes -= this.#shared.get(key)?.bytes ?? 0;
    this.#shared.delete(key);
    const bytes = reply.answer.body.length;
    this.#shared.set(key, { source, exchange, bytes });
    this.#sharedBytes += bytes;
    for (const segment of this.#open.values()) segment.shared.delete(key);
    for (const [oldest, { bytes: freed }] of this.#shared) {
      if (this.#sharedBytes <= MAX_SHARED_BYTES) break;
      this.#shared.delete(oldest);
      this.#sharedBytes -= freed;
    }
  }

  /** Writes a capture and returns the bytes that it takes. Throws if the disk refuses it; what was written of it is taken back. */
  write(capture: AttemptCapture): number {
    const { version } = this.#parts;
    const redaction = redactionOf(capture.exchanges, this.#parts.redaction);
    const exchanges = capture.exchanges.map((exchange) => redactExchange(exchange, redaction));
    const { id, at, source, operation, input, requestId = null } = capture;
    const { resource, ...rest } = capture.outcome;
    const facts: CaptureFacts = {
      capture: id,
      kind: 'attempt',
      source,
      operation,
      input,
      requestId,
      at: new Date(at).toISOString(),
      outcome: { ...rest, ...(resource && { resource: JSON.parse(Buffer.from(resource.bytes).toString()) as unknown }) },
      exchanges: exchanges.map(factsOfExchange),
      version,
    };
    const group = this.#group(facts, exchanges, redaction);
    const segment = this.#segment(
      areaOf(operation),
      group.reduce((sum, { member }) => sum + member.length, 0),
    );
    for (const [key, { source: of, exchange }] of this.#shared) {
      if (of !== source || segment.shared.has(key)) continue;
      this.#append(segment, this.#group(this.#sharedFacts(of, exchange), [exchange], redaction));
      segment.shared.add(key);
    }
    return this.#append(segment, group);
  }

  /** Drops what is too old or over the budget; ends segments that are due. */
  tidy(): void {
    for (const segment of [...this.#open.values()]) if (this.#isDue(segment, 0)) this.#end(segment);
    dropSegments(this.#parts.folder, this.#parts, this.#parts.now());
  }

  close(): void {
    for (const segment of [...this.#open.values()]) this.#end(segment);
  }

  #sharedFacts(source: string, exchange: Exchange): CaptureFacts {
    const { newId, now, version } = this.#parts;
    const at = new Date(exchange.sent[0]?.at ?? now()).toISOString();
    const nothing = { operation: null, input: null, requestId: null, outcome: null };
    return { capture: newId(), kind: 'shared', source, ...nothing, at, exchanges: [factsOfExchange(exchange)], version };
  }

  #group(facts: CaptureFacts, exchanges: readonly Exchange[], redaction: Redaction): readonly Encoded[] {
    const { newId } = this.#parts;
    // outcome and input may repeat what a URL or a body held
    const clean = JSON.parse(redaction.text(JSON.stringify(facts))) as CaptureFacts;
    const stored: StoredCapture = {
      facts: clean,
      exchanges: exchanges.map((exchange) => ({ facts: factsOfExchange(exchange), sent: exchange.sent })),
    };
    return recordsOf(stored, newId).map(encode);
  }

  #isDue(segment: OpenSegment, bytes: number): boolean {
    const { now, maxBytes, keepMs } = this.#parts;
    const ageMs = now() - segment.beganMs;
    const isAnotherDay = Math.floor(now() / DAY_MS) !== Math.floor(segment.beganMs / DAY_MS);
    const isFull = segment.size + segment.indexSize + bytes > segmentBytes(maxBytes);
    return isFull || isAnotherDay || ageMs < 0 || ageMs > keepOf(segment.area, keepMs) / KEEP_PARTS;
  }

  /** The open segment of the area, or a new one. */
  #segment(area: Area, bytes: number): OpenSegment {
    const { folder, ownFolder, maxBytes, now, newId, version } = this.#parts;
    if (bytes > maxBytes / 4) throw new CaptureTooLarge(`a capture of ${bytes} bytes`);
    const open = this.#open.get(area);
    if (open && !this.#isDue(open, bytes)) return open;
    if (open) this.#end(open);
    makeFolder(ownFolder, 0o700);
    dropSegments(folder, this.#parts, now());
    // dropping may have removed the folder of this process, when it held nothing else
    makeFolder(ownFolder, 0o700);
    const file = join(ownFolder, segmentName(area, now(), newId().slice(-12)));
    const fd = openSync(file, 'ax', 0o600);
    const indexFd = openSync(indexOf(file), 'ax', 0o600);
    const segment = { file, area, beganMs: now(), fd, indexFd, size: 0, indexSize: 0, shared: new Set<string>() };
    this.#open.set(area, segment);
    this.#append(segment, [encode(infoRecord(newId(), now(), basename(file), version))]);
    return segment;
  }

  /** One write for the records and one for the index, so that a killed process leaves at most one torn capture, at the end. */
  #append(segment: OpenSegment, group: readonly Encoded[]): number {
    const bytes = Buffer.concat(group.map(({ member }) => member));
    let offset = segment.size;
    const placed = group.map(({ record, member: { length } }) => {
      offset += length;
      return { record, offset: offset - length, length };
    });
    const lines = Buffer.from(indexLinesOf(basename(segment.file), bytes, placed));
    try {
      writeAll(segment.fd, bytes);
      writeAll(segment.indexFd, lines);
    } catch (error) {
      this.#takeBack(segment);
      throw error;
    }
    segment.size += bytes.length;
    segment.indexSize += lines.length;
    return bytes.length + lines.length;
  }

  #takeBack(segment: OpenSegment): void {
    try {
      ftruncateSync(segment.fd, segment.size);
      ftruncateSync(segment.indexFd, segment.indexSize);
    } catch {
      this.#end(segment); // a torn end is ignored by readers; the next capture begins a new segment
    }
  }

  #end(segment: OpenSegment): void {
    this.#open.delete(segment.area);
    closeSync(segment.fd);
    closeSync(segment.indexFd);
  }
}

interface Encoded {
  readonly record: WarcRecord;
  readonly member: Buffer;
}
const encode = (record: WarcRecord): Encoded => ({ record, member: encodeRecord(record) });

const factsOfExchange = ({ asked, sent, reply }: Exchange): ExchangeFacts => ({
  asked,
  answered: sent.map(({ answer }) => answer !== null),
  ...(reply.tag !== 'answer' && { failure: reply }),
});

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
