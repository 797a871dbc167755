import { retryAfter, ServiceError } from './errors.ts';

/** The values of `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitFields {
  readonly fields: string;
  readonly policies: string;
}

/** A limit by its name: so many requests, all of which are allowed again after the seconds; null: so many at the same time. */
export interface Quota {
  readonly name: string;
  readonly quota: number;
  readonly seconds: number | null;
}

export const quotaPolicy = ({ name, quota, seconds }: Quota): string =>
  `"${name}";q=${quota};${seconds === null ? 'qu="concurrent-requests"' : `w=${Math.max(1, Math.ceil(seconds))}`}`;

/** The fields of a limit that is used up for so long. */
export const usedUp = (quota: Quota, waitMs: number): RateLimitFields => ({
  fields: `"${quota.name}";r=0;t=${retryAfter(waitMs)}`,
  policies: quotaPolicy(quota),
});

/** Every 429 of the service: it says how long to wait, and which limit it was. */
export const rateLimited = (message: string, waitMs: number, { fields, policies }: RateLimitFields): ServiceError =>
  new ServiceError('RATE_LIMITED', message, { 'retry-after': retryAfter(waitMs), ratelimit: fields, 'ratelimit-policy': policies });
