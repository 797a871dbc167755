import jsonata from 'jsonata';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { isObject, type JsonObject } from '../../contract/json-object.ts';
import { type Input, OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { didYouMean } from '../../contract/parameters/misspelt.ts';
import { type Answer, bodyText } from '../../upstream/answer.ts';
import { evidenceIn } from '../evidence.ts';
import { absent, changed, foreign, found, type Outcome, withUnread } from '../outcome.ts';
import { adAddressOf, addressOf, isBreadcrumb } from '../searchengine/address.ts';
import { noteUnmapped } from '../searchengine/announced.ts';
import { aboutAnotherSearch } from '../searchengine/keyword.ts';
import { mappedRanking } from '../searchengine/mapped.ts';
import { UnreadFields } from '../unread-fields.ts';
import { parseJson } from '../untyped-json.ts';
import { joinedExpression as expressionOf, type Reading } from './config.ts';
import { outcomeOfMeaning, UNSAID } from './failures.ts';

interface MapInput extends Pick<Extract<Reading, { by: 'map' }>, 'map' | 'next' | 'absentWhen' | 'nothingWhen' | 'failures'> {
  readonly operation: OperationId;
  readonly input: Input;
  /** Answers of the pages before this one, as JSON texts. */
  readonly earlier: readonly string[];
}
export type Mapped = Outcome | { readonly tag: 'next'; readonly cursor: string; readonly text: string };

const BY_CONDITION = evidenceIn(new URL('./evidence.tsv', import.meta.url))('condition of the provider');
const NOTHING = evidenceIn(new URL('./evidence.tsv', import.meta.url))('nothing of the provider');
const PROVIDER = 'The data provider answered in a form that is not known.';
/** A resource is at most this long as JSON: an expression can make a long text of a short one. */
const MAX_RESOURCE_CHARS = 32_000_000;

/** Maps the JSON of a provider to the resource of an operation. Runs in a parser thread: an expression may never end. */
export async function readMapped(answer: Answer, given: MapInput): Promise<Mapped> {
  const { operation, input, map, next, absentWhen, nothingWhen, failures, earlier } = given;
  const text = bodyText(answer);
  const payload = parseJson(text);
  if (payload === undefined) return changed(PROVIDER, 'the answer is not JSON');
  const evaluate = async (expression: string, value: unknown): Promise<unknown> =>
    jsonata(expression).evaluate(value, { input, address, adAddress });
  const unread = new UnreadFields();
  const roots = new Set<string>();
  /** The address of an entry of a result page by the rule of all sources, and what is shown of it; nothing where it is hidden. */
  const address = (link: unknown, shown?: unknown): { url: string; domain: string; breadcrumb: string | null } | undefined => {
    const line = stringOf(shown);
    const site = addressOf({ engine: engineOf(input), links: [stringOf(link)], shown: [line] });
    // forums and films have "50+ comments" in place of an address
    const breadcrumb = line && isBreadcrumb(line) ? line : null;
    if (site.kind === 'root') roots.add(site.url);
    if (site.kind !== 'hidden') return { url: site.url, domain: site.domain, breadcrumb };
    unread.note('organic.url');
    return undefined;
  };
  const adAddress = (link: unknown, shown?: unknown): { url: string; domain: string } | undefined => {
    const site = adAddressOf({ engine: engineOf(input), links: [stringOf(link)], shown: [stringOf(shown)] });
    if (!site) unread.note('paid.url');
    return site ? { url: site.url, domain: site.domain } : undefined;
  };
  try {
    const isRefused = answer.status >= 400;
    for (const { means, when } of failures)
      if (when !== undefined && !isRefused && (await evaluate(expressionOf(when) ?? '', payload)) === true)
        return outcomeOfMeaning(means, 'stated in its answer');
    if (absentWhen !== null && (await evaluate(absentWhen, payload)) === true)
      return absent(BY_CONDITION, 'The data provider states that it does not exist.');
    if (isRefused) return foreign(UNSAID, `HTTP ${answer.status}`);
    const cursor = next === null ? null : await evaluate(next, payload);
    if (typeof cursor === 'number' || (typeof cursor === 'string' && cursor !== '')) return { tag: 'next', cursor: String(cursor), text };
    const whole = next === null ? payload : [...earlier.map((page) => parseJson(page)), payload];
    // a plain copy: lists of JSONata carry marks, and what is undefined is left out
    const json = JSON.stringify(await evaluate(map, whole));
    if (json === undefined) return changed(PROVIDER, 'the mapping finds nothing');
    if (json.length > MAX_RESOURCE_CHARS) return changed(PROVIDER, `the mapping gives more than ${MAX_RESOURCE_CHARS} characters`);
    const mapped: unknown = JSON.parse(json);
    const ranked = operation === 'serp' && isObject(mapped) ? mappedRanking(mapped, engineOf(input), roots, unread) : mapped;
    if (operation === 'serp' && isObject(ranked)) noteUnmapped(whole, ranked, unread);
    const outcome = withUnread(resourceOf(operation, input, ranked, answer.atMs), unread.paths);
    if (outcome.tag !== 'found' || nothingWhen === null || !isEmpty(operation, outcome.resource)) return outcome;
    // an empty list proves nothing by itself: it may be what is left of a block page
    if ((await evaluate(nothingWhen, payload)) !== true) return changed(PROVIDER, 'an empty list, and nothing says that there is nothing');
    return { ...outcome, evidence: NOTHING };
  } catch (error) {
    return changed(PROVIDER, error instanceof Unfit ? error.message : `the mapping failed: ${expressionReason(error)}`);
  }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const engineOf = (input: Input) => ('engine' in input && input.engine === 'engine_b' ? 'engine_b' : 'engine_a');

/** Whether the list that the operation is about holds no entry; the answer box stands above the list. */
function isEmpty(operation: OperationId, resource: unknown): boolean {
  const { entries } = OPERATIONS[operation].rows ?? {};
  const list = entries !== undefined && isObject(resource) ? resource[entries] : null;
  return Array.isArray(list) && list.every((entry) => isObject(entry) && entry.isFeaturedSnippet === true);
}

/** JSONata throws objects with a message and the place in the expression. */
export function expressionReason(error: unknown): string {
  const { message, position } = error as { message?: string; position?: number };
  return `${message ?? String(error)}${position === undefined ? '' : ` (at character ${position})`}`;
}

function resourceOf(operation: OperationId, input: Input, mapped: unknown, atMs: number): Outcome {
  const fitted = fitTo(OPERATIONS[operation].resource, mapped, new Date(atMs).toISOString());
  const other = otherThan(operation, input, fitted.value);
  if (other !== null) return changed('The data provider answered about something else.', other);
  return found(fitted.value, undefined, [...fitted.unread]);
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null);
const SEVERAL: ReadonlySet<string> = new Set(['all', 'popular']);

/** How the resource shows that it is about another thing than the input; null: it does not. */
function otherThan(operation: OperationId, input: Input, resource: JsonObject): string | null {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const { post, posts, postId, videoId } = resource;
  for (const { field, parts } of OPERATIONS[operation].parameters) {
    const id = parts?.of(String(given[field] ?? ''))?.id;
    const answered = postId ?? videoId;
    if (id !== undefined && answered !== undefined && answered !== id) return `the id is ${answered} instead of ${id}`;
  }
  const stated: Readonly<Record<string, unknown>> = { ...(isObject(post) && { postId: post.postId }), ...resource };
  for (const name of ['domain', 'handle', 'postId'] as const) {
    const [asked, answered] = [asText(given[name]), asText(stated[name])];
    if (asked !== null && answered !== null && asked !== answered) return `${name} is ${answered} instead of ${asked}`;
  }
  // a search is repeated with other blanks, quotes and marks
  const search = typeof given.keyword === 'string' ? aboutAnotherSearch([stated.keyword], given.keyword) : null;
  if (search) return search.detail ?? search.what;
  const community = asText(given.community);
  if (community === null || SEVERAL.has(community) || !Array.isArray(posts)) return null;
  const others = posts.flatMap((one) => (isObject(one) ? (asText(one.community) ?? []) : []));
  return others.length > 0 && !others.includes(community) ? `posts of ${others[0]} instead of ${community}` : null;
}

/** A JSON Schema as far as the contract's resources use it: `anyOf` is a value or null. */
type Schema = TSchema & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly [value: Schema, none: Schema];
  readonly format?: string;
};

/** When the source was read, where a mapping does not say it. */
const TIMES: ReadonlySet<string> = new Set(['scrapedAt', 'checkedAt']);

/**
 * Gives a mapped value the form of a resource: a field that the mapping leaves out is null (a list: empty), a value that does not fit null
 * and unread. Throws `Unfit` where a name is unknown to the contract, or a field that may not be null has no value that fits.
 */
function fitTo(schema: TSchema, value: unknown, instant: string): { readonly value: JsonObject; readonly unread: ReadonlySet<string> } {
  const unread = new Set<string>();
  return { value: fitFields(schema, value, { instant, unread, path: '' }), unread };
}

class Unfit extends Error {}
interface Place {
  readonly instant: string;
  readonly unread: Set<string>;
  readonly path: string;
}

function fit(schema: Schema, value: unknown, place: Place): unknown {
  const { path, unread } = place;
  if (schema.anyOf) {
    if (value === undefined || value === null) return null;
    try {
      return fit(schema.anyOf[0], value, place);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      unread.add(path);
      return null;
    }
  }
  // JSONata gives a list of one as the entry itself
  if (schema.type === 'array') return [value ?? []].flat().map((entry) => fit(schema.items ?? {}, entry, place));
  if (value === undefined || value === null) throw new Unfit(`the mapping gives no ${path}`);
  if (schema.type === 'object') return fitFields(schema, value, place);
  const fitted = schema.format === 'uri' ? httpUrl(String(value)) : value;
  if (!isFitting(schema, fitted)) throw new Unfit(`${path} is ${JSON.stringify(value).slice(0, 60)}: that is no ${schema.type}`);
  return fitted;
}

/** As the URL standard writes it: providers leave characters unescaped. */
const httpUrl = (text: string): string | undefined => (/^https?:/i.test(text) ? URL.parse(text)?.href : undefined);

const validators = new WeakMap<Schema, { Check(value: unknown): boolean }>();
function isFitting(schema: Schema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

function fitFields({ properties = {} }: Schema, value: unknown, place: Place): JsonObject {
  const { path, instant } = place;
  if (!isObject(value)) throw new Unfit(`${path || 'the resource'} is no object`);
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const stray = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (stray !== undefined) {
    const names = Object.keys(properties);
    throw new Unfit(`the mapping gives ${below(stray)}, which is no field${didYouMean(stray, names)}: ${names.join(', ')}`);
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const given = value[name] === undefined && path === '' && TIMES.has(name) ? instant : value[name];
      return [name, fit(schema, given, { ...place, path: below(name) })];
    }),
  );
}
