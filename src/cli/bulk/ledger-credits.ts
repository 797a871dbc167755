import { type Sightline, SightlineError } from '../../client/index.ts';
import { operationList } from '../../contract/operations/index.ts';
import { realClock } from '../../runtime/clock.ts';
import { deadlineOf, type Settings } from '../../settings.ts';
import type { Plan } from './input.ts';
import type { Journal, Run } from './journal.ts';

/** Holds end at the deadline of their lookup and this much later. */
const HOLD_MARGIN_MS = 45_000;

/** What the ledger says about the lookups of a run, by the label of the request: credits captured, and holds that have not ended. */
async function readLedger(client: Sightline, run: Run) {
  const captured = new Map<string, number>();
  const open = new Set<string>();
  const ended = new Set<string>();
  for await (const { at, kind, receipt, label, credits } of client.account.ledger.all({ limit: 1000 })) {
    if (run.since !== null && at < run.since) break;
    if (!label?.startsWith(`${run.id}.`) || receipt === null) continue;
    if (kind === 'capture') captured.set(label, (captured.get(label) ?? 0) - credits);
    // the newest entry comes first: an end before its hold
    if (kind !== 'hold') ended.add(receipt);
    else if (!ended.has(receipt)) open.add(label);
  }
  return { captured, open };
}

/** Corrects the credits of lines whose answers may have been lost by the ledger; awaits holds that are still open until they must have ended. */
export async function correctCredits(
  { client, settings, stop, notice }: { client: Sightline; settings: Settings; stop: AbortSignal; notice: (text: string) => void },
  { plan, journal, run }: { plan: Plan; journal: Journal; run: Run },
): Promise<void> {
  const untilMs = realClock.now() + Math.max(...operationList.map((operation) => deadlineOf(operation, settings))) + HOLD_MARGIN_MS;
  try {
    let ledger = await readLedger(client, run);
    for (let polls = 0; ledger.open.size > 0 && !stop.aborted && realClock.now() < untilMs; polls++) {
      if (polls === 2) notice(`waiting for the service to settle ${ledger.open.size} charges of answers that were cut off`);
      await realClock.sleep(Math.min(polls + 1, 10) * 1000, stop);
      ledger = await readLedger(client, run);
    }
    for (const lookup of plan.lookups) {
      const label = `${run.id}.${lookup.line}`;
      if (journal.rowOf(lookup)?.run === run.id && !ledger.open.has(label)) journal.correct(lookup, ledger.captured.get(label) ?? 0);
    }
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    notice(`the ledger could not be read (${error.message}): credits are as the answers said`);
  }
}
