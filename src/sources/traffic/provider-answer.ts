import { isObject, type JsonObject } from '../../contract/json-object.ts';
import { TrafficEstimate as Schema, type TrafficEstimate } from '../../contract/operations/traffic/operation.ts';
import { type Answer, jsonOf } from '../../upstream/answer.ts';
import { evidenceIn } from '../evidence.ts';
import { changed, failureOfStatus, type NotFound } from '../outcome.ts';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));

/** Without any value: every field is null, or a list without entries. */
export function emptyEstimate(domain: string, atMs: number): TrafficEstimate {
  const fields = Object.entries(Schema.properties).map(([name, schema]) => [name, 'items' in schema ? [] : null]);
  const empty: Record<string, unknown> = Object.fromEntries(fields);
  return { ...(empty as TrafficEstimate), domain, method: 'panel', confidence: 'high', scrapedAt: new Date(atMs).toISOString() };
}

export const notKnown = (provider: string, detail: string) => changed(`${provider} answered in a shape that is not known.`, detail);

/** The failure that a status other than 200 states. 403 without JSON is a block page, with it our key or plan. */
export const failureOfProvider = (answer: Answer, who: string, isJson: boolean): NotFound =>
  answer.status < 400
    ? notKnown(who, `status ${answer.status}`)
    : failureOfStatus(answer, {
        who,
        gone: 'The answer does not come from the provider.',
        credentials: isJson ? [401, 402, 403] : [401, 402],
      });

export function jsonObjectOf(answer: Answer, provider: string): { readonly tag: 'json'; readonly value: JsonObject } | NotFound {
  const value = jsonOf(answer);
  if (answer.status !== 200) return failureOfProvider(answer, provider, value !== undefined);
  return isObject(value) ? { tag: 'json', value } : notKnown(provider, `${answer.body.length} bytes`);
}
