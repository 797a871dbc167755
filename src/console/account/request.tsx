import type { ComponentChildren } from 'preact';
import type { AccountLedger, RequestExplanation } from '../../contract/account/schemas.ts';
import { operationName, operationOf, requestAt, watchAt, workbenchAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api, session } from '../app/session.ts';
import { Legend } from '../charts/chart.tsx';
import { admin } from '../parts/admin.tsx';
import { CopyButton, LinkButton } from '../parts/controls.tsx';
import { Card, type Fact, Facts, Pill, Tags, Time } from '../parts/display.tsx';
import { capital, duration, moment, number, plural } from '../parts/format.ts';
import { pageOf } from '../parts/page.tsx';
import { type Stat, Stats } from '../parts/stats.tsx';
import { DataTable } from '../parts/table.tsx';
import { KeyName, readKeyNames } from './key-names.tsx';
import { receiptAt } from './ledger.tsx';
import { parametersInWords } from './requests.tsx';
import '../parts/grid.css';

/** The request, what the operator sees beyond it, and the entries of the ledger under its receipt. */
async function readRequest(id: string, signal: AbortSignal) {
  const request = await api<RequestExplanation>(`/v1/account/requests/${encodeURIComponent(id)}`, { signal });
  const { requestId, receipt } = request;
  const [operator, ledger] = await Promise.all([
    session.value?.kind === 'operator' ? admin('explainRequest', { requestId }, signal) : null,
    receipt ? api<AccountLedger>('/v1/account/ledger', { query: { receipt }, signal }) : null,
    readKeyNames([request], signal),
  ]);
  return { request, operator, entries: ledger?.entries ?? [] };
}
type ReadRequest = Awaited<ReturnType<typeof readRequest>>;

const PLACES = { here: ['d4', 'here'], source: ['d1', 'at a source'], failed: ['failed', 'without an answer'] } as const;

