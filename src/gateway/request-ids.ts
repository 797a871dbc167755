/** Generates request ids: a random prefix for the process, then a counter. */
export function createRequestIds(random: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
