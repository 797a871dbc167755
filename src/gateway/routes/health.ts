import { ServiceError } from '../../contract/errors.ts';
import { createOutage } from '../../runtime/outage.ts';
import type { Desk } from '../context.ts';

const KEPT_MS = 1000;

/** Asks store and engine whether they can work; what they said is kept for a second, and asked once at a time. */
export function createReadiness(desk: Pick<Desk, 'accounts' | 'orchestrator' | 'clock' | 'log'>): () => Promise<ServiceError | null> {
  let known: { until: number; refusal: ServiceError | null } | null = null;
  let asking: Promise<ServiceError | null> | null = null;

  const part = (name: string, ready: () => Promise<void>): (() => Promise<string | null>) => {
    const outage = createOutage(desk.clock, (level, message, facts) => desk.log[level](facts, message), {
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
  const parts = [part('store', () => desk.accounts.ready()), part('engine', () => desk.orchestrator.ready())];
  async function ask(): Promise<ServiceError | null> {
    const missing = await Promise.all(parts.map((ready) => ready()));
    const names = missing.filter((name) => name !== null);
    const refusal = names.length
      ? new ServiceError('UNAVAILABLE', `Not ready: the ${names.join(' and the ')} cannot be reached.`, { 'retry-after': '5' })
      : null;
    known = { until: desk.clock.now() + KEPT_MS, refusal };
    asking = null;
    return refusal;
  }
  return async () => {
    const leftMs = known ? known.until - desk.clock.now() : 0;
    // more than it was kept for: the clock was set back
    if (known && leftMs > 0 && leftMs <= KEPT_MS) return known.refusal;
    asking ??= ask();
    return asking;
  };
}
