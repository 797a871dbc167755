import { invalid, ServiceError } from '../contract/errors.ts';
import type { Operation } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { demandKnown, demandObject, operationMeant, readParameters, readShaping } from './arguments.ts';
import { late, smaller, type ToolCalls, whileReporting } from './calls.ts';
import { MANY } from './guidance.ts';
import { MANY_INPUT, MANY_OUTPUT, SHAPING_NAMES } from './schemas.ts';
import { annotations, answered, errorOf, inCredits, orFailure, shapedAnswer, type Tool, type ToolContext } from './tool.ts';

const MAX_INPUTS = 20;
const AT_A_TIME = 5;
const ARGUMENTS = Object.keys(MANY_INPUT.properties);

type Given = ReturnType<typeof readParameters>;
/** An input that can be asked, or why it cannot. */
type ReadInput = Given | { readonly error: unknown };
type AnswerOfOne = ReturnType<typeof shapedAnswer> | { readonly error: ReturnType<typeof errorOf> };

/** Lookups of one operation in one call: each is answered, or refused, by itself. */
export const manyTool = (settings: Settings): Tool => ({
  name: 'lookup_many',
  description: MANY.description,
  inputSchema: MANY_INPUT,
  outputSchema: MANY_OUTPUT,
  annotations: annotations(MANY.title, true),
  target: null,
  run: (calls, given, context) =>
    orFailure(calls, async () => {
      const all = demandObject(given);
      demandKnown(all, ARGUMENTS);
      const operation = operationMeant(all.operation);
      const deadlineMs = settings[operation.deadline.setting];
      const shared = readShaping(operation, all);
      const inputs = demandInputs(all.inputs).map((entry) => readInput(operation, entry));
      const prices = await pricesWithin(calls, operation, inputs, shared.maxCredits);
      const waitMs = Math.min(deadlineMs, shared.patienceMs ?? deadlineMs);
      const answers = await askAll(calls, { operation, inputs, prices, shared, waitMs }, context);
      const credits = answers.reduce((sum, answer) => sum + ('call' in answer ? answer.call.credits : (answer.error.charged ?? 0)), 0);
      const failed = answers.filter((answer) => 'error' in answer).length;
      const call = { credits, answered: answers.length - failed, failed };
      return answered({ answers, call }, { untrusted: true, twice: context.twice });
    }),
});

function demandInputs(inputs: unknown): readonly unknown[] {
  if (Array.isArray(inputs) && inputs.length > 0 && inputs.length <= MAX_INPUTS) return inputs;
  const what = Array.isArray(inputs) ? `has ${inputs.length} entries` : 'is no list';
  throw invalid(`Argument inputs ${what}, but it must be a list of 1 to ${MAX_INPUTS} objects, each the arguments of one lookup.`);
}

function readInput(operation: Operation, entry: unknown): ReadInput {
  try {
    const own = demandObject(entry);
    const shared = Object.keys(own).find((name) => SHAPING_NAMES.includes(name));
    if (shared !== undefined)
      throw invalid(
        shared === 'cursor'
          ? 'Argument cursor continues one answer: call the tool of the lookup with it.'
          : `Argument ${shared} holds for all inputs: give it beside inputs.`,
      );
    return readParameters(operation, own);
  } catch (error) {
    return { error };
  }
}

/** What each input may cost; null: there is no limit. Throws INSUFFICIENT_CREDITS where together they cost more than one allows. */
async function pricesWithin(calls: ToolCalls, operation: Operation, inputs: readonly ReadInput[], maxCredits: number | null) {
  const limit = smaller(maxCredits, calls.limit());
  if (limit === null) return null;
  const prices = await Promise.all(
    inputs.map(async (read) => ('error' in read ? 0 : (await calls.price(operation, read.texts, read.input)).charge)),
  );
  const sum = prices.reduce((total, price) => total + price, 0);
  if (sum <= limit) return prices;
  const whose = limit === maxCredits ? 'maxCredits allows' : 'this caller may spend';
  throw new ServiceError(
    'INSUFFICIENT_CREDITS',
    `These ${inputs.length} lookups cost ${inCredits(sum)}, and ${whose} ${limit}: nothing was done. Allow ${sum}, or give fewer inputs.`,
  );
}

interface AskedLookup {
  readonly operation: Operation;
  readonly inputs: readonly ReadInput[];
  readonly prices: readonly number[] | null;
  readonly shared: ReturnType<typeof readShaping>;
  readonly waitMs: number;
}

function askAll(
  calls: ToolCalls,
  { operation, inputs, prices, shared, waitMs }: AskedLookup,
  { clock, signal, report, twice }: ToolContext,
): Promise<readonly AnswerOfOne[]> {
  const answers: AnswerOfOne[] = [];
  let [next, done, failed] = [0, 0, 0];
  const says = () => `${done} of ${inputs.length} lookups ended${failed ? `, ${failed} of them without an answer` : ''}`;
  return whileReporting({ clock, report, signal, waitMs, says }, (ending, tired) => {
    const gaveUp = tired(waitMs);
    return calls.several(async (lookup) => {
      async function ask(read: ReadInput, maxCredits: number | null): Promise<AnswerOfOne> {
        try {
          if ('error' in read) throw read.error;
          ending.throwIfAborted();
          const { input, texts } = read;
          const answer = await lookup({ operation, input, texts, maxCredits, cachedOnly: false, signal: ending });
          return shapedAnswer(operation, answer, { ...read, shaping: shared.shaping }, twice, inputs.length);
        } catch (thrown) {
          failed++;
          const words = `No answer within ${waitMs / 1000} s, which is the time of the whole call: ask for this one again.`;
          return { error: errorOf(gaveUp.aborted && !('error' in read) ? late(words, thrown) : thrown) };
        }
      }
      async function work(): Promise<void> {
        for (let i = next++; i < inputs.length; i = next++) {
          const read = inputs[i];
          if (read) answers[i] = await ask(read, prices?.[i] ?? null);
          done++;
        }
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
      return answers;
    });
  });
}
