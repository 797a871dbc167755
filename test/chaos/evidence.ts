/** What the suite saw of a run, as plain data: the checker knows nothing else. All times are epoch ms of the one machine's clock. */
export interface Evidence {
  readonly told: readonly Told[];
  readonly seen: readonly Seen[];
  readonly members: readonly Watched[];
  readonly redisGaps: readonly Gap[];
  readonly postgresGaps: readonly Gap[];
  readonly accounts: readonly Account[];
  readonly books: Books;
  /** When the suite itself ran late: what it noted then, it noted late. */
  readonly lags: readonly Gap[];
  /** The longest life of a hold that is not renewed, ms. */
  readonly holdMs: number;
}

/** When something could not act or be reached; `until` Infinity while it lasts. */
export interface Gap {
  readonly from: number;
  until: number;
}
export interface Outage extends Gap {
  /** Fallen: it ended by itself. */
  readonly kind: 'killed' | 'frozen' | 'ended' | 'fallen';
  /** Asked to end, and killed because it did not. */
  stuck?: boolean;
  /** Exit code or signal of one that fell. */
  reason?: string;
}
export interface Watched {
  readonly name: string;
  readonly outages: readonly Outage[];
}

export interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly granted: number;
}

/** One request from outside and what became of it. */
export interface Told {
  readonly id: string;
  readonly gateway: Watched;
  readonly account: Account;
  readonly path: string;
  readonly operation: 'serp' | 'registration';
  readonly from: number;
  /** First byte of the answer; Infinity where none came. */
  begun: number;
  /** Last byte of the answer, or when it broke off. */
  until: number;
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Why there is no whole answer. */
  error: string | null;
}

/** One request as the simulated platforms saw it. */
export interface Seen {
  readonly host: string;
  /** What was asked: the same for every attempt at the same question. */
  readonly question: string;
  /** Which process asked, where the protocol lets it say so. */
  readonly member: string;
  readonly from: number;
  until: number;
}

/** The ledger as the store holds it. */
export interface Books {
  readonly entries: readonly Entry[];
  readonly balances: readonly { readonly account: string; readonly balance: number; readonly held: number }[];
  /** Holds that are open. */
  readonly holds: readonly { readonly account: string; readonly amount: number }[];
}
export interface Entry {
  readonly account: string;
  readonly kind: 'grant' | 'hold' | 'capture' | 'release' | 'expire';
  readonly credits: number;
  readonly hold: string;
  /** The request id, on a hold. */
  readonly label: string;
  readonly at: number;
}

/** What a check found. */
export interface Findings {
  readonly violations: string[];
  readonly figures: Record<string, number>;
  count(what: string): void;
  most(what: string, value: number): void;
}
export function createFindings(): Findings {
  const figures: Record<string, number> = {};
  return {
    violations: [],
    figures,
    count(what) {
      figures[what] = (figures[what] ?? 0) + 1;
    },
    most(what, value) {
      figures[what] = Math.max(figures[what] ?? 0, value);
    },
  };
}

/** Whether two times share a moment; the first lasts `longerMs` longer than it says. */
export const meet = (a: Gap, b: Gap, longerMs = 0): boolean => a.from <= b.until && b.from <= a.until + longerMs;

/** How late the suite itself noted things in this time, at most. */
export const lagOf = (lags: readonly Gap[], time: Gap): number =>
  lags.reduce((most, lag) => (meet(lag, time) ? Math.max(most, lag.until - lag.from) : most), 0);
