import type { CallOptions, Sightline } from '../client/index.ts';
import type { Lookup, Plan } from '../contract/lists/input.ts';
import { answerOf, type LineAnswer } from './lines.ts';

type AskOptions = Pick<CallOptions, 'requestId' | 'maxCredits' | 'maxStale' | 'deadlineMs'>;

/** Asks a service for a lookup of a plan; under `requestId` the ledger lists the charges of the line. Retries are the run's: it knows what the other lines met. */
export const askService = (client: Sightline, { read }: Pick<Plan, 'read'>, lookup: Lookup, options: AskOptions): Promise<LineAnswer> =>
  answerOf(async () => {
    const { operation, input } = read(lookup);
    const { text, credits, source, cache } = await client.lookup(operation.id, input, { maxRetries: 0, ...options }).withResponse();
    // a line of the output holds no line feed, which a proxy may have added
    return { resource: text.includes('\n') ? JSON.stringify(JSON.parse(text)) : text, credits: credits.charged, source, cache };
  });

/** The price of each lookup in credits: the service is asked once for each operation. */
export async function pricesOf(client: Sightline, { lookups, read }: Pick<Plan, 'lookups' | 'read'>): Promise<(lookup: Lookup) => number> {
  /** Credits of the price in the contract's unit. */
  const units = new Map<string, number>();
  for (const [id, [first]] of Map.groupBy(lookups, ({ operation }) => operation.id))
    if (first) units.set(id, (await client.account.price(id, read(first).input)).price / first.units);
  return ({ operation, units: count }) => count * (units.get(operation.id) ?? 0);
}

/** A run, by which the ledger is searched: the prefix of the labels of its requests, and the newest entry before it (null: none). */
export interface Run {
  readonly id: string;
  readonly since: string | null;
}
export const labelOf = ({ id }: Pick<Run, 'id'>, { line }: Pick<Lookup, 'line'>): string => `${id}.${line}`;

/** The run's place in the ledger before its first request. */
export const newestEntry = async (client: Sightline): Promise<string | null> =>
  (await client.account.ledger({ limit: 1 })).entries[0]?.at ?? null;

/** What the ledger says about the lookups of a run, by the label of the request: credits captured, and holds that have not ended. */
export async function readLedger(client: Sightline, run: Run) {
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
