/** `work`, of which one run is in progress at most: a call meanwhile joins it, whatever it was given. */
export function singleFlight<Given extends unknown[], T>(work: (...given: Given) => Promise<T>): (...given: Given) => Promise<T> {
  let running: Promise<T> | null = null;
  return (...given) => {
    running ??= work(...given).finally(() => {
      running = null;
    });
    return running;
  };
}
