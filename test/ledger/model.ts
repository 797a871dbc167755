/** Reference model of the ledger: one object without a store. It models the order of the phases of a batch. */
export interface ModelHold {
  readonly account: number;
  readonly amount: number;
  expiresAt: number;
  readonly key: number | null;
  readonly at: number;
}
export interface ModelKey {
  readonly capDay: number | null;
  readonly capMonth: number | null;
  readonly spent: Map<string, number>;
}

export class LedgerModel {
  /** Ms by which the clock was advanced. */
  ahead = 0;
  readonly free: number[];
  readonly granted: number[];
  readonly charged: number[];
  readonly keys: readonly ModelKey[];
  /** Open holds by hold id. */
  readonly open = new Map<string, ModelHold>();
  /** Ids of settled and expired holds. */
  readonly over: string[] = [];
  readonly references = new Set<string>();
  constructor(accounts: number, keys: readonly ModelKey[]) {
    this.free = new Array(accounts).fill(0);
    this.granted = new Array(accounts).fill(0);
    this.charged = new Array(accounts).fill(0);
    this.keys = keys;
  }

  held(account: number): number {
    return [...this.open.values()].filter((h) => h.account === account).reduce((sum, h) => sum + h.amount, 0);
  }

  grant(account: number, credits: number, reference: string): boolean {
    if (reference && this.references.has(reference)) return true;
    if (this.freeOf(account) + credits < 0) return false;
    if (reference) this.references.add(reference);
    this.free[account] = this.freeOf(account) + credits;
    this.granted[account] = (this.granted[account] ?? 0) + credits;
    return true;
  }

  /** Whether a hold is admitted now; call `note` with its id afterwards. */
  admit(account: number, amount: number, key: number | null, now: number): boolean {
    if (amount > this.freeOf(account)) return false;
    const limits = key === null ? undefined : this.keys[key];
    if (limits) {
      const [day, month] = periods(now);
      if (limits.capDay !== null && (limits.spent.get(day) ?? 0) + amount > limits.capDay) return false;
      if (limits.capMonth !== null && (limits.spent.get(month) ?? 0) + amount > limits.capMonth) return false;
      for (const period of [day, month]) limits.spent.set(period, (limits.spent.get(period) ?? 0) + amount);
    }
    this.free[account] = this.freeOf(account) - amount;
    return true;
  }

  /** Settles a hold; false if it was settled or has expired. */
  settle(id: string, amount: number): boolean {
    const hold = this.open.get(id);
    if (!hold) return false;
    const charged = Math.min(amount, hold.amount);
    this.open.delete(id);
    this.over.push(id);
    this.free[hold.account] = this.freeOf(hold.account) + hold.amount - charged;
    this.charged[hold.account] = (this.charged[hold.account] ?? 0) + charged;
    const limits = hold.key === null ? undefined : this.keys[hold.key];
    if (limits) for (const period of periods(hold.at)) limits.spent.set(period, (limits.spent.get(period) ?? 0) - (hold.amount - charged));
    return true;
  }

  /** Expires holds; returns their number. */
  reap(now: number): number {
    const outlived = [...this.open].filter(([, hold]) => hold.expiresAt <= now);
    for (const [id] of outlived) this.settle(id, 0);
    return outlived.length;
  }

  freeOf(account: number): number {
    return this.free[account] ?? 0;
  }
}

const periods = (at: number): [string, string] => {
  const day = new Date(at).toISOString().slice(0, 10);
  return [day, day.slice(0, 7)];
};
