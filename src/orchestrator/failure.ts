import { retryAfter, ServiceError } from '../contract/errors.ts';
import { type Input, OPERATIONS, type Operation, type OperationId } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { closedText, missingSettings } from '../sources/availability.ts';
import { errorOf, MAX_WAIT_MS } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import type { ChainResult } from './chain.ts';

/** `closed`: the sentence on an interface that its platform has closed. */
export type Failed = Exclude<ChainResult['outcome'], { tag: 'found' | 'absent' }>;

const DEFAULT_WAIT_MS = 30_000;

const CODES = { ...errorOf, inconclusive: 'UPSTREAM_FAILED', away: 'UPSTREAM_FAILED', defect: 'INTERNAL_ERROR' } as const;

const ANOTHER = 'another source, if the operator configures one, may.';
/** Whether asking again may help, where no time and nothing more precise is known. It agrees with `retryable` of the error. */
const ADVICE: Readonly<Record<Failed['tag'], string>> = {
  blocked: `Asking again within minutes will not help; ${ANOTHER}`,
  unreachable: 'Asking again in a few minutes may help.',
  timeout: 'Asking again may help.',
  changed: 'Asking again will not help before the service is updated.',
  refused: 'Asking again will not help before the operator has looked at the log.',
  inconclusive: `Asking again will not help; ${ANOTHER}`,
  defect: 'Asking again may help; if it does not, the operator finds the cause in the log.',
  // these two always have a time
  limited: '',
  away: '',
};
const CAUSES = {
  foreign: 'Asking again within minutes will not help; the operator finds what answered in the log.',
  unexplained: `Asking again will not help; ${ANOTHER}`,
} as const;

/** Time until the next attempt can be made; null where none is known. A closed interface is asked again, but not by the same caller. */
function waitOf(failed: Failed): number | null {
  if (failed.closed) return MAX_WAIT_MS;
  if (failed.tag === 'limited') return failed.retryAfterMs ?? DEFAULT_WAIT_MS;
  return 'retryAfterMs' in failed ? (failed.retryAfterMs ?? null) : null;
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

/** The end of the message, from what happened: whether asking again helps, when, and who can do something about it. */
function adviceOf(failed: Failed, retryable: boolean, waitSeconds: number | null): string {
  const isAccount = failed.tag === 'refused' && failed.account === true;
  if (waitSeconds !== null) {
    const time = inWords(waitSeconds);
    if (retryable) return `Ask again in ${time}.`;
    return `Asking again will not help in the next ${time}${isAccount && !failed.closed ? ', unless the operator raises the limit or renews the credentials there' : ''}.`;
  }
  if (isAccount) return "Asking again will not help before the operator has renewed this service's credentials or credits there.";
  if ((failed.tag === 'blocked' && failed.final) || (failed.tag === 'refused' && failed.input)) return 'Asking again will not help.';
  if (failed.tag === 'changed' && failed.advice) return failed.advice;
  return failed.tag === 'changed' && failed.cause ? CAUSES[failed.cause] : ADVICE[failed.tag];
}

/** The error for a lookup that no source answered: code, `Retry-After`, and a message that names cause, source and the next attempt. */
export function failureOf(failed: Failed, input: Readonly<Record<string, unknown>> = {}): ServiceError {
  if (failed.tag === 'refused' && failed.notServed)
    return new ServiceError('NOT_IMPLEMENTED', `${failed.what} ${notAnswered(input)} ${CURE}`);
  const name = CODES[failed.tag];
  const waitMs = waitOf(failed);
  const headers: Readonly<Record<string, string>> = waitMs === null ? {} : { 'retry-after': retryAfter(Math.min(waitMs, MAX_WAIT_MS)) };
  const { retryable } = new ServiceError(name, '', headers);
  const source = failed.source === '' ? '' : ` (Source: ${failed.source}.)`;
  const advice = adviceOf(failed, retryable, waitMs === null ? null : Number(headers['retry-after']));
  return new ServiceError(name, `${failed.what}${failed.closed ?? ''}${source} ${advice}`, headers);
}

/** Parameters that decide which sources serve an input. */
const DECISIVE = ['engine', 'device', 'location', 'language', 'domain'] as const;

const CURE =
  "The operator of this service can configure one: the command 'sightline sources' shows what each source needs. Nothing was charged.";
function notAnswered(input: Readonly<Record<string, unknown>>): string {
  const which = DECISIVE.flatMap((name) => (input[name] === undefined ? [] : [`${name} "${String(input[name])}"`])).join(', ');
  return `The sources that are configured for this operation do not answer this request (${which}).`;
}

/** The error for an operation without a usable source, and the settings that are missing. */
export function notConfigured<Id extends OperationId>(
  sources: readonly Source[],
  settings: Settings,
  operation: Id,
  input: Input<Id>,
  nowMs: number,
) {
  const able = sources.filter((s) => s.operations.includes(operation) && (s.serves?.(operation, input) ?? true));
  const lacking = [...new Set(able.flatMap((s) => missingSettings(s, settings)))];
  const ready = sources.some((s) => s.operations.includes(operation) && !missingSettings(s, settings).length);
  const what = ready ? notAnswered(input) : 'No source is configured for this operation.';
  const { waysToAnswer: ways } = OPERATIONS[operation] as Operation;
  const closed = able.map((source) => closedText(source, nowMs)).join('');
  return { error: new ServiceError('NOT_IMPLEMENTED', `${what}${closed}${ways ? ` ${ways}` : ''} ${CURE}`), lacking };
}
