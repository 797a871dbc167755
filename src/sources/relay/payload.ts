import type { Input } from '../../contract/operations/index.ts';
import { type Answer, bodyText } from '../../upstream/answer.ts';
import { readerOf } from '../index.ts';
import { changed, type Outcome, refused } from '../outcome.ts';
import { parseJson, valueAt } from '../untyped-json.ts';

/** At a JSON pointer (RFC 6901): a string is the body itself (such as a page), any other value is JSON; null if there is none. */
export function payloadOf(pointer: readonly string[], body: string): string | null {
  if (pointer.length === 0) return body;
  const payload = valueAt(parseJson(body), ...pointer);
  if (payload === undefined || payload === null) return null;
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

export async function readPayload(
  answer: Answer,
  { pointer, reader, input }: { readonly pointer: readonly string[]; readonly reader: string; readonly input: Input },
): Promise<Outcome> {
  const read = await readerOf(reader)?.load();
  if (!read) return refused('The data provider is not set up.', `no reader ${reader}`);
  const payload = payloadOf(pointer, bodyText(answer));
  if (payload === null) return changed('The data provider answered in a form that is not known.', `nothing at /${pointer.join('/')}`);
  // the parser gets the platform's answer: neither the provider's URL, which may contain a key, nor its headers
  return read({ status: 200, headers: {}, body: new TextEncoder().encode(payload), url: '', atMs: answer.atMs }, input);
}
