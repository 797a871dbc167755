/** Maximum length of a printed line: the path and counterexample of a property test may have many thousand characters. */
const MAX_LINE = 400;
const MAX_CAUSES = 5;

const shortened = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (${line.length} characters)` : line))
    .join('\n');

/** Text of the error of a failed test: the innermost cause first with its stack, then the errors that wrap it. Long lines are truncated. */
export function describeError(thrown: unknown): string {
  const chain: unknown[] = [thrown];
  for (let error = thrown; error instanceof Error && error.cause !== undefined && chain.length < MAX_CAUSES; error = error.cause)
    chain.unshift(error.cause);
  const [cause, ...led] = chain;
  const text = [stackOf(cause), ...led.map((error) => `which led to: ${messageOf(error)}`)].join('\n');
  return shortened(text);
}
const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
