import { OPERATIONS, type OperationId } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { instant } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import type { Source } from '../sources/source.ts';
import { announcedSunset, type Sunset } from '../sources/sunset.ts';
import type { Pace, Spending } from '../upstream/ports.ts';
import type { BreakerState, Breakers } from './breaker.ts';
import type { Drift } from './drift.ts';
import type { HealthOfSource, SourceHealth } from './source-health.ts';
import { restKeyOf } from './source-rest.ts';

/** One source, as the operator sees it. Breaker and health are those of this process. */
export interface SourceState {
  /** Unique among all sources. */
  readonly name: string;
  readonly area: string;
  readonly operations: readonly OperationId[];
  readonly about: string;
  /** The announced end of the interface, from 180 days before on. */
  readonly sunset: Sunset | null;
  /** What the platform's terms say against automated access, where its robots.txt allows it. */
  readonly terms: string | null;
  readonly configured: boolean;
  /** Settings that keep it from being used. */
  readonly lacking: readonly string[];
  /** The worst state of its parts. */
  readonly breaker: BreakerState;
  /** When its longest rest ends, RFC 3339; null: it does not rest. */
  readonly restingUntil: string | null;
  readonly last24h: HealthOfSource;
  /** Fields that are lost more often than usual; `answer` where whole answers have an unknown shape. Of this process. */
  readonly drifting: readonly string[];
  /** Requests and stated cost of this UTC day with their caps; null: it has no daily cap. */
  readonly spending: {
    readonly requestsToday: number;
    readonly maxRequestsPerDay: number;
    readonly usdToday: number;
    readonly maxUsdPerDay: number;
  } | null;
}

export interface SourceStateParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly breakers: Breakers;
  readonly health: SourceHealth;
  readonly drift: Pick<Drift, 'of'>;
  readonly pace: Pace;
  readonly spending: Spending;
  readonly clock: Clock;
}

/** The state of every source, in the order in which the sources of an operation are asked. */
export async function sourceStates(parts: SourceStateParts): Promise<readonly SourceState[]> {
  return Promise.all(parts.sources.map((source) => stateOf(source, parts)));
}

async function stateOf(source: Source, parts: SourceStateParts): Promise<SourceState> {
  const lacking = missingSettings(source, parts.settings);
  const { state, parts: known } = parts.breakers.stateOf(source.id);
  const restKeys = source.limitedByPart ? known.map((part) => restKeyOf(source, part)) : [restKeyOf(source, '')];
  const restsMs = await Promise.all(restKeys.map((key) => parts.pace.resting(key)));
  const restMs = Math.max(0, ...restsMs);
  const cap = source.dailyCap?.(parts.settings);
  const spent = cap && (await parts.spending.today(cap.key));
  return {
    name: source.id,
    area: source.operations[0] ? OPERATIONS[source.operations[0]].area.id : '',
    operations: source.operations,
    about: source.about,
    sunset: announcedSunset(source, parts.clock.now()),
    terms: source.terms ?? null,
    configured: lacking.length === 0,
    lacking,
    breaker: state,
    restingUntil: restMs > 0 ? instant(parts.clock.now() + restMs) : null,
    last24h: parts.health.of(source.id),
    drifting: parts.drift.of(source.id),
    spending:
      cap && spent
        ? { requestsToday: spent.requests, maxRequestsPerDay: cap.maxRequests, usdToday: spent.spentUsd, maxUsdPerDay: cap.maxUsd }
        : null,
  };
}
