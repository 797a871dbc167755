import { signal } from '@preact/signals';
import type { OperationView } from '../../contract/contract-view.ts';
import { ApiError, send } from '../app/api.ts';
import { credits } from '../app/session.ts';
import { wordsOf } from '../parts/load.tsx';
import { parseInSlices } from './parse-in-slices.ts';
import { pathOf, type Values } from './request.ts';

export interface Answer {
  readonly operation: OperationView;
  readonly values: Values;
  /** Optional request headers that were sent. */
  readonly headers: Values;
  readonly at: Date;
  /** 0: there was no answer. */
  readonly status: number;
  /** By name, lower case. */
  readonly received: ReadonlyMap<string, string>;
  /** The body as it came. */
  readonly text: string;
  readonly body: unknown;
  /** From the click to the last byte, as measured here. */
  readonly ms: number;
}

/** The answer that is shown; null before the first request. */
export const answer = signal<Answer | null>(null);
export const running = signal(false);
/** Answers of this page, newest first. They are held in memory alone. */
export const history = signal<readonly Answer[]>([]);

const MAX_HISTORY = 30;
/** Larger bodies are not held for the history: only the newest answer has its body. */
const MAX_HISTORY_CHARACTERS = 500_000;

let controller: AbortController | null = null;

/** Sends a lookup and shows its answer; a request that still runs is aborted. */
export async function run(operation: OperationView, values: Values, headers: Values): Promise<void> {
  controller?.abort();
  const own = new AbortController();
  controller = own;
  running.value = true;
  const begun = performance.now();
  const asked = { operation, values, headers, at: new Date() };
  try {
    const response = await send(pathOf(operation, values), { headers, signal: own.signal });
    const text = await response.text();
    const ms = performance.now() - begun;
    const left = response.headers.get('x-credits-remaining');
    if (left !== null) credits.value = Number(left);
    const body = text === '' ? null : await parseInSlices(text);
    if (own.signal.aborted) return;
    show({ ...asked, status: response.status, received: new Map(response.headers), text, body, ms });
  } catch (error) {
    if (own.signal.aborted) return;
    const failure = error instanceof ApiError ? error : new ApiError('UNREADABLE', 0, `The answer could not be read: ${wordsOf(error)}`);
    const body = { error: { code: failure.code, message: failure.message } };
    const ms = performance.now() - begun;
    show({ ...asked, status: failure.status, received: new Map(), text: JSON.stringify(body), body, ms });
  } finally {
    if (controller === own) running.value = false;
  }
}

export function stop(): void {
  controller?.abort();
  running.value = false;
}

function show(shown: Answer): void {
  answer.value = shown;
  const held = shown.text.length > MAX_HISTORY_CHARACTERS ? { ...shown, text: '', body: null } : shown;
  history.value = [held, ...history.value].slice(0, MAX_HISTORY);
}

/** The code of an error answer. */
export function codeOf({ status, body }: Answer): string | null {
  if (status >= 200 && status < 400) return null;
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : 'UNEXPECTED';
}
/** The message of an error answer. */
export function messageOf({ status, body }: Answer): string {
  const { error } = (body ?? {}) as { error?: { message?: unknown } };
  return typeof error?.message === 'string' ? error.message : `The service answered ${status} without a message.`;
}
