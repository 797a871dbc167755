import { ServiceError } from '../../contract/errors.ts';
import { createOutage } from '../../runtime/outage.ts';
import type { RouteDependencies } from './dependencies.ts';

const CACHED_MS = 1000;

/** Checks whether store and engine are ready: null, or the 503. The result is cached for a second; concurrent calls share one check. */
export function createReadiness(
  routes: Pick<RouteDependencies, 'accounts' | 'orchestrator' | 'clock' | 'log'>,
): () => Promise<ServiceError | null> {
  const { accounts, orchestrator, clock, log } = routes;
  let known: { until: number; refusal: ServiceError | null } | null = null;
  let checking: Promise<ServiceError | null> | null = null;

  const part = (name: string, ready: () => Promise<void>): (() => Promise<string | null>) => {
    const outage = createOutage(clock, (level, message, facts) => log[level](facts, message), {
      begins: `the ${name} is not ready`,
      lasts: `the ${name} is still not ready`,
      ends: `the ${name} is ready again`,
    });
    return async () => {
      try {
        await ready();
        outage.worked();
        return null;
      } catch (error) {
        outage.failed(String((error as { cause?: unknown }).cause ?? error));
        return name;
      }
    };
  };
  const parts = [part('store', () => accounts.ready()), part('engine', () => orchestrator.ready())];
  async function check(): Promise<ServiceError | null> {
    const missing = await Promise.all(parts.map((ready) => ready()));
    const names = missing.filter((name) => name !== null);
    const refusal = names.length
      ? new ServiceError('UNAVAILABLE', `Not ready: the ${names.join(' and the ')} cannot be reached.`, { 'retry-after': '5' })
      : null;
    known = { until: clock.now() + CACHED_MS, refusal };
    checking = null;
    return refusal;
  }
  return async () => {
    const leftMs = known ? known.until - clock.now() : 0;
    // more than the cache time: the clock was set back
    if (known && leftMs > 0 && leftMs <= CACHED_MS) return known.refusal;
    checking ??= check();
    return checking;
  };
}
