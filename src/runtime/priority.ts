import { getPriority, setPriority } from 'node:os';

/**
 * The service goes first: gives this thread at most the priority of `nice`. On Linux priority is one of threads, elsewhere of the whole process and
 * left alone; where the process was started with a lower one, that stays, because only root may raise it.
 */
export function lowerPriority(nice: number): void {
  if (process.platform === 'linux' && getPriority() < nice) setPriority(0, nice);
}
