import { appendFile } from 'node:fs/promises';
import type { Admin } from '../../contract/admin/actions.ts';
import { type Clock, HOUR_MS } from '../../runtime/clock.ts';
import { createOutage } from '../../runtime/outage.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { StoreLog } from '../../store/store.ts';

/** Appends an anchor to a file at the start and then hourly. A failed write is logged and retried with the next one. */
export function writeAnchors(file: string, admin: Pick<Admin, 'anchorLedger'>, clock: Clock, log: StoreLog) {
  const writes = createOutage(clock, log, {
    begins: 'ledger: an anchor could not be written',
    lasts: 'ledger: anchors still cannot be written',
    ends: 'ledger: anchors are written again',
  });
  return repeat(clock, async () => {
    try {
      const { line } = await admin.anchorLedger();
      await appendFile(file, `${line}\n`, { mode: 0o600 });
      writes.worked();
    } catch (error) {
      writes.failed(String(error));
    }
    return HOUR_MS;
  });
}
