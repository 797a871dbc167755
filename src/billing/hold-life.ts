/** How long a hold lives after the deadline of its lookup, and what follows from it. */
export interface HoldLife {
  /** Time to write the response. */
  readonly marginMs: number;
  /** A hold with less time left than this is renewed before the response is begun. */
  readonly renewBelowMs: number;
  /** A response that the client has not read after this time is charged without waiting for its last byte, well before the hold expires. */
  readonly captureAfterMs: number;
}

export const holdLifeOf = (marginMs: number): HoldLife => ({
  marginMs,
  renewBelowMs: (marginMs * 5) / 6,
  captureAfterMs: (marginMs * 2) / 3,
});

export const HOLD_LIFE: HoldLife = holdLifeOf(30_000);
