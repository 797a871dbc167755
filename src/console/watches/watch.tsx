import { useRef } from 'preact/hooks';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import { checksInMonth, EVERY, EVERY_MS, type Every, type Watch, type WatchChange } from '../../contract/account/watch-schemas.ts';
import { fieldOf, fieldText } from '../../contract/watched-field.ts';
import { operationName, watchAt } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { api, contract, session } from '../app/session.ts';
import { Act, type Asked } from '../parts/act.tsx';
import type { Pill, Tone } from '../parts/display.tsx';
import { capital, inWords, plural, words } from '../parts/format.ts';
import type { IconName } from '../parts/icons.tsx';
import type { Answer } from '../workbench/answer.ts';
import { givenOf, quoteOf } from '../workbench/request.ts';

type Check = NonNullable<Watch['lastCheck']>;
const ALL = '/v1/account/watches';
const MOST_WATCHES = 1000;
export const watchPath = (id: string, more = ''): string => `${ALL}/${encodeURIComponent(id)}${more}`;
export const readWatches = async (signal?: AbortSignal): Promise<readonly Watch[]> =>
  (await api<{ watches: readonly Watch[] }>(ALL, { query: { limit: MOST_WATCHES }, signal })).watches;

export const watchName = ({ name, parameters, operation }: Watch): string => name ?? (inWords(parameters) || operationName(operation));

/** `every 6 hours`. */
export const everyInWords = (every: Every): string =>
  every.replace(/^(\d+)(h|d)$/, (_, count: string, unit: string) => {
    const name = unit === 'h' ? 'hour' : 'day';
    return count === '1' ? `every ${name}` : `every ${count} ${name}s`;
  });

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    credits: 'the account has too few credits',
    budget: 'the budget of the month is used',
    overlap: 'another check was being made',
    paused: 'the watch was paused',
    resting: 'the source asked for a pause',
    limited: 'too many lookups of the account ended without a charge',
    key: 'the key that made the watch is revoked, expired, or may not use the operation',
    unconfirmed: 'a second check has to say the same',
  }),
);
/** Why a check ended as it did; null where there is nothing to say. */
export const reasonOf = ({ code }: Pick<Check, 'code'>): string | null =>
  code && (REASONS.get(code) ?? contract.value?.errors.find((error) => error.code === code)?.words ?? code);
export const checkInWords = (check: Pick<Check, 'outcome' | 'code'>): string => [check.outcome, reasonOf(check)].filter(Boolean).join(': ');

type State = Readonly<Parameters<typeof Pill>[0] & { text: string }>;
const state = (text: string, tone: Tone, icon: IconName): State => ({ text, tone, icon });
const SKIPPED: ReadonlyMap<string, State> = new Map(
  Object.entries({
    budget: state('Budget used', 'warn', 'coin'),
    credits: state('No credits', 'warn', 'coin'),
    key: state('Key ended', 'bad', 'key'),
    resting: state('Source rests', 'warn', 'clock'),
  }),
);
export function stateOf({ paused, state: found, lastCheck }: Watch): State {
  if (paused) return state('Paused', 'plain', 'pause');
  if (found === 'failing') return state('Failing', 'bad', 'close');
  const skipped = lastCheck?.outcome === 'skipped' && SKIPPED.get(lastCheck.code ?? '');
  if (skipped) return skipped;
  return found === 'ok' ? state('On', 'good', 'check') : state(found === 'gone' ? 'Gone' : 'Name is free', 'warn', 'info');
}

export const priceOf = ({ costPerMonth, every }: Watch): number => costPerMonth / checksInMonth(EVERY_MS[every]);

