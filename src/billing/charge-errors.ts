import { retryAfter, ServiceError } from '../contract/errors.ts';

const credits = (n: number): string => (n === 1 ? '1 credit' : `${n} credits`);
/** 402: the price is above the limit of the request. */
export const aboveMaxCredits = (price: number, maxCredits: number): ServiceError =>
  new ServiceError(
    'INSUFFICIENT_CREDITS',
    `This answer costs ${credits(price)}, and X-Max-Credits allows ${maxCredits}: nothing was done. Allow ${price} or more.`,
  );
/** 429: too many uncharged lookups. */
export const tooManyUncharged = (waitMs: number): ServiceError =>
  new ServiceError(
    'RATE_LIMITED',
    'Too many lookups of this account went to a source and ended without a charge: answers from the cache are still there; ask again after the time that Retry-After says.',
    { 'retry-after': retryAfter(waitMs) },
  );
/** 503: the hold expired before the response was begun. */
export const expired = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'The credits held for this answer ran out before it could be sent; nothing was charged. Ask again.', {
    'retry-after': '1',
  });
