import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { blocked, changed, limited, type NotFound, queued, refused, retryAfterMs, timeout, unreachable } from '../../outcome.ts';
import { type JsonObject, objectOf, objectsOf, strictNumberIn, trimmedIn } from '../../untyped-json.ts';

/**
 * The provider answers HTTP 200 for nearly everything. Two status codes decide, that of the answer and that of its task; a task may fail in
 * an answer whose own status is ok. (docs.dataforseo.com/v3/appendix/errors)
 */
export type Opened =
  | { tag: 'result'; result: JsonObject; task: JsonObject; cost: number | null }
  | { tag: 'nothing-found'; cost: number | null }
  | NotFound;

const OK = 20_000;
const NOTHING = 40_102;

export function openEnvelope(answer: Answer): Opened {
  const { status, headers, at } = answer;
  const body = objectOf(jsonOf(answer));
  const code = strictNumberIn(body?.status_code);
  const said = `HTTP ${status}, ${code ?? 'no status'} ${trimmedIn(body?.status_message) ?? ''}`.trim();
  if ((status === 404 && code === null) || status === 410 || status === 451)
    return changed('The answer does not come from the data provider.', said);
  if (status === 401 || status === 402 || status === 403 || status === 404) return refused('The data provider refused our account.', said);
  if (status === 400 || status === 414) return refused('The data provider did not accept the request.', said);
  if (status === 429) return limited('The data provider asks to slow down.', retryAfterMs(headers, at), said);
  if (status >= 500) return unreachable('The data provider failed.', said);
  if (!body || code === null) return changed('The answer of the data provider has an unknown shape.', said);
  if (isQueued(code)) return queued(retryAfterMs(headers, at), said);
  if (code !== OK) return failure(code, said);
  const [task] = objectsOf(body.tasks);
  const taskCode = strictNumberIn(task?.status_code);
  if (!task || taskCode === null) return changed('The answer of the data provider holds no task.', said);
  const cost = strictNumberIn(body.cost) ?? strictNumberIn(task.cost);
  if (taskCode === NOTHING) return { tag: 'nothing-found', cost };
  if (isQueued(taskCode)) return queued(retryAfterMs(headers, at), `task ${taskCode}`);
  if (taskCode !== OK) return failure(taskCode, `task ${taskCode} ${trimmedIn(task.status_message) ?? ''}`);
  const [result] = objectsOf(task.result);
  return result
    ? { tag: 'result', result, task, cost }
    : changed('The answer of the data provider holds no result.', `task ${taskCode} without result`);
}

/** Task created, handed over, in the queue. */
const isQueued = (code: number): boolean => code === 20_100 || code === 40_601 || code === 40_602;

function failure(code: number, said: string): NotFound {
  // the engine failed after the provider's retries; this call is billed, and so is a repeated one
  if (code === 40_101) return refused('The data provider could not read the result page.', said);
  if (code === 40_202 || code === 40_209) return limited('The data provider asks to slow down.', null, said);
  if (code === 40_100 || (code >= 40_200 && code < 40_300)) return refused('The data provider refused our account.', said);
  if (code === 50_401) return timeout('The data provider ran out of time.', said);
  if (code >= 50_000) return unreachable('The data provider failed.', said);
  if (code === 40_103) return blocked('The data provider was turned away by the search engine.', said);
  return refused('The data provider did not accept the request.', said);
}

/** The cost of a call in USD, and why the provider refused it. */
export interface Bill {
  readonly cost: number | null;
  readonly refusal: string | null;
}
export function readBill(answer: Answer): Bill {
  const opened = openEnvelope(answer);
  return {
    cost: 'cost' in opened ? opened.cost : null,
    refusal: opened.tag === 'refused' ? (opened.detail ?? '') : null,
  };
}
