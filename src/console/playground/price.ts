import { signal } from '@preact/signals';
import type { Account, AccountPrice } from '../../contract/account/schemas.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { ApiError, errorOf, send } from '../app/api.ts';
import { credits } from '../app/session.ts';
import { wordsOf } from '../parts/load.tsx';
import { givenOf, type Values } from './request.ts';

/** What the service says of the form before it is sent. */
export type Quote =
  | { readonly state: 'asking' }
  | { readonly state: 'priced'; readonly quote: AccountPrice }
  /** `words` are the service's own; `field` is the parameter that they name. */
  | { readonly state: 'wrong'; readonly words: string; readonly field: string | null };

export const quote = signal<Quote>({ state: 'asking' });

const PAUSE_MS = 250;
let timer: ReturnType<typeof setTimeout> | undefined;
let controller: AbortController | null = null;

/** Asks for the price of a form, a moment after its last change. Required parameters that are still empty are named without a request. */
export function askPrice(operation: OperationView, values: Values): void {
  clearTimeout(timer);
  controller?.abort();
  const empty = operation.parameters.find((p) => p.required && !values[p.name]);
  if (empty) {
    quote.value = { state: 'wrong', words: `${empty.name} is needed. ${empty.description}`, field: empty.name };
    return;
  }
  const own = new AbortController();
  controller = own;
  timer = setTimeout(() => void ask(operation, values, own.signal), PAUSE_MS);
}

/** Credits of the account that are not held; null where the account cannot be read. */
async function freeCredits(signal: AbortSignal): Promise<number | null> {
  const response = await send('/v1/account', { signal });
  if (!response.ok) return null;
  const { balance, held } = ((await response.json()) as Account).credits;
  return balance - held;
}

async function ask(operation: OperationView, values: Values, signal: AbortSignal): Promise<void> {
  try {
    const response = await send('/v1/account/price', { query: { operation: operation.id, ...givenOf(operation, values) }, signal });
    const left = response.headers.get('x-credits-remaining');
    if (left !== null) credits.value = Number(left);
    // the header is left out where the service would have to read the balance for it
    else if (credits.value === null) credits.value = await freeCredits(signal);
    if (!response.ok) throw await errorOf(response);
    const price = (await response.json()) as AccountPrice;
    if (!signal.aborted) quote.value = { state: 'priced', quote: price };
  } catch (error) {
    if (signal.aborted) return;
    const words = wordsOf(error);
    const named =
      error instanceof ApiError && error.status === 400 ? operation.parameters.find((p) => words.startsWith(`Parameter ${p.name} `)) : null;
    quote.value = { state: 'wrong', words, field: named?.name ?? null };
  }
}
