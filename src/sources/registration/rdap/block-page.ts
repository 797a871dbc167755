import { type Answer, textOf } from '../../../upstream/answer.ts';
import { blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import { objectsOf } from '../../untyped-json.ts';

export const TOO_FAST = 'The registry limits the number of requests.';

/** Rate limits sent with a status other than 429, as worded in recorded answers. */
const QUOTA =
  /quota exceeded|(?:allowed )?quer(?:y|ies) exceeded|too (?:fast|many (?:requests|queries))|rate limit(?:ed)?\b.{0,40}\bexceeded|limit exceeded/i;

/** The outcome of a status other than 200 and 404, and of a rate limit under any status; null: parse the body. */
export function readBlockPage(answer: Answer, body: unknown): NotFound | null {
  const { status } = answer;
  const isJson = typeof body === 'object' && body !== null;
  const text = isJson ? '' : textOf(answer).slice(0, 20_000);
  const why = `HTTP ${status}`;
  const wait = retryAfterMs(answer.headers, answer.at);
  if (status === 429) return limited(TOO_FAST, wait, why);
  if (isQuota(status, body, text)) return limited(TOO_FAST, wait, why);
  if (status === 200 || status === 404) return null;
  if (status === 403) return blocked('The registry refuses to answer this service.', why);
  // anybody may send a 451, and a name is registered or free whatever the law withholds: WHOIS is asked next
  if (status === 451)
    return changed('The answer does not come from the registry, so it does not state whether the name is registered.', why);
  if (status >= 500) return unreachable('The registry is not able to answer now.', why);
  return refused('The registry did not accept the request.', why);
}

function isQuota(status: number, body: unknown, text: string): boolean {
  if (typeof body !== 'object' || body === null) return status !== 200 && status !== 404 && QUOTA.test(text);
  const answer = body as Record<string, unknown>;
  if (Number(answer.errorCode) === 429) return true;
  // a list of notices is the terms of use, which mention limits; a rate limit comes as a single object
  const notice = Array.isArray(answer.notices) ? [] : objectsOf([answer.notices]);
  const said = [...notice.flatMap((n) => [n.title, n.description]), answer.title, status === 200 ? '' : answer.description];
  return QUOTA.test(said.flat().map(String).join('\n'));
}
