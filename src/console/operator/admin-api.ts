/** What the admin API answers, as the console shows it; instants are RFC 3339. */
export interface AccountSummary {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: string;
  /** Free credits. */
  readonly balance: number;
  readonly held: number;
  readonly suspendedAt: string | null;
}
export interface SourceState {
  readonly name: string;
  readonly area: string;
  readonly operations: readonly string[];
  readonly about: string;
  readonly sunset: { readonly date: string; readonly what: string; readonly instead: string; readonly reference: string } | null;
  /** What the platform's terms say against automated access. */
  readonly terms: string | null;
  readonly configured: boolean;
  /** Settings that keep it from being used. */
  readonly lacking: readonly string[];
  readonly breaker: string;
  readonly restingUntil: string | null;
  readonly last24h: {
    readonly attempts: number;
    readonly failures: Readonly<Record<string, number>>;
    /** 0 to 1; null without attempts. */
    readonly successShare: number | null;
    readonly medianMs: number | null;
  };
  readonly spending: {
    readonly requestsToday: number;
    readonly maxRequestsPerDay: number;
    readonly usdToday: number;
    readonly maxUsdPerDay: number;
  } | null;
  /** Fields whose share of answers with a value has fallen. */
  readonly drifting: readonly string[];
}
/** The last result of a lookup with facts that must hold. */
export interface CanaryResult {
  readonly name: string;
  readonly operation: string;
  readonly source: string | null;
  readonly at: string;
  readonly ok: boolean;
  /** What does not hold. */
  readonly why: string | null;
}
export interface Client {
  readonly clientId: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Null: all. */
  readonly scopes: readonly string[] | null;
}
export interface AuditEntry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
/** Null: this process is no part of a fleet. */
export type FleetState = { readonly up: boolean; readonly gateways: number; readonly workers: number } | null;
