import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../runtime/priority.ts';
import { createUuid7 } from '../runtime/uuid.ts';
import type { Exchange } from '../upstream/ports.ts';
import type { AttemptCapture } from './capture.ts';
import { CaptureTooLarge, type CaptureWriterParts, createCaptureWriter } from './capture-writer.ts';
import { createRedaction } from './redaction.ts';

export interface WriterData extends Pick<CaptureWriterParts, 'folder' | 'ownFolder' | 'maxBytes' | 'keepMs' | 'version'> {
  readonly secrets: readonly string[];
}
/** `nowMs`: the service's clock. */
export type WriterRequest = { readonly nowMs: number } & (
  | { readonly kind: 'capture'; readonly capture: AttemptCapture; readonly weight: number }
  | { readonly kind: 'share'; readonly source: string; readonly exchange: Exchange; readonly weight: number }
  /** Values that are removed from now on, all of them. */
  | { readonly kind: 'secrets'; readonly secrets: readonly string[]; readonly weight: 0 }
  | { readonly kind: 'tidy'; readonly weight: 0 }
  | { readonly kind: 'close'; readonly weight: 0 }
);
export type WriterReply = ReturnType<typeof performAll>;

const data = workerData as WriterData;
let nowMs = 0;
const now = (): number => nowMs;
let redaction = createRedaction(data.secrets);
const writer = createCaptureWriter({ ...data, redaction: () => redaction, now, newId: createUuid7(now, randomBytes) });

lowerPriority(19);

const port = parentPort;
port?.on('message', (batch: readonly WriterRequest[]) => {
  port.postMessage(performAll(batch));
  if (batch.some(({ kind }) => kind === 'close')) port.close();
});

/** Returns sums over the requests. `failure`: the last of the disk. */
function performAll(batch: readonly WriterRequest[]) {
  const reply = { requests: batch.length, weight: 0, written: 0, bytes: 0, lost: { size: 0, disk: 0 }, failure: null as string | null };
  for (const request of batch) {
    nowMs = request.nowMs;
    reply.weight += request.weight;
    try {
      const bytes = perform(request);
      reply.bytes += bytes;
      if (request.kind === 'capture') reply.written++;
    } catch (error) {
      const isTooLarge = error instanceof CaptureTooLarge;
      if (request.kind === 'capture') reply.lost[isTooLarge ? 'size' : 'disk']++;
      if (!isTooLarge) reply.failure = (error as Error).message;
    }
  }
  return reply;
}

function perform(request: WriterRequest): number {
  if (request.kind === 'capture') return writer.write(request.capture);
  if (request.kind === 'share') writer.share(request.source, request.exchange);
  if (request.kind === 'secrets') redaction = createRedaction(request.secrets);
  if (request.kind === 'tidy') writer.tidy();
  return 0;
}