/** The fields of the form of a watch. `price`: credits of one check; null: not known. */
export function askedOf(price: number | null, given?: Watch): readonly Asked[] {
  const month = (every: Every): string => (price === null ? '' : `, ${plural(price * checksInMonth(EVERY_MS[every]), 'credit')} a month`);
  return [
    { id: 'every', name: 'Check', choices: EVERY.map((one) => [one, everyInWords(one) + month(one)]), value: given?.every ?? '1d' },
    {
      id: 'creditsPerMonth',
      name: 'Budget, credits a month',
      type: 'number',
      value: String(given?.creditsPerMonth ?? ''),
      about: 'Its checks never cost more in a calendar month (UTC). Empty: what they cost at most.',
    },
    {
      id: 'fields',
      name: 'Fields that count',
      value: given?.fields.map(fieldText).join(', ') ?? '',
      about: 'Empty: the usual ones. organic[example.com].rank:2 is the rank of a site, from a difference of two on.',
    },
    { id: 'webhook', name: 'Webhook', value: given?.webhook?.url ?? '', about: 'Optional: https address that is told of each change.' },
    { id: 'name', name: 'Name', value: given?.name ?? '', about: 'Optional.' },
  ];
}

/** What the form sets. A webhook is set only where it is another: setting it again makes a new secret. */
export function settingsIn(form: FormData, price: number, given?: Watch) {
  const text = (id: string): string => String(form.get(id) ?? '').trim();
  const every = text('every') as Every;
  const fields = text('fields').split(/,\s+/).filter(Boolean).map(fieldOf);
  const url = text('webhook');
  return {
    every,
    creditsPerMonth: text('creditsPerMonth') === '' ? price * checksInMonth(EVERY_MS[every]) : Number(text('creditsPerMonth')),
    fields: fields.length ? fields : null,
    name: text('name') || null,
    ...(url !== (given?.webhook?.url ?? '') && { webhook: url ? { url } : null }),
  };
}

/** `Organic rank`, also for `organic[example.com].rank`. */
export const fieldName = (field: string): string => capital(words(field.replace(/\[.*\]/, '').replaceAll('.', ' ')));
/** 1 is the top. */
export const isRank = (field: string): boolean => /rank$|position$/i.test(field);

type Named = Pick<WatchChange, 'kind' | 'field' | 'key'> & Partial<WatchChange>;
export function sentenceOf({ kind, field, key, before, after, daysLeft }: Named): string {
  const what = fieldName(field);
  const sentences: Readonly<Record<WatchChange['kind'], string>> = {
    added: key === null ? 'It is there again' : `New in ${what.toLowerCase()}`,
    removed: `No longer in ${what.toLowerCase()}`,
    changed: `${what} changed${key === null ? '' : `: ${key}`}`,
    moved: `Moved${Number(after) < Number(before) ? ' up' : Number(after) > Number(before) ? ' down' : ''}: ${key}`,
    gone: 'It is not there any more',
    free: 'The name is not registered any more',
    due: daysLeft ? `${what}: ${daysLeft === 1 ? 'one day' : `${daysLeft} days`} left` : `${what}: over, and still registered`,
    failing: 'Three checks in a row had no answer',
    recovered: 'Checks have answers again',
  };
  return sentences[kind];
}

/** A session that only reads creates no watch: the service refuses it. */
export const mayCreate = (): boolean => session.value?.kind !== 'account' || session.value.manages;
export const WatchThis = ({ shown }: { shown: Answer }) => mayCreate() && <NewWatch shown={shown} />;

function NewWatch({ shown: { operation, values } }: { shown: Answer }) {
  const made = useRef('');
  const price = quoteOf(operation, values).price?.price ?? null;
  return (
    <Act
      name="Watch this"
      title={`Watch: ${operationName(operation.id)}`}
      confirm="Create the watch"
      style="quiet"
      says="The lookup is made again at its times, and each difference is in the feed of changes. A check costs what the lookup costs."
      ask={askedOf(price)}
      run={async (form) => {
        const parameters = givenOf(operation, values);
        const query = { operation: operation.id, ...parameters };
        // the dialog may be sent before the price of the form has come
        const check = price ?? (await api<AccountPrice>('/v1/account/price', { query })).price;
        const body = { operation: operation.id, parameters, ...settingsIn(form, check) };
        const { watchId, webhook } = await api<Watch>(ALL, { method: 'POST', body });
        made.current = watchId;
        return webhook;
      }}
      done={() => go(watchAt(made.current))}
    />
  );
}
