import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../runtime/make-folder.ts';
import { decodeEncoded } from '../upstream/http/decode.ts';
import type { Exchange } from '../upstream/ports.ts';
import type { AttemptCapture, CaptureFacts, ExchangeFacts } from './capture.ts';
import * as files from './capture-files.ts';
import { recordsOf } from './records.ts';
import { type Redaction, redactExchange, redactionOf } from './redaction.ts';
import { encodeRecord } from './warc.ts';

export interface CaptureWriterParts extends files.Limits {
  /** Folder of all captures of the machine, to which the budget applies. */
  readonly folder: string;
  readonly ownFolder: string;
  /** The one in force now. */
  readonly redaction: () => Redaction;
  readonly version: string;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Shared documents in memory; the oldest are forgotten above this. */
const MAX_SHARED_BYTES = 4_194_304;

export class CaptureTooLarge extends Error {}

/** Writes captures synchronously, in a thread of its own. A source's shared documents lie beside its captures, for their replay. */
export function createCaptureWriter(parts: CaptureWriterParts) {
  const { folder, ownFolder, version, now, newId, maxBytes } = parts;
  /** Last shared documents by source and URL, as files. */
  const shared = new Map<string, { source: string; name: string; bytes: Buffer }>();
  let sharedBytes = 0;
  let written = Number.POSITIVE_INFINITY;

  /** Remembers a document that later captures of the source will need for their replay. */
  function share(source: string, plain: Exchange): void {
    const redaction = redactionOf([plain], parts.redaction());
    const exchange = redactExchange(plain, redaction);
    const { reply } = exchange;
    // a revalidation (304) leaves the document as it is
    if (reply.tag !== 'answer' || reply.answer.status === 304) return;
    const id = newId();
    const sentAt = new Date(exchange.sent[0]?.atMs ?? now()).toISOString();
    const nothing = { operation: null, input: null, requestId: null, outcome: null };
    const { bytes } = encode({ capture: id, kind: 'shared', source, ...nothing, at: sentAt }, [exchange], redaction);
    const key = `${source} ${exchange.asked.url} ${exchange.asked.body ?? ''}`;
    forget(key);
    shared.set(key, { source, name: files.sharedName(id, bytes), bytes });
    sharedBytes += bytes.length;
    for (const oldest of shared.keys()) if (sharedBytes > MAX_SHARED_BYTES) forget(oldest);
  }

  /** Writes a capture and returns its bytes. Throws if the disk refuses it; nothing is left of it then. */
  function write(capture: AttemptCapture): number {
    const redaction = redactionOf(capture.exchanges, parts.redaction());
    const exchanges = capture.exchanges.map((exchange) => redactExchange(decodedExchange(exchange), redaction));
    const { id, atMs, source, operation, input, requestId = null } = capture;
    const { resource, ...rest } = capture.outcome;
    const outcome = { ...rest, ...(resource && { resource: JSON.parse(Buffer.from(resource.bytes).toString()) as unknown }) };
    const work = { source, operation, input, requestId, at: new Date(atMs).toISOString(), outcome };
    const { facts, bytes } = encode({ capture: id, kind: 'attempt', ...work }, exchanges, redaction);
    if (files.spaceOf(bytes.length) > maxBytes / 4) throw new CaptureTooLarge(`a capture of ${bytes.length} bytes`);
    const area = join(ownFolder, files.areaOf(operation));
    for (const document of shared.values()) {
      const file = join(area, document.name);
      if (document.source !== source || files.touch(file, now())) continue;
      place(file, document.bytes);
      files.touch(file, now());
    }
    place(join(area, files.captureName(id, facts.requestId, bytes)), bytes);
    return bytes.length;
  }

  function tidy(room = 0): void {
    files.dropCaptures(folder, parts, now(), room);
    written = 0;
  }

  function forget(key: string): void {
    sharedBytes -= shared.get(key)?.bytes.length ?? 0;
    shared.delete(key);
  }

  function encode(told: Omit<CaptureFacts, 'exchanges' | 'version'>, exchanges: readonly Exchange[], redaction: Redaction) {
    const plain: CaptureFacts = { ...told, exchanges: exchanges.map(factsOfExchange), version };
    // outcome and input may repeat what a URL or a body held
    const facts = JSON.parse(redaction.text(JSON.stringify(plain))) as CaptureFacts;
    const stored = { facts, exchanges: exchanges.map((exchange) => ({ facts: factsOfExchange(exchange), sent: exchange.sent })) };
    return { facts, bytes: Buffer.concat(recordsOf(stored, newId).map(encodeRecord)) };
  }

  /** Under a temporary name until it is whole: a killed process leaves no part of a capture under its own name. */
  function place(file: string, bytes: Buffer): void {
    const space = files.spaceOf(bytes.length);
    if (written + space > files.stepOf(maxBytes)) tidy(space);
    const temporary = file + files.TEMPORARY_END;
    const write = (): void => writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    try {
      if (files.ifThere(write) === null) {
        makeFolder(dirname(file), 0o700);
        write();
      }
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    written += space;
  }
  return { share, write, tidy };
}

/** The exchange as if its body had been decoded on arrival; a body that cannot be decoded is a failure without an answer. */
function decodedExchange(exchange: Exchange): Exchange {
  const last = exchange.sent.at(-1);
  if (!last?.answer?.encoded) return exchange;
  const reply = decodeEncoded(last.answer, last.answer.encoded.maxBytes);
  return { ...exchange, sent: [...exchange.sent.slice(0, -1), { ...last, answer: reply.tag === 'answer' ? reply.answer : null }], reply };
}

const factsOfExchange = ({ asked, sent, reply }: Exchange): ExchangeFacts => ({
  asked,
  answered: sent.map(({ answer }) => answer !== null),
  ...(reply.tag !== 'answer' && { failure: reply }),
});
