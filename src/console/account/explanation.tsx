import { useRoute } from 'preact-iso/router';
import type { RequestExplanation } from '../../contract/account/schemas.ts';
import { api } from '../app/api.ts';
import { contract } from '../app/session.ts';
import { duration, moment, plural } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { Facts, Tags } from '../parts/stated.tsx';
import { DataTable } from '../parts/table.tsx';
import { linkOf } from '../playground/request.ts';

/** The address of the playground with the parameters of the request; null where they are not known. */
function againOf({ operation, parameters }: RequestExplanation): string | null {
  const view = contract.value?.operations.find((o) => o.id === operation);
  if (!view || !parameters) return null;
  return linkOf(view, Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])));
}

function Explained({ request }: { request: RequestExplanation }) {
  const again = againOf(request);
  return (
    <>
      <section class="panel" aria-label="What happened">
        <p>
          <span class={request.status < 400 ? 'status good' : 'status bad'}>{request.status}</span> {request.code}{' '}
          {request.message && <>· {request.message}</>}
        </p>
        <p>
          <strong>{plural(request.credits, 'credit')} charged.</strong> {request.ruleInWords}
        </p>
        <Facts
          facts={[
            ['Time', moment(request.at)],
            ['Operation', request.operation],
            ['Parameters', request.parameters ? <code key="parameters">{JSON.stringify(request.parameters)}</code> : 'not valid'],
            ['Cache-Control', request.freshness ?? 'none'],
            ['Cache', request.cache ?? 'not asked'],
            ['Source', request.source ?? 'none'],
            ['Time taken', `${duration(request.durationMs)}, of it ${duration(request.upstreamMs)} at sources`],
            [
              'Receipt',
              request.receipt ? (
                <a href={`/console/ledger?receipt=${encodeURIComponent(request.receipt)}`}>{request.receipt}</a>
              ) : (
                'none: nothing was charged'
              ),
            ],
            ['Fields not read', <Tags key="unread" tags={request.unread} />],
            ['Key', request.keyId],
            ['Request id', <code key="id">{request.requestId}</code>],
            ['Label', request.label ?? 'none'],
            [
              'Same label',
              request.others.length
                ? request.others.map((o) => (
                    <a key={o.requestId} href={`/console/requests/${encodeURIComponent(o.requestId)}`}>
                      {moment(o.at)}{' '}
                    </a>
                  ))
                : 'no other request',
            ],
          ]}
        />
        {again && (
          <p>
            <a href={again}>Open in the playground</a>
          </p>
        )}
      </section>
      <section class="panel" aria-label="Attempts">
        <h2>Attempts at sources</h2>
        <DataTable
          caption="Attempts at sources"
          rows={request.attempts}
          keyOf={(_, at) => at}
          none="No source was asked."
          columns={[
            { name: 'Source', of: (a) => a.source },
            { name: 'Outcome', of: (a) => <span class={a.outcome === 'found' ? 'status good' : 'status bad'}>{a.outcome}</span> },
            { name: 'Time taken', numeric: true, of: (a) => duration(a.durationMs) },
            { name: 'Why', of: (a) => a.reason ?? '–' },
          ]}
        />
      </section>
    </>
  );
}

/** What happened to one request, and why it was charged or not. */
export function Explanation() {
  const { params } = useRoute();
  const requestId = params.requestId ?? '';
  const { loaded } = useLoaded(
    (signal) => api<RequestExplanation>(`/v1/account/requests/${encodeURIComponent(requestId)}`, { signal }),
    [requestId],
  );
  return (
    <Page title={`Request ${requestId}`} ofAccount>
      <p>
        <a href="/console/requests">All requests</a>
      </p>
      <Show loaded={loaded}>{(request) => <Explained request={request} />}</Show>
    </Page>
  );
}
