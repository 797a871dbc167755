import { ServiceError } from '../contract/errors.ts';
import { type Input, OPERATIONS, type Operation, type OperationId } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import type { Source } from '../sources/source.ts';
import { closedText } from '../sources/sunset.ts';

/** Parameters that decide which sources serve an input. */
const DECISIVE = ['engine', 'device', 'location', 'language', 'domain'] as const;

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
  const given: Readonly<Record<string, unknown>> = input;
  const which = DECISIVE.flatMap((name) => (given[name] === undefined ? [] : [`${name}=${String(given[name])}`])).join(', ');
  const what = ready
    ? `The sources that are configured for this operation do not answer this request (${which}).`
    : 'No source is configured for this operation.';
  const cure = "The operator of this service can configure one: the command 'sightline sources' shows what each source needs.";
  const { waysToAnswer: ways } = OPERATIONS[operation] as Operation;
  const closed = able.map((source) => closedText(source, nowMs)).join('');
  return { error: new ServiceError('NOT_IMPLEMENTED', `${what}${closed}${ways ? ` ${ways}` : ''} ${cure} Nothing was charged.`), lacking };
}
