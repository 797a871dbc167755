import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestExplanation } from '../../contract/account/schemas.ts';
import { mayRetry } from '../../contract/retryable.ts';
import { requestAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api, contract } from '../app/session.ts';
import { Button, LinkButton } from '../parts/controls.tsx';
import { Pill } from '../parts/display.tsx';
import { capital, clock, withMoments } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { later, Show, useLoaded, useNow } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import { type Answer, run } from './answer.ts';
import { Cure } from './cure.tsx';
import { adviceOf, titleOf } from './errors.ts';
import { STALE_SECONDS } from './request.ts';

const Cures = later(async () => (await import('./cures.tsx')).Cures);
/** No fault of the service, but something that is missing: it is no alarm. */
const MISSING: ReadonlySet<number> = new Set([402, 404, 501]);

/** The same request once more: its wait counts down on the button, and asked to, it runs by itself after it. */
function Again({ left }: { left: number }) {
  const waits = useSignal(false);
  useEffect(() => {
    if (waits.value && left <= 0) void run(null);
  }, [left <= 0]);
  return (
    <>
      <Cure class="primary" icon="refresh" text={left > 0 ? `Run again in ${clock(left)}` : 'Run again'} />
      {left > 0 && (
        <Button
          icon="clock"
          aria-pressed={waits.value}
          text={waits.value ? 'Runs by itself then' : 'Let it run by itself'}
          onClick={() => (waits.value = !waits.value)}
        />
      )}
    </>
  );
}

/** Some messages of the service say it themselves. */
const FREE = 'Nothing was charged.';

const PAGES: ReadonlyMap<string, { readonly path: string; readonly name: string }> = new Map(
  Object.entries({
    FORBIDDEN: { path: '/console/keys', name: 'Keys' },
  }),
);

export function ErrorView({ shown }: { shown: Answer }) {
  const { code, message } = shown.error ?? { code: '', message: '' };
  const entry = contract.value?.errors.find((e) => e.code === code && e.status === shown.status);
  const waitMs = Number(shown.received.get('retry-after') ?? 0) * 1000;
  const left = Math.ceil((shown.at.getTime() + waitMs - useNow(1000)) / 1000);
  const page = PAGES.get(code);
  const isOfSources = shown.status === 502;
  return (
    <section class="error stack" role="alert">
      <div class="headline">
        <span class={MISSING.has(shown.status) ? 'tile warn' : 'tile bad'}>
          <Icon name={MISSING.has(shown.status) ? 'info' : 'warning'} large />
        </span>
        <div>
          <h2>{titleOf(code, shown.operation)}</h2>
          <p class="message">{withMoments(message)}</p>
          <p class="about">
            {!message.includes(FREE) && `${FREE} `}
            {adviceOf(code)} <code>{code}</code>
          </p>
        </div>
      </div>
      <div class="actions">
        {(entry ? mayRetry(entry.retryable, waitMs || null) : code === 'UNREACHABLE') && <Again left={left} />}
        {isOfSources && !shown.headers['Cache-Control']?.includes('stale-if-error') && (
          <Cure icon="clock" query={{ _stale: STALE_SECONDS }} text="Accept an answer up to 24 h old" />
        )}
        {code === 'NOT_CACHED' && <Cure icon="play" query={{ _age: null }} text="Ask the source" />}
        {page && <LinkButton href={pageAt(page.path)} text={page.name} />}
      </div>
      {MISSING.has(shown.status) && <Cures shown={shown} />}
      {isOfSources && shown.received.has('x-request-id') && <TraceView shown={shown} attemptsOnly />}
    </section>
  );
}

export function TraceView({ shown, attemptsOnly = false }: { shown: Answer; attemptsOnly?: boolean }) {
  const requestId = encodeURIComponent(shown.received.get('x-request-id') ?? '');
  const { loaded } = useLoaded((signal) => api<RequestExplanation>(`/v1/account/requests/${requestId}`, { signal }), [requestId]);
  return (
    <Show loaded={loaded}>
      {(request) => (
        <div class="stack">
          {!attemptsOnly && <p>{request.ruleInWords}</p>}
          <h2>{attemptsOnly ? 'What was tried' : 'Attempts at sources'}</h2>
          <DataTable
            caption="Attempts at sources"
            class="steps"
            rows={request.attempts}
            none="No source was asked."
            columns={[
              { name: 'Source', value: (a) => a.source },
              { name: 'Outcome', of: (a) => <Pill tone={a.outcome === 'found' ? 'good' : 'bad'} text={capital(a.outcome)} /> },
              { name: 'What it said', value: (a) => a.reason },
              { name: 'Time', as: 'duration', value: (a) => a.durationMs },
            ]}
          />
          <a href={requestAt(requestId)}>The whole request</a>
        </div>
      )}
    </Show>
  );
}
