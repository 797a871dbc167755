/**
 * Continues with a value that may have to be waited for. A value that is known at once costs no promise and no turn of the event loop: `next`
 * runs before this returns, and what it throws is thrown here.
 */
export const whenKnown = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
