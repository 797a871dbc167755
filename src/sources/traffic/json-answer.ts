import { type Answer, jsonOf } from '../../upstream/answer.ts';
import { blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../outcome.ts';
import { isObject, type JsonObject } from '../untyped-json.ts';

/** The JSON object of an answer; otherwise the outcome, decided by the status and then by the shape. */
export function jsonObjectOf(
  answer: Answer,
  provider: string,
): { ok: true; value: JsonObject; status: number } | { ok: false; outcome: NotFound } {
  const no = (outcome: NotFound) => ({ ok: false as const, outcome });
  const { status, headers } = answer;
  const value = jsonOf(answer);
  if (status === 429) return no(limited(`${provider} limits the number of requests.`, retryAfterMs(headers, answer.at)));
  if (status >= 500) return no(unreachable(`${provider} failed.`, `status ${status}`));
  if (value === undefined && status === 403) return no(blocked(`${provider} refused the request.`, 'status 403 without JSON'));
  if (status === 401 || status === 402 || status === 403)
    return no(refused(`${provider} did not accept the request.`, `status ${status}: credentials, quota or plan`));
  if (status === 410 || status === 451) return no(changed(`The answer does not come from ${provider}.`, `status ${status}`));
  if (!isObject(value) && (status === 400 || status === 414))
    return no(refused(`${provider} did not accept the request.`, `status ${status}`));
  if (!isObject(value))
    return no(changed(`${provider} answered in a shape that is not known.`, `status ${status}, ${answer.body.length} bytes`));
  return { ok: true, value, status };
}
