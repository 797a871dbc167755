import { at, idIn, type JsonObject, listOf, objectOf, objectsOf } from '../../untyped-json.ts';

/** The result object, unwrapped from the visibility wrapper of some posts. */
export const unwrap = (result: unknown): JsonObject | null => {
  const fields = objectOf(result);
  return fields?.__typename === 'TweetWithVisibilityResults' || (fields && !fields.legacy && objectOf(fields.tweet))
    ? objectOf(fields.tweet)
    : fields;
};
export const idOf = (result: JsonObject): string | null => idIn(result.rest_id) ?? idIn(at(result, 'legacy', 'id_str'));

/** Timelines (`instructions`) at any path below `data`; the first is often only a TimelineClearCache. */
const instructionsOf = (data: JsonObject): readonly JsonObject[] =>
  Object.values(data).flatMap((value) =>
    [value, at(value, 'timeline'), at(value, 'timeline', 'timeline')].flatMap((v) => objectsOf(at(v, 'instructions'))),
  );

export interface Envelope {
  /** The result for the requested id, unwrapped; null if the envelope contains none. */
  readonly result: JsonObject | null;
  /** The envelope contains an empty object in place of a result. */
  readonly empty: boolean;
  /** The id of another post, if only that was returned. */
  readonly other: string | null;
  /** The only envelope that clients without an account receive; its `reply_count` has always been 0 since September 2024. */
  readonly anonymous: boolean;
}

/**
 * The result object in every envelope known (recordings/social/NOTES.md 2.2): TweetResultByRestId, …ByIdQuery, …ByRestIds, …ByIdsQuery,
 * TweetDetail and its like, a bare result, or one inside `data`.
 */
export function openEnvelope(root: unknown, asked: string | null): Envelope {
  const top = objectOf(root) ?? {};
  const data = objectOf(top.data) ?? (top.errors ? {} : top);
  const singles = [data.tweetResult, data.tweet_result, data.tweet_results, data.tweet].flatMap((v) =>
    Array.isArray(v) ? listOf(v) : [v ?? []].flat(),
  );
  const entries = instructionsOf(data).flatMap((i) => objectsOf(i.entries));
  const focal = entries.filter((e) => e.entryId === `tweet-${asked}`).map((e) => at(e, 'content', 'itemContent', 'tweet_results'));
  const bare = data.rest_id || data.__typename ? [{ result: data }] : objectOf(data.result) ? [data] : [];
  const holders: readonly unknown[] = [...focal, ...singles, ...bare];
  const results = holders.flatMap((holder): JsonObject[] => {
    const result = unwrap(at(holder, 'result'));
    return result ? [result] : [];
  });
  // a holder of an unknown form does not mean that there is no post
  const isUnknown = holders.some((holder) => {
    const keys = Object.keys(objectOf(holder) ?? {});
    return keys.includes('result') ? (at(holder, 'result') ?? null) !== null && unwrap(at(holder, 'result')) === null : keys.length > 0;
  });
  const isTold = (r: JsonObject): boolean => idOf(r) === null;
  const result = results.find((r) => idOf(r) === asked) ?? results.find(isTold) ?? (asked === null ? results[0] : undefined) ?? null;
  return {
    result,
    empty: results.length === 0 && entries.length === 0 && !isUnknown,
    anonymous: objectOf(data.tweetResult) !== null,
    other: result ? null : (results.map(idOf).find((id) => id !== null) ?? null),
  };
}
