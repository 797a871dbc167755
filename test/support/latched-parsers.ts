/** Parsers for tests of the parser threads. */
import type { Answer } from '../../src/upstream/answer.ts';

/** Opened by `open`, also for parsers that run in another thread. */
export type Latch = Int32Array<SharedArrayBuffer>;
export const latch = (): Latch => new Int32Array(new SharedArrayBuffer(8));
export function open(latch: Latch): void {
  Atomics.store(latch, 0, 1);
  Atomics.notify(latch, 0);
}
/** Number of parsers that have begun behind this latch. */
export const begun = (latch: Latch): number => Atomics.load(latch, 1);

/** Holds its thread until the latch is open, then answers with the text. */
export function behindLatch(answer: Answer, latch: Latch): string {
  Atomics.add(latch, 1, 1);
  Atomics.wait(latch, 0, 0);
  return Buffer.from(answer.body).toString().trim();
}
