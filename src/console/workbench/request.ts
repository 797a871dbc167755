import { computed, signal } from '@preact/signals';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { OperationView, ParameterView } from '../../contract/contract-view.ts';
import type { Understood } from '../../contract/parameters/pasted.ts';
import { operationOf } from '../app/operations.ts';
import { match, place, setQuery } from '../app/place.ts';
import { ApiError, api, filled, withQuery } from '../app/session.ts';
import { plural } from '../parts/format.ts';
import { wordsOf } from '../parts/page.tsx';

/** Values of a form, by the name of the parameter or header; empty texts are not sent. */
export type Values = Readonly<Record<string, string>>;

export function pathOf({ path, parameters }: OperationView, values: Values): string {
  const query = Object.fromEntries(parameters.filter((p) => p.in === 'query').map((p) => [p.name, values[p.name]]));
  return withQuery(filled(path, values), query);
}

export const statedOf = ({ parameters }: OperationView, values: Values): (readonly [ParameterView, string])[] =>
  parameters.map((p) => [p, values[p.name] ?? ''] as const).filter(([, value]) => value !== '');

export const givenOf = (operation: OperationView, values: Values): Values =>
  Object.fromEntries(statedOf(operation, values).flatMap(([p, value]) => (value === String(p.default ?? '') ? [] : [[p.name, value]])));

export const requestKey = (operation: OperationView, values: Values): string =>
  `${operation.id}?${new URLSearchParams(givenOf(operation, values))}`;

export const examplesOf = (operation: OperationView): Values =>
  Object.fromEntries(operation.parameters.filter((p) => p.required).map((p) => [p.name, String(p.example)]));

/** An answer that expired will do: the service keeps none for longer than a week. */
export const ANY_STALE = 'max-stale=604800';
type Age = readonly [value: string, words: string, directive: string];
const ANY_AGE: Age = ['', 'Any age that is still fresh', ''];
/** How old an answer may be, as the address says it in `_age`, with the directive of `Cache-Control`. */
const AGES: readonly Age[] = [
  ANY_AGE,
  ['600', 'At most 10 minutes old', 'max-age=600'],
  ['new', 'A new answer', 'no-cache'],
  ['kept', 'Only what is kept', 'only-if-cached'],
  ['old', 'Only what is kept, however old', `only-if-cached, ${ANY_STALE}`],
];
/** Ages to choose from, and the one that an address asks for: one of AGES, or other seconds. */
export function ages(query: URLSearchParams): { readonly all: readonly Age[]; readonly chosen: Age } {
  const age = query.get('_age') ?? '';
  const other: Age = /^\d+$/.test(age) ? [age, `At most ${age} seconds old`, `max-age=${age}`] : ANY_AGE;
  const chosen = AGES.find(([value]) => value === age) ?? other;
  return { all: [...new Set([...AGES, chosen])], chosen };
}
/** `_stale`: seconds for which a cached answer serves where sources fail. */
export const STALE_SECONDS = '86400';

export interface Form {
  readonly operation: OperationView;
  readonly values: Values;
  /** Request headers: freshness, and the most that it may cost. */
  readonly headers: Values;
}

/** The form of the Workbench as the address has it; null on other pages. */
export const form = computed<Form | null>(() => {
  const { path, query } = place.value;
  const operation = operationOf(match('/console/w/:operation', path)?.operation ?? '');
  if (!operation) return null;
  const values = Object.fromEntries(operation.parameters.map(({ name }) => [name, query.get(name) ?? '']).filter(([, value]) => value));
  const stale = query.get('_stale') ?? '';
  const freshness = [ages(query).chosen[2], /^\d+$/.test(stale) && `stale-if-error=${stale}`].filter(Boolean).join(', ');
  const most = query.get('_max');
  return { operation, values, headers: { ...(freshness && { 'Cache-Control': freshness }), ...(most && { 'X-Max-Credits': most }) } };
});

/** What was read from an address that was pasted; it is said until the field changes. */
export const understood = signal<Understood | null>(null);

let latest = 0;

