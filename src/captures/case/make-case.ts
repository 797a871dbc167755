import type { CapturedOutcome } from '../capture.ts';
import { createInvention, type Random, sameForm } from './invent.ts';
import { personalIn, personalLeft, withoutPersonal } from './personal.ts';
import { inventTexts, reduce } from './reduce.ts';
import { type Node, textsIn, treeOf, written } from './tree.ts';

/** An answer with what its reader is given. */
export interface CaseInput {
  readonly body: Uint8Array;
  readonly url: string;
  readonly input: object;
}
/** What a reader says of an answer. */
export type Judge = (answer: CaseInput) => Promise<CapturedOutcome>;

/** What makes a failure, the most exact text first: equal texts are the same failure. None: the answer was read. `field`: it alone counts. */
export function failuresOf({ tag, what, detail, unread = [] }: CapturedOutcome, field?: string): readonly string[] {
  if (tag === 'found') {
    const counted = unread.filter((one) => field === undefined || one === field);
    return counted.length > 0 ? [`unread ${[...counted].sort().join(', ')}`] : [];
  }
  if (field !== undefined) return [];
  // numbers and quotations in a detail are those of this answer
  const form = detail?.replace(/\d+/g, '0').replace(/"[^"]*"/g, '""');
  return [`${tag}: ${what} ${form}`, `${tag}: ${what}`];
}

export interface MadeCase extends CaseInput {
  readonly body: Buffer;
  /** Personal values that were replaced. */
  readonly replaced: number;
  /** Texts of the original that the case still holds, because the failure needs them, beside labels, keys and markup. */
  readonly texts: readonly string[];
  /** False: an empty answer fails in the same way, so that nothing could be left out. */
  readonly reduced: boolean;
}
export type CaseResult = { readonly ok: true; readonly made: MadeCase } | { readonly ok: false; readonly why: string };

const decodeUtf8 = new TextDecoder('utf-8', { fatal: true });
/** The text of a body, and how it is written again: UTF-8, else one byte a character. */
function decodeBody(body: Uint8Array): { readonly text: string; readonly encoding: 'utf8' | 'latin1' } {
  try {
    return { text: decodeUtf8.decode(body), encoding: 'utf8' };
  } catch {
    return { text: Buffer.from(body).toString('latin1'), encoding: 'latin1' };
  }
}
const NOTHING = ['', '{}', '[]', '<html></html>'];
/** Words of the answers themselves: a looked-up name that is one of them is nobody's. */
const VOCABULARY = /^(?:i|domain|name|whois|rdap|nic|status|registrar|registry|server|example|test|www)$/i;
/** `name` of `input.domain` and of handles: they lead to the person as well. */
function namesIn({ url, input }: CaseInput): readonly string[] {
  const { domain } = input as { readonly domain?: unknown };
  const label = typeof domain === 'string' && !domain.includes('xn--') ? (domain.split('.')[0] ?? '') : '';
  const handles = [url, ...Object.values(input)].flatMap((text) =>
    typeof text === 'string' ? [...(/^https?:\/\/[^/]+\/@?([\w.-]{2,})\/(?:status|video|photo)\//g.exec(text)?.slice(1, 2) ?? [])] : [],
  );
  return [label, ...handles].filter((name) => name.length >= 2 && !VOCABULARY.test(name));
}

/**
 * The smallest answer that fails as the given one does, without its personal values. Each of them is replaced by an invented one of the same form
 * before anything else is tried, so that no step can bring one back; then every part that the failure does not need is left out, and every text
 * that it does not need is replaced as well. Refused where the failure depends on a personal value.
 */
export async function makeCase(given: CaseInput, judge: Judge, random: Random, field?: string): Promise<CaseResult> {
  const outcome = await judge(given);
  const known = failuresOf(outcome, field);
  if (known.length === 0) return { ok: false, why: 'the answer is read without a failure' };
  const { text, encoding } = decodeBody(given.body);
  const invent = createInvention(random);
  const personal = [...personalIn(treeOf(text), outcome.resource), ...namesIn(given)];
  const clean = (value: string): string => withoutPersonal(value, personal, invent);
  const url = clean(given.url);
  // its keys are those of the contract, whatever the looked-up name is
  const input: object = Object.fromEntries(
    Object.entries(given.input).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]),
  );
  const failuresIn = async (body: string): Promise<readonly string[]> =>
    failuresOf(await judge({ body: Buffer.from(body, encoding), url, input }), field);

  const cleaned = clean(text);
  const after = await failuresIn(cleaned);
  const failure = known.find((one) => after.includes(one));
  if (failure === undefined) return { ok: false, why: 'it does not fail any more once its personal values are replaced' };
  const stillFails = async (body: string): Promise<boolean> => (await failuresIn(body)).includes(failure);
  const root = treeOf(cleaned);
  if (!(await stillFails(written(root)))) return { ok: false, why: 'it does not fail any more once it is written anew' };
  const reduced = !(await Promise.all(NOTHING.map(stillFails))).includes(true);
  if (reduced) await reduce(root, stillFails);
  const forms = createForms(random);
  const needed = await inventTexts(root, stillFails, forms);
  const body = written(root);
  const everything = [body, url, JSON.stringify(input)].join('\n');
  const left = personalLeft(everything, personal);
  if (left.length > 0) return { ok: false, why: `${left.length} personal values could not be replaced` };
  const own = new Set([...needed.map((node) => node.text), ...unchanged(root, forms)].map((one) => one.trim()));
  const texts = [...own].filter((one) => /\p{L}|\d/u.test(one));
  return { ok: true, made: { body: Buffer.from(body, encoding), url, input, replaced: personal.length, texts, reduced } };
}

/** Texts without a letter or digit that could be replaced stay as they are. */
const unchanged = (root: Node, invent: (text: string) => string): readonly string[] =>
  textsIn(root).flatMap(({ text }) => (invent(text) === text ? [text] : []));

/** Invented texts that stay the same for the same text, so that what agreed still agrees. Short words of markup stay. */
function createForms(random: Random): (text: string) => string {
  const made = new Map<string, string>();
  return (text) => {
    const before = made.get(text);
    if (before !== undefined) return before;
    const invented = /^(?:true|false|null|-?\d{1,4}(?:\.\d+)?)$/.test(text) ? text : sameForm(text, random);
    made.set(text, invented);
    return invented;
  };
}
