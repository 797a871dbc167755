/** Values of the account's schemas that pages and commands need without the schemas, which are large. */
import { CHANGE_KINDS } from '../compare.ts';

export const EVERY_MS = { '1h': 3_600_000, '6h': 21_600_000, '12h': 43_200_000, '1d': 86_400_000, '7d': 604_800_000 } as const;
export type Every = keyof typeof EVERY_MS;
export const EVERY = Object.keys(EVERY_MS) as readonly Every[];
/**
 * Checks of a month of 31 days at most. `thresholds`: of its due dates; where checks lie more than a day apart, each of them first reads the date
 * anew. A check that failed is free, so that closer ones need no room for it.
 */
export const checksInMonth = (everyMs: number, thresholds = 0): number =>
  Math.ceil((31 * EVERY_MS['1d']) / everyMs) + (everyMs > EVERY_MS['1d'] ? thresholds : 0);

export const SKIP_REASONS = ['credits', 'budget', 'overlap', 'paused', 'resting', 'limited', 'key'] as const;
/** Reasons for which a watch does not check until somebody helps it. */
export const STOP_REASONS = ['key', 'credits', 'budget'] as const satisfies readonly (typeof SKIP_REASONS)[number][];
/** Why a watch does not check, for people. */
export const STOPPED_BECAUSE: Readonly<Record<(typeof STOP_REASONS)[number], string>> = {
  key: 'the key that made the watch is revoked, expired, or may not use the operation',
  credits: 'the account has too few credits',
  budget: 'the budget of the month is used',
};
/** `gone`, `free`: the thing is not there any more, the name is not registered any more; `due`: a date is near; `failing`, `recovered` are notices. */
export const FEED_KINDS = [...CHANGE_KINDS, 'gone', 'free', 'due', 'failing', 'recovered'] as const;

export const NOTIFY_FORMS = ['slack', 'discord', 'teams', 'ntfy', 'text', 'email'] as const;
export const DIGESTS = ['1d'] as const;
export const MOST_TARGETS = 5;

export const MOST_RIVALS = 5;
