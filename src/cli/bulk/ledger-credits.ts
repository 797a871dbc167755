import { type Sightline, SightlineError } from '../../client/index.ts';
import { operationList } from '../../contract/operations/index.ts';
import { type Clock, realClock } from '../../runtime/clock.ts';
import { deadlineOf, type Settings } from '../../settings.ts';
import type { Journal } from './journal.ts';
import type { Plan } from './plan.ts';
import type { Reporter } from './report.ts';

const PAGE = 1000;
const POLL_MS = 1000;
/** Holds end at the deadline of their lookup and this much later. */
const HOLD_MARGIN_MS = 45_000;

/** What the ledger says about the lookups of a run. */
interface LedgerCredits {
  /** Credits captured, by the label of the request. */
  readonly captured: ReadonlyMap<string, number>;
  /** Holds that had not ended when the wait was over, by the label of the request. */
  readonly open: ReadonlySet<string>;
}

/** Time of the newest entry, RFC 3339; null: the ledger is empty. A run is newer than that. */
export async function newestEntry(client: Sightline): Promise<string | null> {
  const { entries } = await client.account.ledger({ limit: 1 });
  return entries[0]?.at ?? null;
}

/**
 * Reads the ledger back to `since`, for the labels with this prefix. A hold that is still open (the gateway ended between the answer and
 * its charge) is awaited for `waitMs`. `notice` is told of the wait.
 */
async function readLedgerCredits(
  client: Sightline,
  prefix: string,
  since: string | null,
  { clock, waitMs, stop, notice }: { clock: Clock; waitMs: number; stop: AbortSignal; notice: (text: string) => void },
): Promise<LedgerCredits> {
  const captured = new Map<string, number>();
  /** Receipts whose end was seen, and whose hold is further back. */
  const ended = new Set<string>();
  const open = new Map<string, string>();
  const add = (label: string, credits: number) => captured.set(label, (captured.get(label) ?? 0) + credits);
  for await (const entry of client.account.ledger.all({ limit: PAGE })) {
    if (since !== null && entry.at < since) break;
    const { kind, receipt, label, credits } = entry;
    if (!label?.startsWith(prefix) || receipt === null) continue;
    if (kind === 'capture') add(label, -credits);
    if (kind !== 'hold') ended.add(receipt);
    else if (!ended.delete(receipt)) open.set(receipt, label);
  }
  const untilMs = clock.now() + waitMs;
  let told = false;
  while (open.size > 0 && !stop.aborted && clock.now() < untilMs) {
    for (const [receipt, label] of open) {
      const end = (await client.account.ledger({ receipt })).entries.find(({ kind }) => kind !== 'hold');
      if (!end) continue;
      if (end.kind === 'capture') add(label, -end.credits);
      open.delete(receipt);
    }
    if (open.size === 0) break;
    if (!told && clock.now() > untilMs - waitMs + 2 * POLL_MS) {
      notice(`waiting for the service to settle ${open.size} charges of answers that were cut off`);
      told = true;
    }
    await clock.sleep(POLL_MS, stop);
  }
  return { captured, open: new Set(open.values()) };
}

interface Correcting {
  readonly plan: Plan;
  readonly journal: Journal;
  readonly runId: string;
  readonly reporter: Reporter;
  readonly stop: AbortSignal;
  readonly client: Sightline;
  readonly since: string | null;
  readonly settings: Settings;
}

/** Reads the credits of the run from the ledger: an answer may have been lost. */
export async function correctCredits({ client, plan, journal, runId, since, settings, reporter, stop }: Correcting): Promise<void> {
  const waitMs = Math.max(...operationList.map((operation) => deadlineOf(operation, settings))) + HOLD_MARGIN_MS;
  const notice = (text: string) => reporter.event('notice', { text }, text);
  try {
    const { captured, open } = await readLedgerCredits(client, `${runId}.`, since, { clock: realClock, waitMs, stop, notice });
    for (let index = 0; index < plan.size; index++) {
      const requestId = `${runId}.${plan.lineOf(index)}`;
      if (plan.firstOf(index) === index && !open.has(requestId)) journal.correct(index, captured.get(requestId) ?? 0);
    }
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    notice(`the ledger could not be read (${error.message}): credits are as the answers said`);
  }
}
