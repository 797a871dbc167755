import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createUuid7 } from '../runtime/uuid.ts';
import type { Exchange } from '../upstream/recorded-exchange.ts';
import type { AttemptCapture } from './capture.ts';
import { createRedaction } from './redaction.ts';
import { CaptureTooLarge, SegmentWriter, type SegmentWriterParts } from './segment-writer.ts';

/** What the thread starts with. `skewMs`: the service's clock against the machine's. */
export interface WriterData extends Pick<SegmentWriterParts, 'folder' | 'ownFolder' | 'maxBytes' | 'keepMs' | 'version'> {
  readonly secrets: readonly string[];
}
/** `nowMs`: the service's clock. */
export type WriterRequest = { readonly nowMs: number } & (
  | { readonly kind: 'capture'; readonly capture: AttemptCapture; readonly weight: number }
  | { readonly kind: 'share'; readonly source: string; readonly exchange: Exchange; readonly weight: number }
  | { readonly kind: 'tidy'; readonly weight: 0 }
  | { readonly kind: 'close'; readonly weight: 0 }
);
/** One for each request, in order. `failure`: of the disk. */
export interface WriterReply {
  readonly weight: number;
  readonly written: number;
  readonly lost: 'size' | 'disk' | null;
  readonly failure: string | null;
}

const data = workerData as WriterData;
let nowMs = 0;
const now = (): number => nowMs;
const writer = new SegmentWriter({ ...data, redaction: createRedaction(data.secrets), now, newId: createUuid7(now, randomBytes) });

// on Linux the priority is one of threads, not of the process: the service goes first
if (process.platform === 'linux') setPriority(0, 19);

const port = parentPort;
port?.on('message', (request: WriterRequest) => {
  nowMs = request.nowMs;
  const reply: WriterReply = { weight: request.weight, written: 0, lost: null, failure: null };
  try {
    port.postMessage({ ...reply, written: perform(request) });
  } catch (error) {
    const lost = request.kind !== 'capture' ? null : error instanceof CaptureTooLarge ? 'size' : 'disk';
    port.postMessage({ ...reply, lost, failure: error instanceof CaptureTooLarge ? null : (error as Error).message });
  }
  if (request.kind === 'close') port.close();
});

/** Returns the bytes that were written. */
function perform(request: WriterRequest): number {
  switch (request.kind) {
    case 'capture':
      return writer.write(request.capture);
    case 'share':
      writer.share(request.source, request.exchange);
      return 0;
    case 'tidy':
      writer.tidy();
      return 0;
    case 'close':
      writer.close();
      return 0;
  }
}
