/** A hold outlives its lookup by this: time to write the answer. Tests make it short; read here and nowhere else. */
export const HOLD_MARGIN_MS = Number(process.env.SIGHTLINE_TEST_HOLD_MARGIN_MS ?? 30_000);
/** With less left than this the answer is not begun without a renewal. */
export const NEARLY_OVER_MS = (HOLD_MARGIN_MS * 5) / 6;
/** Who has not read the answer after this is charged without further waiting: well before the hold ends. */
export const PATIENCE_MS = (HOLD_MARGIN_MS * 2) / 3;
