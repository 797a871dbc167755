/** How long a hold lives after the deadline of its lookup (the time to write the response), and what follows from it. */
export const holdLifeOf = (marginMs: number) => ({
  marginMs,
  /** A hold with less time left than this is renewed before the response starts. */
  renewBelowMs: (marginMs * 5) / 6,
  /** A response that the client has not read after this time is charged without waiting for its last byte, well before the hold expires. */
  captureAfterMs: (marginMs * 2) / 3,
});
export type HoldLife = ReturnType<typeof holdLifeOf>;

export const HOLD_LIFE = holdLifeOf(30_000);
