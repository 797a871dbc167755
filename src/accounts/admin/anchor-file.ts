import { appendFile } from 'node:fs/promises';
import type { Clock } from '../../runtime/clock.ts';
import { createOutage } from '../../runtime/outage.ts';
import type { StoreLog } from '../../store/store.ts';
import type { Admin } from './types.ts';

export interface AnchorFileParts {
  readonly file: string;
  readonly admin: Pick<Admin, 'anchorLedger'>;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly everyMs: number;
}

/** Appends an anchor to a file at the start and then at a fixed interval. A failed write is logged and retried at the next interval. */
export function writeAnchors({ file, admin, clock, log, everyMs }: AnchorFileParts): { close(): Promise<void> } {
  const ending = new AbortController();
  const writes = createOutage(clock, log, {
    begins: 'ledger: an anchor could not be written',
    lasts: 'ledger: anchors still cannot be written',
    ends: 'ledger: anchors are written again',
  });
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        const { line } = await admin.anchorLedger();
        await appendFile(file, `${line}\n`, { mode: 0o600 });
        writes.worked();
      } catch (error) {
        writes.failed(String(error));
      }
      await clock.sleep(everyMs, ending.signal);
    }
  };
  const running = run();
  return {
    async close() {
      ending.abort();
      await running;
    },
  };
}
