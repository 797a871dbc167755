import { hash } from 'node:crypto';
import { dayOf } from '../runtime/clock.ts';
import type { BalanceRow } from '../store/tables.ts';

const KINDS = ['grant', 'hold', 'capture', 'release', 'expire', 'renew'] as const;

export interface Entry {
  readonly kind: (typeof KINDS)[number];
  /** Change of balance + held: the sum over all entries equals balance + held. */
  readonly credits: number;
  /** Change of the held credits: the sum over all entries equals held. */
  readonly held: number;
  /** Of a hold its UUID; of what follows on a hold `<number of the hold's row>.<UUID>`; of a grant the caller's reference. */
  readonly id: string;
  /** Of a hold and of its renewal: how long after the time of the row it expires. */
  readonly lifeMs: number;
  /** Of a hold whose key has a cap: the id under which the cap counts it. */
  readonly counter: string;
  readonly keyId: string;
  readonly operation: string;
  /** Of a hold the ids of the request, of a grant its note. */
  readonly label: string;
}

/** An entry without the columns that only holds have. */
export const plainEntry = (kind: Entry['kind'], credits: number, held: number, id: string): Entry => {
  return { kind, credits, held, id, lifeMs: 0, counter: '', keyId: '', operation: '', label: '' };
};

/** The text of an entry: columns, of which those at the end are omitted where a kind does not have them. */
export function lineOf({ kind, credits, held, id, lifeMs, counter, keyId, operation, label }: Entry): string {
  const line = `${kind}\t${credits}\t${held}\t${id}`;
  if (kind === 'hold' || kind === 'grant') return `${line}\t${lifeMs}\t${counter}\t${keyId}\t${operation}\t${label}`;
  return kind === 'renew' ? `${line}\t${lifeMs}` : line;
}

export function readLine(line: string): Entry | null {
  const [kind, credits, held, id = '', lifeMs = '0', counter = '', keyId = '', operation = '', label = ''] = line.split('\t');
  const numbers = [Number(credits), Number(held), Number(lifeMs)] as const;
  if (!KINDS.includes(kind as Entry['kind']) || !numbers.every(Number.isSafeInteger)) return null;
  return { kind: kind as Entry['kind'], credits: numbers[0], held: numbers[1], id, lifeMs: numbers[2], counter, keyId, operation, label };
}

/** The entries of a row. A line that is none is left out; verifyLedger reports it. */
export const readLines = (lines: string): Entry[] => lines.split('\n').flatMap((line) => readLine(line) ?? []);

/** The hash of a row in the journal of an account: SHA-256, hex. `head` is the hash of the row before, '' for the first. */
export const rowHash = (accountId: string, seq: number, atMs: number, head: string, lines: string): string =>
  hash('sha256', `sightline-ledger-1\n${accountId}\n${seq}\n${atMs}\n${head}\n${lines}`, 'hex');

/** The account of a hold id `<account>.<number of its row in the journal>.<UUID>`, and the rest, which names it within the account. */
export function splitHoldId(holdId: string): readonly [accountId: string, id: string] {
  const dot = holdId.indexOf('.');
  return [holdId.slice(0, Math.max(0, dot)), holdId.slice(dot + 1)];
}

/** One line of plain text, at most 200 characters: it is part of the chain. */
export const plainLine = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .slice(0, 200)
        .toWellFormed();
const PLAIN = /^[ -~]{0,200}$/;

/** An operation on an account. In a batch: renewals, settlements (the first of a hold wins), then holds in order of arrival, as far as balance and caps go. */
export interface Op extends Pick<Entry, 'lifeMs' | 'keyId' | 'operation' | 'label'> {
  readonly kind: Exclude<Entry['kind'], 'grant'>;
  readonly accountId: string;
  /** Of a new hold its UUID, else `<number of the hold's row>.<UUID>`. */
  readonly id: string;
  /** Credits of a hold; credits that a capture charges at most. */
  readonly amount: number;
}
export const settlement = (kind: Op['kind'], accountId: string, id: string, amount = 0, lifeMs = 0): Op => {
  return { kind, accountId, id, amount, lifeMs, keyId: '', operation: '', label: '' };
};

/** `short`, `capDay`, `capMonth`: balance or a cap of the key does not cover it; `over`: there is no open hold with this id. */
export type Code = 'done' | 'short' | 'capDay' | 'capMonth' | 'over' | 'noAccount';
export interface Outcome {
  readonly code: Code;
  /** Free balance after a hold, or the credits captured; of a refused hold what the balance or the cap leaves. */
  readonly amount: number;
  /** Of a hold that a cap refuses: the cap, and the credits spent of it. */
  readonly cap?: { readonly credits: number; readonly spent: number };
}

export interface OpenHold {
  readonly amount: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Id under which caps count it, '' if none does. */
  readonly counter: string;
}
export interface AccountState extends Readonly<Omit<BalanceRow, 'account_id'>> {
  /** By `<number of the hold's row>.<UUID>`. Changed only by `fold`. */
  readonly open: Map<string, OpenHold>;
  /** Credits spent of caps by `<counter> <period>`, as far as they were read. */
  readonly spent: Map<string, number>;
}
export interface Caps {
  readonly counter: string;
  readonly day: number | null;
  readonly month: number | null;
}

