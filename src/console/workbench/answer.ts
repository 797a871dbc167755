import { batch, computed, signal } from '@preact/signals';
import type { OperationView } from '../../contract/contract-view.ts';
import { addressOf, go, place, setQuery } from '../app/place.ts';
import { ApiError, credits, errorIn, send } from '../app/session.ts';
import { wordsOf } from '../parts/page.tsx';
import { parseInSlices } from './parse-in-slices.ts';
import { type Form, forgetPrice, form, isRefused, pathOf, refuseForm, requestKey } from './request.ts';

export interface Answer extends Form {
  readonly at: Date;
  /** 0: there was no answer. */
  readonly status: number;
  readonly received: ReadonlyMap<string, string>;
  readonly text: string;
  readonly body: unknown;
  /** Null where the status is none of an error. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** From the click to the last byte, as measured here. */
  readonly ms: number;
  readonly address: string;
}

export interface Running {
  readonly operation: OperationView;
  /** Milliseconds since 1970. */
  readonly begunMs: number;
  /** Credits that it costs at most; null: not known. */
  readonly price: number | null;
}

/** Answers of this page by their entry of the history, newest last. They are held in memory alone. */
const answers = signal<ReadonlyMap<string, Answer>>(new Map());
export const answer = computed(() => {
  const shown = answers.value.get(place.value.entry) ?? null;
  return shown && shown.operation === form.value?.operation ? shown : null;
});
export const history = computed(() => [...answers.value.values()].reverse());
export const running = signal<Running | null>(null);
/** Price that a cancelled lookup may still be charged; cleared by the next run. */
export const stopped = signal<Running | null>(null);

const MAX_HISTORY = 30;
const MAX_HISTORY_CHARACTERS = 500_000;

let controller: AbortController | null = null;

/** Sends the form of the address. The run is an entry of the history of its own where this one has an answer already. */
export async function run(price: number | null): Promise<void> {
  const asked = form.value;
  if (!asked) return;
  const before = answer.value;
  if (before) {
    const to = addressOf(place.value);
    // Back leads to that answer over its own form
    batch(() => {
      go(before.address, { replace: true });
      go(to);
    });
  }
  await ask(asked, price);
}

export function openPast(past: Answer): void {
  go(past.address);
  store(place.value.entry, past);
}

/** Shows the cached answer of the form, which is free; nothing is shown where none is cached any more. */
export async function reopen(): Promise<void> {
  const asked = form.value;
  if (!asked || running.value || answer.value) return;
  const freshness = [asked.headers['Cache-Control'], 'only-if-cached'].filter(Boolean).join(', ');
  await ask({ ...asked, headers: { 'Cache-Control': freshness } }, 0, true);
}

/** Sends a request and stores its answer. `quietly`: only a good answer is shown. */
async function ask(asked: Form, price: number | null, quietly = false): Promise<void> {
  const { operation, values, headers } = asked;
  controller?.abort();
  const own = new AbortController();
  controller = own;
  const begunMs = performance.now();
  const { entry } = place.value;
  stopped.value = null;
  running.value = { operation, begunMs: Date.now(), price };
  const sent = { ...asked, at: new Date(), address: addressOf(place.value) };
  const arrived = (status: number, received: ReadonlyMap<string, string>, text: string, body: unknown, ms: number): void => {
    if (own.signal.aborted || (quietly && status !== 200)) return;
    const error = status >= 200 && status < 400 ? null : errorIn(status, body);
    // it is said once, beside its field
    if (status === 400 && error) refuseForm(operation, values, error.message);
    else store(entry, { ...sent, status, received, text, body, error, ms });
  };
  try {
    const response = await send(pathOf(operation, values), { headers, signal: own.signal });
    const text = await response.text();
    const ms = performance.now() - begunMs;
    const left = response.headers.get('x-credits-remaining');
    if (left !== null) credits.value = Number(left);
    arrived(response.status, new Map(response.headers), text, text === '' ? null : await parseInSlices(text), ms);
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('UNREADABLE', 0, `The answer could not be read: ${wordsOf(error)}`);
    const body = { error: { code: failure.code, message: failure.message } };
    arrived(failure.status, new Map(), JSON.stringify(body), body, performance.now() - begunMs);
  } finally {
    if (controller === own) {
      running.value = null;
      if (!quietly && !isRefused(operation, values)) forgetPrice(operation, values);
    }
  }
}

/** Stops waiting. The service is not told: a source that answers is still charged. */
export function stop(): void {
  stopped.value = running.value;
  controller?.abort();
  running.value = null;
}

function store(entry: string, shown: Answer): void {
  const past = [...answers.value].filter(([other, { text }]) => other !== entry && text.length <= MAX_HISTORY_CHARACTERS);
  answers.value = new Map([...past.slice(1 - MAX_HISTORY), [entry, shown]]);
  // an error is seen, whichever tab was open
  if (entry === place.value.entry && shown.error) setQuery({ _tab: null });
}

const keyOf = ({ operation, values }: Form): string => requestKey(operation, values);

export const answerBefore = (shown: Answer): Answer | null =>
  history.value.find((past) => past.at < shown.at && past.status === 200 && keyOf(past) === keyOf(shown)) ?? null;

export const hasChanged = (shown: Answer): boolean => form.value !== null && keyOf(form.value) !== keyOf(shown);
