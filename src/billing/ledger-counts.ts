/** Counted since the start. */
export interface LedgerCounts {
  flushes: number;
  operations: number;
  held: number;
  refused: number;
  captured: number;
  released: number;
  expired: number;
  /** Captures and releases of a settled or expired hold. */
  late: number;
  /** Flushes that the store rejected. */
  failed: number;
}

export const noCounts = (): LedgerCounts => ({
  flushes: 0,
  operations: 0,
  held: 0,
  refused: 0,
  captured: 0,
  released: 0,
  expired: 0,
  late: 0,
  failed: 0,
});
