/** Parsers for tests of the parser threads. */
import type { Answer } from '../../src/upstream/answer.ts';

/** Opened by `open`, also for parsers that run in another thread. */
export type Gate = Int32Array<SharedArrayBuffer>;
export const gate = (): Gate => new Int32Array(new SharedArrayBuffer(8));
export function open(gate: Gate): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
/** Number of parsers that have begun behind this gate. */
export const begun = (gate: Gate): number => Atomics.load(gate, 1);

/** Holds its thread until the gate is open, then answers with the text. */
export function behindGate(answer: Answer, gate: Gate): string {
  Atomics.add(gate, 1, 1);
  Atomics.wait(gate, 0, 0);
  return Buffer.from(answer.body).toString().trim();
}