interface Step {
  readonly name: string;
  readonly note: ComponentChildren;
  readonly detail?: string | null | undefined;
  /** Milliseconds since the arrival of the request. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly where: keyof typeof PLACES;
}

function Waterfall({ steps, totalMs }: { steps: readonly Step[]; totalMs: number }) {
  const end = Math.max(1, totalMs, ...steps.map(({ startMs, durationMs }) => startMs + durationMs));
  const percent = (ms: number): string => `${(ms / end) * 100}%`;
  const bar = ({ startMs, durationMs, where }: Step) => (
    <svg width="100%" height="12" role="img" aria-label={`begins after ${duration(startMs)}`}>
      <line x1="0" x2="100%" y1="6" y2="6" />
      <g class={PLACES[where][0]}>
        <rect x={percent(startMs)} width={percent(durationMs)} height="12" rx="2" />
        <rect x={percent(startMs)} width="2" height="12" />
      </g>
    </svg>
  );
  return (
    <>
      <Legend entries={Object.values(PLACES)} />
      <DataTable
        caption="Steps of the request"
        class="steps waterfall"
        rows={steps}
        columns={[
          { name: 'Step', isHead: true, of: ({ name }) => name },
          { name: 'What', of: ({ note, detail }) => [note, detail && <p class="caption">{detail}</p>] },
          { name: 'Begin', of: bar },
          { name: 'Time', as: 'number', of: (s) => (s.durationMs === 0 ? `at ${duration(s.startMs)}` : duration(s.durationMs)) },
        ]}
      />
    </>
  );
}

const STEPS = {
  admission: { name: 'Admission', note: 'key, rate, parameters' },
  cache: { name: 'Cache', note: 'nothing kept that is fresh enough' },
  hold: { name: 'Hold', note: 'durable before the work' },
  answer: { name: 'Check and answer', note: 'schema, cache, last byte' },
} as const;

function stepsOf({ request, operator, entries }: ReadRequest): readonly Step[] {
  const steps: Step[] = request.steps.map(({ step, ...times }) => ({ ...times, ...STEPS[step], where: 'here' }));
  const captured = entries.find(({ kind }) => kind === 'capture');
  if (captured && steps.length > 0) {
    const startMs = Math.max(0, Date.parse(captured.at) - Date.parse(request.at));
    steps.push({ name: 'Capture', note: 'after the last byte', startMs, durationMs: 0, where: 'here' });
  }
  for (const [i, { source, outcome, startMs, durationMs, reason }] of request.attempts.entries()) {
    if (startMs === null) continue;
    const tone = outcome === 'found' ? 'good' : outcome === 'absent' ? 'plain' : 'warn';
    const [note, where] = [<Pill key="outcome" tone={tone} text={capital(outcome)} />, outcome === 'found' ? 'source' : 'failed'] as const;
    steps.push({ name: source, note, detail: operator?.details[i] ?? reason, startMs, durationMs, where });
  }
  return steps.sort((a, b) => a.startMs - b.startMs);
}

const CACHE_WORDS: ReadonlyMap<string, string> = new Map(Object.entries({ stale: 'Stale answer', collapsed: 'Joined another request' }));
const named = (text: string) => <span class="name-figure">{text}</span>;

const statsOf = (r: RequestExplanation): readonly Stat[] => [
  ['Status', String(r.status), r.code ?? 'answered'],
  ['Charged', number(r.credits), r.credits === 1 ? 'credit' : 'credits'],
  ['Total', duration(r.durationMs), `${duration(r.upstreamMs)} at sources`],
  ['Source', named(r.source ?? 'none'), r.attempts.length === 0 ? 'no source was asked' : plural(r.attempts.length, 'attempt')],
  ['Cache', named(r.cache ? (CACHE_WORDS.get(r.cache) ?? capital(r.cache)) : 'Not asked'), r.freshness ?? 'no Cache-Control'],
];

function factsOf({ request: { requestId, receipt, label, others }, entries }: ReadRequest): readonly Fact[] {
  const link = (href: string, text: string) => (
    <a key={href} href={href}>
      <code>{text}</code>{' '}
    </a>
  );
  const same = others.map((other) => link(requestAt(other.requestId), moment(other.at)));
  return [
    ['Receipt', receipt ? link(receiptAt(receipt), receipt) : undefined],
    ...entries.map((e): Fact => [capital(e.kind), <Time key={e.kind} at={e.at} />]).reverse(),
    ['Request id', <code key="id">{requestId}</code>],
    // checks have their watch as label
    ['Label', label?.startsWith('wat_') ? link(watchAt(label), label) : (label ?? undefined)],
    ['Same label', same.length > 0 ? same : undefined],
  ];
}

const attemptOf = ({ source, outcome, durationMs, reason }: RequestExplanation['attempts'][number]): Fact => [
  source,
  `${outcome}, ${duration(durationMs)}${reason ? `: ${reason}` : ''}`,
];

function Explained({ data }: { data: ReadRequest }) {
  const { request, operator } = data;
  const { operation, parameters, attempts, unread } = request;
  const steps = stepsOf(data);
  const why = (
    <Card title={request.credits > 0 ? 'Why it was charged' : 'Why it was free'}>
      <p>{request.ruleInWords}</p>
      <Facts facts={factsOf(data)} />
    </Card>
  );
  const before =
    steps.length > 0 ? (
      <Card title="Where the time went">
        <Waterfall steps={steps} totalMs={request.durationMs} />
      </Card>
    ) : attempts.length > 0 ? (
      <Card title="Attempts at sources">
        <Facts facts={attempts.map(attemptOf)} />
      </Card>
    ) : null;
  return (
    <>
      <header class="lead">
        <div class="grow">
          <h2>{parametersInWords(request) || operationName(operation)}</h2>
          <p class="caption">
            {operationName(operation)} · {moment(request.at)} · key <KeyName id={request.keyId} />
          </p>
        </div>
        <CopyButton text={() => location.href}>Copy link</CopyButton>
        {operationOf(operation) && parameters && (
          <>
            <LinkButton icon="refresh" href={workbenchAt(operation, { ...parameters, _age: 'new' })} text="Run again" />
            <LinkButton class="primary" href={workbenchAt(operation, parameters)} text="Open in Workbench" />
          </>
        )}
      </header>
      {request.message && <p class="problem">{request.message}</p>}
      <Stats stats={statsOf(request)} />
      <div class="columns">
        <div class="stack">{before ?? why}</div>
        <div class="stack">
          {before && why}
          <Card title="Fields not read">{unread.length > 0 && <Tags tags={unread} />}</Card>
          <Card title="Evidence">
            {operator?.captures.map((id) => (
              <a key={id} href={`/console/evidence/${id}`}>{`Capture ${id.slice(0, 8)}`}</a>
            ))}
          </Card>
          <Card title="Parameters">{parameters && <Facts facts={parameters} />}</Card>
        </div>
      </div>
    </>
  );
}

export const Request = pageOf(
  'requestId',
  (id) => ({ title: `Request ${id}`, back: [pageAt('/console/requests'), 'Requests'], load: (signal) => readRequest(id, signal) }),
  Explained,
);
