import { mayRetry } from '../../contract/retryable.ts';
import { contract } from '../app/session.ts';
import { plural } from '../parts/format.ts';
import { type Answer, codeOf, messageOf, run } from './answer.ts';
import { adviceOf } from './errors.ts';

/** An error answer: what happened, whether it was charged, what to do. */
export function ErrorView({ answer }: { answer: Answer }) {
  const code = codeOf(answer) ?? 'UNEXPECTED';
  const entry = contract.value?.errors.find((e) => e.code === code && e.status === answer.status);
  const charged = Number(answer.received.get('x-credits-charged') ?? 0);
  const wait = answer.received.get('retry-after');
  const requestId = answer.received.get('x-request-id');
  return (
    <section class="error" role="alert">
      <h3>
        {answer.status || ''} <code>{code}</code>
      </h3>
      <p class="message">{messageOf(answer)}</p>
      {entry && entry.words !== messageOf(answer) && <p>{entry.words}</p>}
      <dl class="facts">
        <div>
          <dt>Charged</dt>
          <dd>{charged === 0 ? 'Nothing was charged.' : `${plural(charged, 'credit')} charged.`}</dd>
        </div>
        <div>
          <dt>What to do</dt>
          <dd>{adviceOf(code)}</dd>
        </div>
        {wait && (
          <div>
            <dt>Wait</dt>
            <dd>{plural(Number(wait), 'second')}</dd>
          </div>
        )}
        {requestId && (
          <div>
            <dt>Request id</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </div>
        )}
      </dl>
      {entry && mayRetry(entry.retryable, wait ? Number(wait) * 1000 : null) && (
        <button type="button" onClick={() => void run(answer.operation, answer.values, answer.headers)}>
          Run again
        </button>
      )}
    </section>
  );
}
