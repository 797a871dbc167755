import { allWatches } from '../../contract/account/all-watches.ts';
import { checksInMonth, EVERY_MS, type Every, STOPPED_BECAUSE } from '../../contract/account/constants.ts';
import type { Watch, Watches } from '../../contract/account/watch-schemas.ts';
import { operationName } from '../app/operations.ts';
import { api, contract } from '../app/session.ts';
import type { Pill, Tone } from '../parts/display.tsx';
import { inWords } from '../parts/format.ts';
import type { IconName } from '../parts/icons.tsx';

type Check = NonNullable<Watch['lastCheck']>;
export const ALL = '/v1/account/watches';
export const watchPath = (id: string, more = ''): string => `${ALL}/${encodeURIComponent(id)}${more}`;
/** All of the account: a page has 1,000. */
export const readAccountWatches = (signal?: AbortSignal): Promise<Watches> => allWatches((query) => api<Watches>(ALL, { query, signal }));
export const readWatches = async (signal?: AbortSignal): Promise<readonly Watch[]> => (await readAccountWatches(signal)).watches;

export const watchName = ({ name, parameters, operation }: Watch): string => name ?? (inWords(parameters) || operationName(operation));

/** `every 6 hours`. */
export const everyInWords = (every: Every): string =>
  every.replace(/^(\d+)(h|d)$/, (_, count: string, unit: string) => {
    const name = unit === 'h' ? 'hour' : 'day';
    return count === '1' ? `every ${name}` : `every ${count} ${name}s`;
  });

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...STOPPED_BECAUSE,
    overlap: 'another check was being made',
    paused: 'the watch was paused',
    resting: 'the source asked for a pause',
    limited: 'too many lookups of the account ended without a charge',
    unconfirmed: 'a second check has to say the same',
  }),
);
/** Why a check ended as it did; null where there is nothing to say. */
export const reasonOf = ({ code }: Pick<Check, 'code'>): string | null =>
  code && (REASONS.get(code) ?? contract.value?.errors.find((error) => error.code === code)?.words ?? code);
export const checkInWords = (check: Pick<Check, 'outcome' | 'code'>): string => [check.outcome, reasonOf(check)].filter(Boolean).join(': ');

type WatchState = Readonly<Parameters<typeof Pill>[0] & { text: string }>;
const state = (text: string, tone: Tone, icon: IconName): WatchState => ({ text, tone, icon });
const SKIPPED: ReadonlyMap<string, WatchState> = new Map(
  Object.entries({
    budget: state('Budget used', 'warn', 'coin'),
    credits: state('No credits', 'warn', 'coin'),
    key: state('Key ended', 'bad', 'key'),
    resting: state('Source rests', 'warn', 'clock'),
  }),
);
export function watchState({ paused, state: found, lastCheck }: Watch): WatchState {
  if (paused) return state('Paused', 'plain', 'pause');
  if (found === 'failing') return state('Failing', 'bad', 'close');
  const skipped = lastCheck?.outcome === 'skipped' && SKIPPED.get(lastCheck.code ?? '');
  if (skipped) return skipped;
  return found === 'ok' ? state('On', 'good', 'check') : state(found === 'gone' ? 'Gone' : 'Name is free', 'warn', 'info');
}

export const priceOf = ({ costPerMonth, every, due }: Watch): number => costPerMonth / checksInMonth(EVERY_MS[every], due.length);
