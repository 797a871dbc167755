/** Record of a run as plain data, the only input of the checker. All times are epoch ms of one machine's clock. */
export interface Evidence {
  readonly told: readonly Told[];
  readonly seen: readonly Seen[];
  readonly members: readonly Watched[];
  readonly redisGaps: readonly Gap[];
  readonly postgresGaps: readonly Gap[];
  readonly accounts: readonly Account[];
  readonly ledgerRows: LedgerRows;
  /** Intervals in which the suite itself ran late: times recorded in them may be late. */
  readonly stalls: readonly Gap[];
  /** Longest lifetime of a hold that is not renewed, ms. */
  readonly holdMs: number;
}

/** Interval in which a process or server was unavailable; `until` is Infinity while it lasts. */
export interface Gap {
  readonly from: number;
  until: number;
}
export interface Outage extends Gap {
  /** `fallen`: exited without being asked to. */
  readonly kind: 'killed' | 'frozen' | 'ended' | 'fallen';
  /** Killed because it did not exit after SIGTERM. */
  stuck?: boolean;
  /** Exit code or signal of a `fallen` process. */
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

/** One client request and its result. */
export interface Told {
  readonly id: string;
  readonly gateway: Watched;
  readonly account: Account;
  readonly path: string;
  readonly operation: 'serp' | 'registration';
  readonly from: number;
  /** Time of the first byte of the answer; Infinity if there was none. */
  begun: number;
  /** Time of the last byte of the answer, or of the disconnect. */
  until: number;
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Why the answer is incomplete or missing. */
  error: string | null;
}

/** One request as received by the simulated platforms. */
export interface Seen {
  readonly host: string;
  /** Key of the lookup: the same for every attempt. */
  readonly lookup: string;
  /** Name of the process that sent it, where the protocol carries it. */
  readonly member: string;
  readonly from: number;
  until: number;
}

/** Rows of the ledger. */
export interface LedgerRows {
  readonly entries: readonly Entry[];
  readonly balances: readonly { readonly account: string; readonly balance: number; readonly held: number }[];
  /** Open holds. */
  readonly holds: readonly { readonly account: string; readonly amount: number }[];
}
export interface Entry {
  readonly account: string;
  readonly kind: 'grant' | 'hold' | 'capture' | 'release' | 'expire';
  readonly credits: number;
  readonly hold: string;
  /** Request id, on a hold. */
  readonly label: string;
  readonly at: number;
}

/** Result of a check. */
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

/** Whether two intervals overlap; the first is extended by `longerMs`. */
export const meet = (a: Gap, b: Gap, longerMs = 0): boolean => a.from <= b.until && b.from <= a.until + longerMs;

/** Maximum lateness of the suite's own records in this interval. */
export const lagOf = (stalls: readonly Gap[], time: Gap): number =>
  stalls.reduce((most, lag) => (meet(lag, time) ? Math.max(most, lag.until - lag.from) : most), 0);
