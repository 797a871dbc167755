import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type BatchAnswer, CODE, type Code, entryLine, linkText, type Op } from '../batch.ts';

interface Balance {
  balance: number;
  held: number;
  seq: number;
  head: string;
}
interface Hold {
  key_id: string;
  amount: number;
  created_at: number;
  expires_at: number;
  capped: number;
}
interface Caps {
  /** Id under which its spending is counted. */
  counter: string;
  day: number | null;
  month: number | null;
}

const PHASE = { renew: 0, capture: 1, release: 1, expire: 1, grant: 2, hold: 3 } as const;

/** Runs a ledger batch on the embedded store, in the caller's transaction. The PostgreSQL function implements the same rules. */
export function createSettle(db: DatabaseSync): (ops: readonly Op[], now: number) => BatchAnswer {
  const sql = statements(db);

  function settle(ops: readonly Op[], now: number): BatchAnswer {
    const codes: Code[] = new Array(ops.length).fill(CODE.done);
    const amounts: number[] = new Array(ops.length).fill(0);
    const balances: [string, number, number][] = [];
    const caps = new Map<string, Caps | null>();
    for (const [accountId, places] of byAccount(ops)) {
      const balance = sql.balance.get(accountId) as Balance | undefined;
      if (!balance) {
        for (const place of places) codes[place] = CODE.noAccount;
        continue;
      }
      const lines: string[] = [];
      const seq = balance.seq + 1;
      const entry = (op: Op, credits: number, held: number) => {
        const [kind, , hold, , , keyId, operation, label] = op;
        sql.entry.run(accountId, seq, lines.length, kind, credits, held, hold, keyId, operation, label);
        lines.push(entryLine(kind, credits, held, hold, keyId, operation, label));
      };
      for (let phase = 0; phase <= 3; phase++)
        for (const place of places) {
          const op = ops[place] as Op;
          if (PHASE[op[0]] !== phase) continue;
          const [code, amount] = one(op, balance, now, caps, entry);
          codes[place] = code;
          amounts[place] = amount;
        }
      if (lines.length) {
        const link = hash('sha256', linkText(accountId, seq, now, balance.head, lines), 'hex');
        sql.link.run(accountId, seq, now, lines.length, link);
        sql.saveBalance.run(balance.balance, balance.held, seq, link, accountId);
      }
      balances.push([accountId, balance.balance, balance.held]);
    }
    return { at: now, codes, amounts, balances };
  }

  function one(
    op: Op,
    balance: Balance,
    now: number,
    caps: Map<string, Caps | null>,
    entry: (op: Op, credits: number, held: number) => void,
  ): [Code, number] {
    const [kind, accountId, id, amount, ttlMs, keyId] = op;
    if (kind === 'renew') return sql.renew.run(now + ttlMs, id, accountId).changes ? [CODE.done, 0] : [CODE.over, 0];
    if (kind === 'grant') {
      if (id && sql.granted.get(id, accountId)) return [CODE.done, balance.balance];
      if (balance.balance + amount < 0) return [CODE.short, balance.balance];
      balance.balance += amount;
      entry(op, amount, 0);
      return [CODE.done, balance.balance];
    }
    if (kind === 'hold') {
      if (amount > balance.balance) return [CODE.short, balance.balance];
      const cap = capsOf(keyId, caps);
      const refused = cap && spend(cap, amount, now);
      if (refused) return refused;
      balance.balance -= amount;
      balance.held += amount;
      sql.openHold.run(id, accountId, keyId, amount, now, now + ttlMs, cap ? 1 : 0);
      entry(op, 0, amount);
      return [CODE.done, balance.balance];
    }
    const hold = (kind === 'expire' ? sql.expireHold.get(id, accountId, now) : sql.closeHold.get(id, accountId)) as Hold | undefined;
    if (!hold) return [CODE.over, 0];
    const captured = kind === 'capture' ? Math.min(amount, hold.amount) : 0;
    balance.balance += hold.amount - captured;
    balance.held -= hold.amount;
    if (hold.capped && captured < hold.amount)
      sql.unspend.run(hold.amount - captured, hold.key_id, dayOf(hold.created_at), dayOf(hold.created_at).slice(0, 7));
    entry(op, -captured, -hold.amount);
    return [CODE.done, captured];
  }

  function capsOf(keyId: string, caps: Map<string, Caps | null>): Caps | null {
    let cap = caps.get(keyId);
    if (cap === undefined) {
      cap = (sql.caps.get(keyId) as Caps | undefined) ?? null;
      caps.set(keyId, cap);
    }
    return cap;
  }

  /** Adds the credits to the spent credits of the key's caps; returns the refusal if a cap does not cover them. */
  function spend(cap: Caps, amount: number, now: number): [Code, number] | null {
    const day = dayOf(now);
    const month = day.slice(0, 7);
    const spent = (period: string) => (sql.spent.get(cap.counter, period) as { credits: number } | undefined)?.credits ?? 0;
    if (cap.day !== null && spent(day) + amount > cap.day) return [CODE.capDay, Math.max(0, cap.day - spent(day))];
    if (cap.month !== null && spent(month) + amount > cap.month) return [CODE.capMonth, Math.max(0, cap.month - spent(month))];
    for (const period of [day, month]) sql.spend.run(cap.counter, period, amount);
    return null;
  }

  return settle;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function byAccount(ops: readonly Op[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let place = 0; place < ops.length; place++) {
    const accountId = (ops[place] as Op)[1];
    const known = places.get(accountId);
    if (known) known.push(place);
    else places.set(accountId, [place]);
  }
  return places;
}

function statements(db: DatabaseSync) {
  const prepare = (text: string): StatementSync => db.prepare(text);
  const hold = 'key_id, amount, created_at, expires_at, capped';
  return {
    balance: prepare('select balance, held, seq, head from balances where account_id = ?'),
    saveBalance: prepare('update balances set balance = ?, held = ?, seq = ?, head = ? where account_id = ?'),
    link: prepare('insert into links (account_id, seq, at, entries, hash) values (?, ?, ?, ?, ?)'),
    entry: prepare(
      'insert into entries (account_id, link, n, kind, credits, held, hold, key_id, operation, label) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    openHold: prepare('insert into holds (id, account_id, key_id, amount, created_at, expires_at, capped) values (?, ?, ?, ?, ?, ?, ?)'),
    closeHold: prepare(`delete from holds where id = ? and account_id = ? returning ${hold}`),
    expireHold: prepare(`delete from holds where id = ? and account_id = ? and expires_at <= ? returning ${hold}`),
    renew: prepare('update holds set expires_at = max(expires_at, ?) where id = ? and account_id = ?'),
    granted: prepare("select 1 from entries where hold = ? and account_id = ? and kind = 'grant'"),
    caps: prepare(
      'select coalesce(counted_as, id) as counter, cap_day as day, cap_month as month from keys where id = ? and (cap_day is not null or cap_month is not null)',
    ),
    spent: prepare('select credits from key_spend where key_id = ? and period = ?'),
    spend: prepare(
      'insert into key_spend (key_id, period, credits) values (?, ?, ?) on conflict (key_id, period) do update set credits = credits + excluded.credits',
    ),
    unspend: prepare(
      'update key_spend set credits = max(0, credits - ?) where key_id = (select coalesce(counted_as, id) from keys where id = ?) and period in (?, ?)',
    ),
  };
}
