import type { CapturedOutcome, StoredCapture } from '../captures/capture.ts';
import { createCapturedUpstream } from '../captures/captured-upstream.ts';
import { type Change, compare } from '../contract/compare.ts';
import { type Input, OPERATIONS, type OperationId } from '../contract/operations/index.ts';
import { type Clock, realClock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Ports, Source } from '../sources/source.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import { DefectError } from './engine.ts';
import { createLocalEngine } from './local-engine.ts';
import type { AttemptOutcome, Check } from './serialise.ts';

export interface ReplayParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly check: Check;
}
/** The recorded outcome, and the outcome of today's source on the same answers. */
export interface Replayed {
  readonly capture: StoredCapture;
  readonly before: CapturedOutcome;
  readonly after: CapturedOutcome;
  /** Fields of two `found` that differ; `unread` is the list of unread fields. */
  readonly differences: readonly Change[];
  readonly version: string;
}
/** `skipped`: why the capture cannot be replayed. */
export type Replay = Replayed | { readonly capture: StoredCapture; readonly skipped: string };

/** Longest replay of one attempt; nothing waits for a network. */
const MAX_MS = 60_000;

/**
 * Makes the attempt of a capture again: the engine and the source are those of a live attempt, the upstream answers from the capture. Each
 * capture gets a newly opened source, so that no state passes from one attempt to the next.
 */
export async function replayCapture(
  { sources, settings, check }: ReplayParts,
  capture: StoredCapture,
  shared: readonly StoredCapture[],
): Promise<Replay> {
  const { source: name, operation, input, outcome: before, at } = capture.facts;
  if (!operation || !input || !before) return { capture, skipped: 'it is no capture of an attempt' };
  if (before.tag === 'timeout') return { capture, skipped: 'the attempt ran out of time' };
  if (!sources.some((s) => s.id === name && s.operations.includes(operation)))
    return { capture, skipped: `no source ${name} answers ${operation}` };
  const upstream = createCapturedUpstream(settings, capture, shared);
  const atMs = Date.parse(at);
  const clock: Clock = { now: () => atMs, sleep: realClock.sleep };
  const ports: Ports = { settings, ...upstream, clock, random: () => 0.5, log: () => {} };
  const engine = createLocalEngine(sources, ports, undefined, check);
  const after = await engine
    .attempt({ source: name, operation, input: input as Input, leftMs: MAX_MS })
    .then(parsed)
    .catch((error: unknown): CapturedOutcome => {
      if (!(error instanceof DefectError)) throw error;
      return { tag: 'defect', detail: error.message };
    });
  const [missing] = upstream.missing;
  if (missing !== undefined && after.tag !== before.tag) return { capture, skipped: `it holds no answer to ${missing}` };
  return { capture, before, after, differences: differencesOf(operation, before, after), version: VERSION };
}

const parsed = (outcome: AttemptOutcome): CapturedOutcome =>
  outcome.tag === 'found' ? { ...outcome, resource: JSON.parse(outcome.resource.bytes.toString()) as unknown } : outcome;

function differencesOf(operation: OperationId, before: CapturedOutcome, after: CapturedOutcome): readonly Change[] {
  if (before.tag !== 'found' || after.tag !== 'found') return [];
  const sorted = (fields: readonly string[] | undefined): string => [...(fields ?? [])].sort().join(', ');
  const [was, is] = [sorted(before.unread), sorted(after.unread)];
  const unread: readonly Change[] = was === is ? [] : [{ kind: 'changed', field: 'unread', key: null, before: was, after: is }];
  return [...compare(OPERATIONS[operation], before.resource, after.resource, { fields: 'every' }), ...unread];
}
