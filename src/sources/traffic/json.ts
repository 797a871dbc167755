import { type Answer, jsonOf, textOf } from '../../outside/answer.ts';
import { blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../outcome.ts';

/** What a challenge or a wall looks like, whatever its status: AWS WAF, CloudFront, Cloudflare, any page where JSON is due. */
const WALL = /challenge|captcha|human verification|just a moment|_cf_chl_opt|request blocked|access denied|are you a robot/i;

export type JsonObject = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object of an answer, or why there is none: a wall outranks the status, then the status speaks, then the shape. */
export function objectOf(answer: Answer, who: string): { ok: true; value: JsonObject; status: number } | { ok: false; outcome: NotFound } {
  const no = (outcome: NotFound) => ({ ok: false as const, outcome });
  const { status, headers } = answer;
  const value = jsonOf(answer);
  const action = headers['x-amzn-waf-action'];
  if (action || (value === undefined && WALL.test(textOf(answer).slice(0, 20_000))))
    return no(blocked(`${who} closed its door (challenge or wall).`, `status ${status}`));
  if (status === 429) return no(limited(`${who} limits how often it may be asked.`, retryAfterMs(headers, answer.at)));
  if (status >= 500) return no(unreachable(`${who} failed (its own error).`, `status ${status}`));
  if (value === undefined && status === 403) return no(blocked(`${who} closed its door.`, 'status 403 without JSON'));
  if (status === 401 || status === 402 || status === 403)
    return no(refused(`${who} did not accept the request.`, `status ${status}: credentials, quota or plan`));
  if (status === 451) return no(blocked(`${who} is closed to this service for legal reasons.`, 'status 451'));
  if (!isObject(value) && (status === 400 || status === 414)) return no(refused(`${who} did not accept the request.`, `status ${status}`));
  if (!isObject(value))
    return no(changed(`${who} answered in a shape that is not known.`, `status ${status}, ${answer.body.length} bytes`));
  return { ok: true, value, status };
}
