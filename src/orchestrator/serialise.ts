import { hash } from 'node:crypto';
import { OPERATIONS, type Operation, type OperationId, type Resource } from '../contract/operations/index.ts';
import { changed, type Found, type NotFound, type Outcome } from '../sources/outcome.ts';
import type { Check } from './check.ts';
import { type FieldPresence, presenceIn } from './field-presence.ts';

/** A resource that satisfies the contract, serialised once: where the attempt was made. */
export interface SerialisedResource {
  /** JSON, as it is cached and sent. */
  readonly bytes: Buffer;
  /** Weak entity tag over the resource without the times at which it was read. */
  readonly etag: string;
  /** Freshness lifetime from the end of the attempt. */
  readonly freshForMs: number;
  /** Which of its fields have a value. */
  readonly fields: FieldPresence;
}
/** Outcome of an attempt as an engine returns it. */
export type AttemptOutcome = (Omit<Found, 'resource'> & { readonly resource: SerialisedResource }) | NotFound;

/** Checks a found resource against the contract and serialises it; `changed` if it does not fit. */
export async function serialise(operation: OperationId, outcome: Outcome<Resource>, check: Check, nowMs: number): Promise<AttemptOutcome> {
  if (outcome.tag !== 'found') return outcome;
  const { resource } = outcome;
  const wrong = await check(operation, resource);
  if (wrong !== null) return changed('The answer of the source does not fit the contract.', wrong);
  const text = JSON.stringify(resource);
  const { freshForMs }: Operation = OPERATIONS[operation];
  const bytes = Buffer.from(text);
  const serialised = { bytes, etag: etagOf(resource, text), freshForMs: freshForMs(resource, nowMs), fields: presenceIn(resource) };
  return { ...outcome, resource: serialised };
}

/** Members that say when a resource was read. */
const TIMES = ['scrapedAt', 'checkedAt'] as const;

/** `text`: the resource as JSON. The tag is over the same text without the members of `TIMES`. */
export function etagOf(resource: object, text: string): string {
  let hashed = text;
  for (const name of TIMES) if (name in resource) hashed = withoutMember(resource, hashed, name);
  return `W/"${hash('sha256', hashed, 'base64url').slice(0, 22)}"`;
}
function withoutMember(resource: object, text: string, name: (typeof TIMES)[number]): string {
  const member = `"${name}":${JSON.stringify(Reflect.get(resource, name))}`;
  const at = text.indexOf(member);
  if (at < 0) return text;
  // the text occurs in a nested object, too: only the member of the resource itself is a time of reading
  if (text.indexOf(member, at + 1) >= 0) return JSON.stringify({ ...JSON.parse(text), [name]: undefined });
  const end = at + member.length;
  return text[end] === ',' ? text.slice(0, at) + text.slice(end + 1) : text.slice(0, text[at - 1] === ',' ? at - 1 : at) + text.slice(end);
}
