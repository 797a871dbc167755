import { ServiceError } from '../contract/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import type { StoreLog } from './store.ts';

/** The store is unreachable or cannot write. The reason is the `cause`, for the log only. */
export const unavailable = (cause: unknown): ServiceError =>
  Object.assign(new ServiceError('UNAVAILABLE', undefined, { 'retry-after': '1' }), { cause });

/**
 * SQLSTATE: connection, credentials, database, resources, operator intervention, system error, deadlock, lock, read-only standby, a transaction
 * that stood still for too long because this process did.
 */
const AWAY = /^(?:08|28|3D|53|57|58|40|55P03|25006|25P0[34])/;
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** An error of the statement itself and a defect of the program pass unchanged; every other error means that PostgreSQL is unavailable. */
export function fromPostgres(error: unknown): Error {
  if (error instanceof ServiceError || DEFECTS.some((kind) => error instanceof kind)) return error as Error;
  const { severity, code } = error as { severity?: string; code?: string };
  const refused = severity !== undefined && code !== undefined && !AWAY.test(code);
  return refused ? (error as Error) : unavailable(error);
}

export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return String((cause as Error | undefined)?.message ?? cause ?? error);
}

/** An outage of writes: every writer reports to it, so that it is logged once. */
export const writesOutage = (clock: Clock, log: StoreLog): Outage =>
  createOutage(clock, log, 'store: writes fail', 'store: writes succeed again');
