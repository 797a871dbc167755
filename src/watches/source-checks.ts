import { readFileSync } from 'node:fs';
import type { SourceCheck } from '../contract/admin/schemas.ts';
import { type Input, operationOf } from '../contract/operations/index.ts';
import { type AttemptOutcome, DefectError, type Engine } from '../orchestrator/engine.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { missingSettings } from '../sources/availability.ts';
import type { Source } from '../sources/source.ts';
import { usdOfLookup } from '../sources/source-budget.ts';
import { type Canary, parseCanaries, unmetFact } from './canary-file.ts';

/** A fact that holds for years, why, and by whose word. */
export interface KnownFact extends Canary {
  readonly reason: string;
  readonly reference: string;
}

/** The table of facts by which sources are checked: one polite request each. Nothing is asked before the operator says so. */
export function knownFacts(): readonly KnownFact[] {
  const rows: readonly KnownFact[] = JSON.parse(readFileSync(new URL('./known-facts.json', import.meta.url), 'utf8'));
  const canaries = parseCanaries(
    JSON.stringify({ canaries: rows.map(({ reason: _, reference: __, ...canary }) => canary) }),
    'known-facts.json',
  );
  return canaries.map((canary, i) => ({ ...canary, reason: rows[i]?.reason ?? '', reference: rows[i]?.reference ?? '' }));
}

/** The check of one source: its fact, and what a request is assumed to cost. */
export interface PlannedCheck {
  readonly source: Source;
  readonly fact: Canary | null;
  /** US dollars that it costs at most; 0: the source is free. */
  readonly usd: number;
  readonly isPaid: boolean;
}

/** The configured sources, each with the first fact that it can answer. */
export function planChecks(sources: readonly Source[], settings: Settings, facts: readonly Canary[]): readonly PlannedCheck[] {
  return sources
    .filter((source) => missingSettings(source, settings).length === 0)
    .map((source) => {
      const cap = source.dailyCap?.(settings);
      return {
        source,
        fact: facts.find((fact) => isFor(source, fact)) ?? null,
        usd: cap ? usdOfLookup(cap) : 0,
        isPaid: cap !== undefined,
      };
    });
}
function isFor(source: Source, fact: Canary): boolean {
  const { operation, input } = lookupOf(fact);
  return source.operations.includes(operation.id) && (source.serves?.(operation.id, input) ?? true);
}
function lookupOf({ operation: id, parameters }: Canary) {
  const operation = operationOf(id);
  const read = operation?.readInput(Object.entries(parameters));
  if (!operation || !read?.ok) throw new Error(`a fact of ${id} is no lookup`);
  return { operation, input: read.value as Input };
}

const ADVICE: Readonly<Record<SourceCheck['state'], string | null>> = {
  works: null,
  not_asked: null,
  blocked: 'The platform refuses this machine or address: docs/troubleshooting.md, UPSTREAM_BLOCKED, lists what may help.',
  limited: 'The platform asks for a pause: check again later, and ask for less if it repeats.',
  changed: 'The platform answers in another form: report it with the case, if one was written.',
  unreachable:
    'No answer came, or an error of the platform: check the network, DNS and proxy of this machine, then the status page of the platform.',
  refused: 'The platform does not accept the credentials or the plan: check the settings of the source.',
};

type Verdict = Pick<SourceCheck, 'state' | 'why'>;
function verdictOf(outcome: AttemptOutcome, { facts }: Canary): Verdict {
  if (outcome.tag === 'found') {
    const why = unmetFact(JSON.parse(outcome.resource.bytes.toString()), facts);
    if (why !== null) return { state: 'changed', why };
    const { unread = [] } = outcome;
    return { state: 'works', why: unread.length > 0 ? `not understood: ${unread.join(', ')}` : null };
  }
  const why = [outcome.what, outcome.detail].filter(Boolean).join(' ');
  if (outcome.tag === 'absent') return { state: 'changed', why: `it says that it is not there: ${why}` };
  return { state: outcome.tag === 'timeout' ? 'unreachable' : outcome.tag, why };
}

export interface CheckParts {
  readonly settings: Settings;
  readonly engine: Pick<Engine, 'attempt'>;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  /** Ends the request: its operator waits no longer. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks one source for its fact, past the cache and without another source after it. */
export async function checkSource(
  { settings, engine, clock, newRequestId, signal }: CheckParts,
  planned: PlannedCheck,
): Promise<SourceCheck> {
  const { source, fact, usd } = planned;
  if (!fact) return notAsked(planned, 'no fact is known that it could answer');
  const { operation, input } = lookupOf(fact);
  const requestId = newRequestId();
  const began = clock.now();
  const work = { source: source.id, operation: operation.id, input, leftMs: settings[operation.deadline.setting], requestId, signal };
  const { state, why } = await engine
    .attempt(work)
    .then((outcome) => verdictOf(outcome, fact))
    .catch((error: unknown): Verdict => {
      if (!(error instanceof DefectError)) throw error;
      return { state: 'changed', why: error.message };
    });
  const durationMs = clock.now() - began;
  return { source: source.id, operation: operation.id, fact: fact.name, state, why, advice: ADVICE[state], usd, durationMs, requestId };
}

/** The row of a source that was not asked. */
export function notAsked({ source, fact, usd }: PlannedCheck, why: string): SourceCheck {
  const operation = fact?.operation ?? source.operations[0] ?? '';
  return {
    source: source.id,
    operation,
    fact: fact?.name ?? null,
    state: 'not_asked',
    why,
    advice: null,
    usd,
    durationMs: null,
    requestId: null,
  };
}

/** A file for SIGHTLINE_CANARIES with the facts that the configured sources can answer; those of paid sources only where asked for. */
export function canaryFileOf(planned: readonly PlannedCheck[], withPaid: boolean): string {
  const wanted = new Set(planned.filter(({ isPaid }) => withPaid || !isPaid).flatMap(({ fact }) => fact ?? []));
  // a lookup asks the sources of its operation in turn, the paid ones too
  const paid = new Set(planned.filter(({ isPaid }) => isPaid).flatMap(({ source }) => source.operations));
  const canaries = [...wanted]
    .filter(({ operation }) => withPaid || ![...paid].some((id) => id === operation))
    .map(({ name, operation, parameters, facts }) => ({ name, operation, parameters, facts }));
  return `${JSON.stringify({ canaries }, null, 2)}\n`;
}
