import { signal } from '@preact/signals';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { ApiError, api } from '../app/api.ts';
import { plural } from '../parts/format.ts';
import { wordsOf } from '../parts/load.tsx';
import { givenOf, requestKey, type Values } from './request.ts';

/** What the service says of a form before it is sent. */
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

/** Answers by request: each input is asked about once. */
const quotes = signal<ReadonlyMap<string, Quote>>(new Map());

export const creditsText = (credits: number): string => (credits === 0 ? 'free' : plural(credits, 'credit'));

export const quoteOf = (operation: OperationView, values: Values): Quote => quotes.value.get(requestKey(operation, values)) ?? UNKNOWN;

/**
 * Asks for the price of a form, after `pauseMs`; a question that fails is asked again. A form without a required value is not
 * asked about. Returns a function that ends the asking.
 */
export function askPrice(operation: OperationView, values: Values, pauseMs: number): () => void {
  const key = requestKey(operation, values);
  const before = quotes.value.get(key);
  const until = before?.price?.freshUntil;
  const isOver = until && Date.parse(until) <= Date.now();
  const ended = new AbortController();
  if ((before && !isOver) || operation.parameters.some((p) => p.required && !values[p.name])) return () => {};
  const question = async (): Promise<void> => {
    const quote = await ask(operation, values, AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]));
    if (quote) quotes.value = new Map(quotes.value).set(key, quote);
    else if (!ended.signal.aborted) timer = setTimeout(question, RETRY_MS);
  };
  let timer = setTimeout(question, pauseMs);
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}

/** After a run the same request may be kept: its price is asked for again. */
export function forgetPrice(operation: OperationView, values: Values): void {
  const key = requestKey(operation, values);
  quotes.value = new Map([...quotes.value].filter(([other]) => other !== key));
}

/** Null: the question failed, and may succeed later. */
async function ask(operation: OperationView, values: Values, signal: AbortSignal): Promise<Quote | null> {
  try {
    const query = { operation: operation.id, ...givenOf(operation, values) };
    return { ...UNKNOWN, price: await api('/v1/account/price', { query, signal }) };
  } catch (error) {
    const words = wordsOf(error);
    // the session has no right to this operation
    if (error instanceof ApiError && error.status === 403) return UNKNOWN;
    if (!(error instanceof ApiError) || error.status !== 400) return null;
    const field = operation.parameters.find((p) => words.startsWith(`Parameter ${p.name} `))?.name ?? null;
    return { price: null, wrong: words, field };
  }
}
