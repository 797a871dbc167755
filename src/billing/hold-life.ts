/** Life of a hold after the deadline of its lookup: time to write the response. Tests shorten it. */
export const HOLD_MARGIN_MS = Number(process.env.SIGHTLINE_TEST_HOLD_MARGIN_MS ?? 30_000);
/** A hold with less time left than this is renewed before the response is begun. */
export const RENEW_BELOW_MS = (HOLD_MARGIN_MS * 5) / 6;
/** A response that the client has not read after this time is charged without waiting for its last byte, well before the hold expires. */
export const CAPTURE_AFTER_MS = (HOLD_MARGIN_MS * 2) / 3;
