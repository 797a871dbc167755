import jsonata from 'jsonata';
import { type Input, OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { type Answer, textOf } from '../../upstream/answer.ts';
import { absent, changed, found, type Outcome } from '../outcome.ts';
import { isObject, type JsonObject, parseJson } from '../untyped-json.ts';
import { fitTo } from './fit.ts';

export interface MapInput {
  readonly operation: OperationId;
  readonly input: Input;
  readonly map: string;
  /** Evaluated on every page: the cursor of the next one. Null: the provider answers in one page. */
  readonly next: string | null;
  /** True for answers by which the provider says that the thing does not exist. */
  readonly absentWhen: string | null;
  /** Answers of the pages before this one, as JSON texts. */
  readonly earlier: readonly string[];
}
/** `next`: the answer has a further page. */
export type Mapped = Outcome | { readonly tag: 'next'; readonly cursor: string; readonly text: string };

const PROVIDER = 'The data provider answered in a form that is not known.';
/** A resource is at most this long as JSON: an expression can make a long text of a short one. */
const MAX_RESOURCE_CHARS = 32_000_000;

/** Maps the JSON of a provider to the resource of an operation. Runs in a parser thread: an expression may never end. */
export async function readMapped(answer: Answer, given: MapInput): Promise<Mapped> {
  const { operation, input, map, next, absentWhen, earlier } = given;
  const text = textOf(answer);
  const payload = parseJson(text);
  if (payload === undefined) return changed(PROVIDER, 'the answer is not JSON');
  const evaluate = async (expression: string, value: unknown): Promise<unknown> => jsonata(expression).evaluate(value, { input });
  try {
    if (absentWhen !== null && (await evaluate(absentWhen, payload)) === true)
      return absent('The data provider states that it does not exist.');
    const cursor = next === null ? null : await evaluate(next, payload);
    if (typeof cursor === 'number' || (typeof cursor === 'string' && cursor !== '')) return { tag: 'next', cursor: String(cursor), text };
    const whole = next === null ? payload : [...earlier.map((page) => parseJson(page)), payload];
    // a plain copy: lists of JSONata carry marks, and what is undefined is left out
    const json = JSON.stringify(await evaluate(map, whole));
    if (json === undefined) return changed(PROVIDER, 'the mapping finds nothing');
    if (json.length > MAX_RESOURCE_CHARS) return changed(PROVIDER, `the mapping gives more than ${MAX_RESOURCE_CHARS} characters`);
    return resourceOf(operation, input, JSON.parse(json), answer.at);
  } catch (error) {
    return changed(PROVIDER, `the mapping failed: ${reasonOf(error)}`);
  }
}

/** JSONata throws objects with a message and the place in the expression. */
export function reasonOf(error: unknown): string {
  const { message, position } = error as { message?: string; position?: number };
  return `${message ?? String(error)}${position === undefined ? '' : ` (at character ${position})`}`;
}

function resourceOf(operation: OperationId, input: Input, mapped: unknown, at: number): Outcome {
  const fitted = fitTo(OPERATIONS[operation].resource, mapped, new Date(at).toISOString());
  if (!fitted.ok) return changed(PROVIDER, fitted.why);
  const other = otherThan(input, fitted.value);
  return other === null
    ? found(fitted.value, undefined, fitted.unread)
    : changed('The data provider answered about something else.', other);
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null);
const SEVERAL: ReadonlySet<string> = new Set(['all', 'popular']);

/** How the resource shows that it is about another thing than the input; null: it does not. */
function otherThan(input: Input, resource: JsonObject): string | null {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const { post, posts } = resource;
  const stated: Readonly<Record<string, unknown>> = { ...(isObject(post) && { postId: post.postId }), ...resource };
  for (const name of ['domain', 'handle', 'keyword', 'postId'] as const) {
    const [asked, answered] = [asText(given[name]), asText(stated[name])];
    if (asked !== null && answered !== null && asked !== answered) return `${name} is ${answered} instead of ${asked}`;
  }
  const community = asText(given.community);
  if (community === null || SEVERAL.has(community) || !Array.isArray(posts)) return null;
  const others = posts.flatMap((one) => (isObject(one) ? (asText(one.community) ?? []) : []));
  return others.length > 0 && !others.includes(community) ? `posts of ${others[0]} instead of ${community}` : null;
}
