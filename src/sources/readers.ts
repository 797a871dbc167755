import type { OperationId } from '../contract/operations.ts';
import type { Reader } from './source.ts';

interface ReaderEntry {
  /** Whose input it takes and whose resource it gives. */
  readonly operation: OperationId;
  readonly load: () => Promise<Reader>;
}
const entry = <Id extends OperationId>(operation: Id, load: () => Promise<Reader<Id>>): ReaderEntry => ({
  operation,
  load: load as unknown as () => Promise<Reader>,
});

/** The readers by name, one line each: `sightline parse` and the relay choose among them. */
export const READERS: Readonly<Record<string, ReaderEntry>> = {
  'traffic/similarweb': entry('traffic', async () => (await import('./traffic/similarweb/parse.ts')).readSimilarweb),
  'traffic/tranco': entry('traffic', async () => (await import('./traffic/model/parse.ts')).readTranco),
};
