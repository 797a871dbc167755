import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { HOUR_MS } from '../../src/runtime/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { check } from '../../src/watches/check.ts';
import { type ClaimedSlot, nextSlot } from '../../src/watches/records.ts';
import { replan } from '../../src/watches/retention.ts';
import { grant, KEY_ROW, makeAccount, silent } from '../ledger/backends.ts';
import type { Random } from '../simulation/random.ts';
import type { Machine } from './fates.ts';
import { type Answering, claimDue, gatewayOn } from './house.ts';

/** Watches of an account, and checks that a process has claimed at a time. */
const PER_ACCOUNT = 1_000;
export const BATCH = 50;

/** Adds watches of `registration`, one for each domain, and the credits of each account. */
export async function addWatches(
  store: Store,
  nowMs: number,
  watches: { readonly domains: readonly (readonly string[])[]; readonly every_ms: number; readonly credits: number },
): Promise<void> {
  const { db } = store;
  const { every_ms } = watches;
  const common = { fields: null, every_ms, credits_per_month: 1_000, paused: 0, created_at: nowMs, fails: 0, name: null };
  for (const [i, domains] of watches.domains.entries()) {
    const [account_id, key_id] = [`acc_${i}`, `key_${i}`];
    await makeAccount(store, account_id);
    await db
      .insertInto('keys')
      .values({ ...KEY_ROW, id: key_id, account_id, hash: key_id })
      .execute();
    const rows = domains.map((domain, j) => {
      const id = `wat_${i}_${j}`;
      const parameters = JSON.stringify({ domain });
      return { ...common, id, account_id, key_id, operation: 'registration', parameters, next_at: nextSlot({ id, every_ms }, nowMs) };
    });
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('watches')
        .values(rows.slice(at, at + 100))
        .execute();
    await grant(store, account_id, watches.credits);
  }
}
/** So many domains, by account. */
export const domainsOf = (count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(count / PER_ACCOUNT) }, (_, i) =>
    Array.from({ length: Math.min(PER_ACCOUNT, count - i * PER_ACCOUNT) }, (_, j) => `site-${i}-${j}.com`),
  );

/** A process that serves: its checks, and its ledger. `claimed` is told of every slot that it takes. */
export async function openGateway(
  machine: Machine,
  now: () => number,
  answering: Answering,
  claimed: (slot: ClaimedSlot) => void = () => {},
) {
  const process = await machine.openProcess();
  const { store } = process;
  // sleeps end with the process: what is repeated is done by the test at each step
  const clock = {
    now,
    sleep: (_ms: number, signal?: AbortSignal) => new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
  };
  const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
  const journal = createJournal(store, clock);
  const ledger = createLedger({ journal, clock, log: silent, randomBytes, holdLifeMs: HOUR_MS, reapEveryMs: HOUR_MS });
  const { parts, billing } = gatewayOn(store, ledger, answering, {}, clock);
  async function work(): Promise<void> {
    await ledger.reap();
    await replan(store, now());
    for (;;) {
      const slots = await claimDue(store, BATCH, now(), () => crypto.randomUUID());
      if (slots.length === 0) break;
      for (const slot of slots) claimed(slot);
      await Promise.all(
        slots.map((slot) => check({ ...parts, newRequestId: () => `watch-${slot.watch.id}-${slot.slot}` }, slot).catch(whyLost)),
      );
    }
    await billing.settled();
  }
  /** What a freeze interrupted goes on after it, beside the work of the next step. */
  const begun = new Set<Promise<void>>();
  return {
    process,
    store,
    ledger,
    parts,
    work(): Promise<void> {
      const working = work();
      begun.add(working);
      return working.finally(() => begun.delete(working));
    },
    ended: async (): Promise<void> => void (await Promise.all(begun)),
  };
}
/** A check whose process was frozen: its hold is over. */
function whyLost(error: Error): void {
  if (!(error instanceof ServiceError && error.failure === 'UNAVAILABLE')) throw error;
}
export type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** One step of the time: each process works until it has done all or until its fate comes, within so many statements. */
export async function step(gateways: readonly Gateway[], random: Random, statements = 600): Promise<void> {
  for (const { process } of gateways) {
    const fate = random.next();
    if (fate < 0.1) process.doom('kill', 1 + random.below(statements));
    else if (fate < 0.2) process.doom('freeze', 1 + random.below(statements));
  }
  await Promise.all(gateways.map(({ process, work }) => Promise.race([work(), process.stopped()])));
}
/** One step in which no process dies. */
export async function quietStep(gateways: readonly Gateway[]): Promise<void> {
  for (const { process, work, ended } of gateways) {
    process.thaw();
    process.doom('kill', Number.POSITIVE_INFINITY);
    await ended();
    await work();
  }
}
/** The processes that go on after a step, with a new one for each that was killed; counts what came over the others. */
export const afterStep = (gateways: readonly Gateway[], open: () => Promise<Gateway>, counts: { kill: number; freeze: number }) =>
  Promise.all(
    gateways.map((gateway) => {
      const state = gateway.process.state();
      if (state !== 'runs') counts[state]++;
      return state === 'kill' ? open() : gateway;
    }),
  );
