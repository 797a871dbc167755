import { api } from '../app/api.ts';
import { duration, moment, number, share } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import type { CanaryResult, SourceState } from './admin-api.ts';

function State({ source }: { source: SourceState }) {
  if (!source.configured)
    return (
      <>
        <span class="label">not configured</span>
        <br />
        <span class="small">needs {source.lacking.join(', ') || 'other settings'}</span>
      </>
    );
  const labels = [
    source.breaker === 'closed' ? <span class="label good">ready</span> : <span class="label bad">breaker {source.breaker}</span>,
    source.restingUntil && <span class="small"> rests until {moment(source.restingUntil)}</span>,
  ];
  return <>{labels}</>;
}

/** The announced end of the interface, and terms that forbid automated access. */
function Notes({ source: { sunset, terms } }: { source: SourceState }) {
  return (
    <>
      {sunset && (
        <p class="small">
          <span class="label bad">ends {sunset.date}</span> {sunset.what} What remains: {sunset.instead}.{' '}
          <a href={sunset.reference}>Announcement</a>
        </p>
      )}
      {terms !== null && <p class="small">{terms} SIGHTLINE_SOURCES_OFF switches the source off.</p>}
    </>
  );
}

function Spending({ spending }: { spending: SourceState['spending'] }) {
  if (!spending) return <>no cap</>;
  return (
    <>
      {number(spending.requestsToday)} of {number(spending.maxRequestsPerDay)} requests
      <br />
      <span class="small">
        {spending.usdToday.toFixed(2)} of {spending.maxUsdPerDay.toFixed(2)} US dollars
      </span>
    </>
  );
}

const failuresOf = ({ failures }: SourceState['last24h']): string =>
  Object.entries(failures)
    .map(([tag, count]) => `${tag} ${number(count)}`)
    .join(', ') || 'none';

function Canaries({ canaries }: { canaries: readonly CanaryResult[] }) {
  return (
    <DataTable
      caption="Canaries: daily lookups with facts that must hold"
      rows={canaries}
      keyOf={(c) => c.name}
      columns={[
        { name: 'Canary', of: (c) => c.name },
        { name: 'Operation', of: (c) => c.operation },
        { name: 'Source', of: (c) => c.source ?? 'none' },
        { name: 'Last lookup', of: (c) => moment(c.at) },
        { name: 'Result', of: (c) => (c.ok ? <span class="label good">holds</span> : <span class="label bad">fails</span>) },
        { name: 'What does not hold', of: (c) => c.why ?? 'nothing' },
      ]}
    />
  );
}

/** Every source: whether it is configured, its breaker, its last 24 hours, what it spent today. */
export function Sources() {
  const { loaded, reload } = useLoaded(
    (signal) => api<{ readonly sources: readonly SourceState[]; readonly canaries: readonly CanaryResult[] }>('/sources', { signal }),
    [],
  );
  return (
    <Page
      title="Sources"
      actions={
        <button type="button" onClick={() => void reload()}>
          Read again
        </button>
      }
    >
      <p class="small">Breaker and the last 24 hours are those of the process that answers, since its start.</p>
      <section class="panel" aria-label="Sources">
        <Show loaded={loaded}>
          {({ sources, canaries }) => (
            <>
              <DataTable
                caption="Sources"
                rows={sources}
                keyOf={(s) => s.name}
                columns={[
                  {
                    name: 'Source',
                    of: (s) => (
                      <>
                        <strong>{s.name}</strong>
                        <br />
                        <span class="small">{s.operations.join(', ')}</span>
                        <Notes source={s} />
                      </>
                    ),
                  },
                  { name: 'State', of: (s) => <State source={s} /> },
                  { name: 'Attempts in 24 h', numeric: true, of: (s) => number(s.last24h.attempts) },
                  { name: 'Success', numeric: true, of: (s) => (s.last24h.successShare === null ? '–' : share(s.last24h.successShare)) },
                  { name: 'Median time', numeric: true, of: (s) => (s.last24h.medianMs === null ? '–' : duration(s.last24h.medianMs)) },
                  { name: 'Failures', of: (s) => failuresOf(s.last24h) },
                  { name: 'Spent today', of: (s) => <Spending spending={s.spending} /> },
                  { name: 'Drifting fields', of: (s) => s.drifting.join(', ') || 'none' },
                ]}
              />
              {canaries.length > 0 && <Canaries canaries={canaries} />}
            </>
          )}
        </Show>
      </section>
    </Page>
  );
}
