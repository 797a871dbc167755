import type { RequestExplanation } from '../../contract/account/schemas.ts';
import { api } from '../app/api.ts';
import { requestAt } from '../app/operations.ts';
import { Pill } from '../parts/card.tsx';
import { capital, duration } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { DataTable } from '../parts/table.tsx';
import type { Answer } from './answer.ts';

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
            rows={request.attempts}
            keyOf={(_, index) => index}
            none="No source was asked."
            columns={[
              { name: 'Source', of: (a) => a.source },
              { name: 'Outcome', of: (a) => <Pill tone={a.outcome === 'found' ? 'good' : 'bad'} text={capital(a.outcome)} /> },
              { name: 'What it said', of: (a) => a.reason ?? '–' },
              { name: 'Time', numeric: true, of: (a) => duration(a.durationMs) },
            ]}
          />
          <p>
            <a href={requestAt(requestId)}>The whole request</a>
          </p>
        </div>
      )}
    </Show>
  );
}
