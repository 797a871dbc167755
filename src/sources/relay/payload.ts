import type { Input } from '../../contract/operations/index.ts';
import { type Answer, textOf } from '../../upstream/answer.ts';
import { changed, type Outcome, refused } from '../outcome.ts';
import { readerOf } from '../readers.ts';
import { parseJson } from '../untyped-json.ts';
import { follow } from './pointer.ts';

/** The payload as the parser expects it: a string is the body itself (such as a page), any other value is JSON. */
export function payloadOf(relay: { readonly pointer: readonly string[] }, body: string): string | null {
  if (relay.pointer.length === 0) return body;
  const payload = follow(parseJson(body), relay.pointer);
  if (payload === undefined || payload === null) return null;
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

export interface PayloadInput {
  readonly pointer: readonly string[];
  /** The parser in READERS that parses the payload. */
  readonly reader: string;
  readonly input: Input;
}

/** Parses the value at the JSON pointer of a data provider's answer. */
export async function readPayload(answer: Answer, { pointer, reader, input }: PayloadInput): Promise<Outcome> {
  const entry = readerOf(reader);
  if (!entry) return refused('The data provider is not set up.', `no reader ${reader}`);
  const payload = payloadOf({ pointer }, textOf(answer));
  if (payload === null) return changed('The data provider answered in a form that is not known.', `nothing at /${pointer.join('/')}`);
  const read = await entry.load();
  // the parser gets the platform's answer: neither the provider's URL, which may contain a key, nor its headers
  return read({ status: 200, headers: {}, body: new TextEncoder().encode(payload), url: '', at: answer.at }, input);
}