export interface Settled extends Pick<AccountState, 'balance' | 'held'> {
  /** By index of the operations. */
  readonly outcomes: readonly Outcome[];
  readonly entries: readonly Entry[];
  /** Changed sums by `<counter> <period>`. */
  readonly spent: ReadonlyMap<string, number>;
}

const PHASE = { renew: 0, capture: 1, release: 1, expire: 1, hold: 2 } as const;

/** The keys of `spent` for the day and the month of a time. */
export function spentKeys(counter: string, atMs: number): readonly [day: string, month: string] {
  const day = dayOf(atMs);
  return [`${counter} ${day}`, `${counter} ${day.slice(0, 7)}`];
}

/** What the operations do to an account, without changing `state`. Its `spent` must hold all sums that the operations touch. */
export function settleAccount(state: AccountState, ops: readonly Op[], atMs: number, capsOf: (keyId: string) => Caps | null): Settled {
  let { balance, held } = state;
  const outcomes: Outcome[] = new Array(ops.length);
  const entries: Entry[] = [];
  const over = new Set<string>();
  const renewed = new Map<string, number>();
  const spent = new Map<string, number>();
  const spentOf = (key: string): number => spent.get(key) ?? state.spent.get(key) ?? 0;

  function hold({ id, amount, lifeMs, keyId, operation, label }: Op): Outcome {
    if (amount > balance) return { code: 'short', amount: balance };
    const caps = capsOf(keyId);
    if (caps) {
      const keys = spentKeys(caps.counter, atMs);
      const refused =
        refusalOf('capDay', caps.day, spentOf(keys[0]), amount) ?? refusalOf('capMonth', caps.month, spentOf(keys[1]), amount);
      if (refused) return refused;
      for (const key of keys) spent.set(key, spentOf(key) + amount);
    }
    balance -= amount;
    held += amount;
    entries.push({ kind: 'hold', credits: 0, held: amount, id, lifeMs, counter: caps?.counter ?? '', keyId, operation, label });
    return { code: 'done', amount: balance };
  }

  function settle({ kind, id, amount }: Op): Outcome {
    const open = over.has(id) ? undefined : state.open.get(id);
    if (!open || (kind === 'expire' && (renewed.get(id) ?? open.expiresAt) > atMs)) return { code: 'over', amount: 0 };
    const captured = kind === 'capture' ? Math.min(amount, open.amount) : 0;
    over.add(id);
    balance += open.amount - captured;
    held -= open.amount;
    if (open.counter && captured < open.amount)
      for (const key of spentKeys(open.counter, open.createdAt)) spent.set(key, Math.max(0, spentOf(key) - (open.amount - captured)));
    entries.push(plainEntry(kind, captured && -captured, -open.amount, id));
    return { code: 'done', amount: captured };
  }

  function renew({ id, lifeMs }: Op): Outcome {
    const open = state.open.get(id);
    if (!open) return { code: 'over', amount: 0 };
    renewed.set(id, Math.max(renewed.get(id) ?? open.expiresAt, atMs + lifeMs));
    entries.push({ ...plainEntry('renew', 0, 0, id), lifeMs });
    return { code: 'done', amount: 0 };
  }

  for (let phase = 0; phase <= 2; phase++)
    ops.forEach((op, i) => {
      if (PHASE[op.kind] === phase) outcomes[i] = op.kind === 'hold' ? hold(op) : op.kind === 'renew' ? renew(op) : settle(op);
    });
  return { outcomes, entries, balance, held, spent };
}

export function touchedSums(state: AccountState, ops: readonly Op[], atMs: number, capsOf: (keyId: string) => Caps | null): string[] {
  const sums: string[] = [];
  for (const { kind, id, keyId } of ops) {
    const open = kind === 'hold' ? undefined : state.open.get(id);
    const counter = kind === 'hold' ? capsOf(keyId)?.counter : open?.counter;
    if (counter) sums.push(...spentKeys(counter, open?.createdAt ?? atMs));
  }
  return sums;
}

function refusalOf(code: 'capDay' | 'capMonth', credits: number | null, spent: number, amount: number): Outcome | null {
  if (credits === null || amount <= credits - spent) return null;
  return { code, amount: Math.max(0, credits - spent), cap: { credits, spent } };
}

/** Applies the entries of a row to the open holds. What follows on a hold that is not there changes nothing. */
export function applyEntries(open: Map<string, OpenHold>, seq: number, atMs: number, entries: readonly Entry[]): void {
  for (const { kind, id, held, lifeMs, counter } of entries) {
    if (kind === 'hold') open.set(`${seq}.${id}`, { amount: held, createdAt: atMs, expiresAt: atMs + lifeMs, counter });
    else if (kind === 'renew') {
      const renewed = open.get(id);
      if (renewed) open.set(id, { ...renewed, expiresAt: Math.max(renewed.expiresAt, atMs + lifeMs) });
    } else if (kind !== 'grant') open.delete(id);
  }
}