/** Changes a parameter. An address in place of a value is read by the service. */
export async function setValue(name: string, value: string): Promise<void> {
  understood.value = null;
  setQuery({ [name]: value });
  const turn = ++latest;
  const operation = form.value?.operation;
  if (!operation?.parameters.some((p) => p.name === name && p.pasted) || !/\/|^www\./i.test(value.trim())) return;
  try {
    const query = { operation: operation.id, [name]: value };
    const [read] = (await api<{ readonly understood: readonly Understood[] }>('/console/api/pasted', { query })).understood;
    if (turn !== latest || !read) return;
    setQuery({ [name]: read.value });
    understood.value = read;
  } catch {
    // the price answers for the same text say what is wrong with it
  }
}

export interface Quote {
  /** Null: not known. */
  readonly price: AccountPrice | null;
  /** Why the form would be refused, in the service's own words; `field` is the parameter that they name. */
  readonly wrong: string | null;
  readonly field: string | null;
}

const UNKNOWN: Quote = { price: null, wrong: null, field: null };
const RETRY_MS = 3_000;
const TIMEOUT_MS = 10_000;

/** Price quotes by request URL, so that each is asked for once. */
const quotes = signal<ReadonlyMap<string, Quote>>(new Map());

export const creditsText = (credits: number): string => (credits === 0 ? 'free' : plural(credits, 'credit'));

export const quoteOf = (operation: OperationView, values: Values): Quote => quotes.value.get(requestKey(operation, values)) ?? UNKNOWN;

/** The price of a lookup in words: the one that was quoted, else what the contract says of the least. */
export function priceOf(id: string, values: Values): string {
  const operation = operationOf(id);
  const price = operation && quoteOf(operation, values).price;
  return price ? creditsText(price.charge) : (/^\d+ credits?/.exec(operation?.price ?? '')?.[0] ?? '');
}

const setQuote = (key: string, quote: Partial<Quote>): void => {
  quotes.value = new Map(quotes.value).set(key, { ...UNKNOWN, ...quote });
};

/** The service refused the form with 400: its words stand beside the field that they name until the form changes. */
export const refuseForm = (operation: OperationView, values: Values, wrong: string): void =>
  setQuote(requestKey(operation, values), {
    wrong,
    field: operation.parameters.find((p) => wrong.startsWith(`Parameter ${p.name} `))?.name ?? null,
  });
export const isRefused = (operation: OperationView, values: Values): boolean => quoteOf(operation, values).wrong !== null;

/**
 * Asks for the price of a form, after `pauseMs`; a request that fails is sent again. A form without a required value is not
 * asked about. Returns a function that ends the asking.
 */
export function askPrice(operation: OperationView, values: Values, pauseMs: number): () => void {
  const key = requestKey(operation, values);
  const before = quotes.value.get(key);
  const until = before?.price?.freshUntil;
  const isOver = until && Date.parse(until) <= Date.now();
  if ((before && !isOver) || operation.parameters.some((p) => p.required && !values[p.name])) return () => {};
  const ended = new AbortController();
  const set = (quote: Partial<Quote>): void => setQuote(key, quote);
  const ask = async (): Promise<void> => {
    const query = { operation: operation.id, ...givenOf(operation, values) };
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const price = await api<AccountPrice>('/v1/account/price', { query, signal });
      // the lookup itself may have been refused meanwhile
      if (!isRefused(operation, values)) set({ price });
    } catch (error) {
      const wrong = wordsOf(error);
      const status = error instanceof ApiError ? error.status : 0;
      // 403: the session has no right to this operation
      if (status === 403) set({});
      else if (status === 400) refuseForm(operation, values, wrong);
      else if (!ended.signal.aborted) timer = setTimeout(ask, RETRY_MS);
    }
  };
  let timer = setTimeout(ask, pauseMs);
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}

/** After a run the answer may be cached: its price is asked for again. */
export function forgetPrice(operation: OperationView, values: Values): void {
  const key = requestKey(operation, values);
  quotes.value = new Map([...quotes.value].filter(([other]) => other !== key));
}
