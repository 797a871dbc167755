import type { Accounts } from '../accounts/types.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../outside/world.ts';
import type { Settings } from '../settings.ts';
import type { Gate } from './gate.ts';
import type { createInputReader } from './input-memo.ts';
import type { Limiter, LimitRule } from './limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { PurseParts } from './purse.ts';
import type { Strikes } from './strikes.ts';

/** What every request needs at hand; made once. */
export interface Desk {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  /** Ms of a clock that never jumps, with fractions: for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly version: string;
  readonly gate: Gate;
  readonly addressLimiter: Limiter;
  readonly accountLimiter: Limiter;
  readonly addressRule: LimitRule;
  readonly accountRule: LimitRule;
  /** Wrong credentials by client address. */
  readonly badCredentials: Strikes;
  readonly badCredentialsRule: LimitRule;
  /** Address of the RFC 9728 document; null where there is none. */
  readonly resourceMetadata: () => string | null;
  /** Headers that every answer carries, flat. */
  readonly securityHeaders: readonly string[];
  /** `Vary` of answers whose bytes are negotiated. */
  readonly vary: string;
  /** Origins of browsers that may read answers. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly readInput: ReturnType<typeof createInputReader>;
  readonly newRequestId: () => string;
  /** Settlements that still run: a shutdown waits for them. */
  readonly settlements: Set<Promise<void>>;
  readonly pursing: PurseParts;
}

/** Ids that are unique here and cheap: drawn once a process, then counted. */
export function requestIds(random: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
