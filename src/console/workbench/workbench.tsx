import { useEffect } from 'preact/hooks';
import type { AccountRequests } from '../../contract/account/schemas.ts';
import { opened } from '../app/keys.tsx';
import { operationIcon, operationName, operationOf, requestAt } from '../app/operations.ts';
import { place } from '../app/place.ts';
import { api } from '../app/session.ts';
import { Chip, CopyButton, Status } from '../parts/controls.tsx';
import { Meter, Pill, StatusPill } from '../parts/display.tsx';
import { duration, inWords, moment, plural, span } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { later, Page, Problem, useLoaded, useNow } from '../parts/page.tsx';
import { type Answer, answer, hasChanged, history, openPast, type Running, reopen, running, stopped } from './answer.ts';
import { StartView } from './lookups.tsx';
import { QueryBar } from './query-bar.tsx';
import { form, givenOf, quoteOf } from './request.ts';

const ANNOUNCE_SECONDS = 10;
/** Requests of the log in which the source of a running lookup is sought: the last one that asked one. */
const RECENT = 10;

const charge = (credits: number): string => (credits === 0 ? 'nothing' : plural(credits, 'credit'));
const chargedOf = ({ received }: Answer): number => Number(received.get('x-credits-charged') ?? 0);

/** `Cache-Status` (RFC 9211) and `Age` in words. */
function cacheWords({ status, received }: Answer): readonly [string, string] {
  const field = received.get('cache-status') ?? '';
  if (status !== 200 && status !== 304) return ['Nothing kept', ''];
  const ttl = Number(/;\s*ttl=(-?\d+)/.exec(field)?.[1] ?? /max-age=(\d+)/.exec(received.get('cache-control') ?? '')?.[1] ?? Number.NaN);
  const fresh = Number.isNaN(ttl) ? '' : ttl < 0 ? 'no longer fresh' : `fresh for ${span(ttl)}`;
  const isCached = /;\s*hit/.test(field) || /fwd-status=/.test(field);
  if (isCached) return ['From the cache', [`${span(Number(received.get('age') ?? 0))} old`, fresh].filter(Boolean).join(' · ')];
  return [/collapsed/.test(field) ? 'Joined a running lookup' : 'New answer', fresh];
}

function sentenceOf(shown: Answer): string {
  const charged = `${charge(chargedOf(shown))} charged`;
  if (shown.error) return `Error ${shown.status || ''} ${shown.error.code}, ${charged}.`;
  const source = shown.received.get('x-data-source') ?? 'the service';
  return `Answer of ${source}: ${cacheWords(shown)[0].toLowerCase()}, ${charged}, ${duration(shown.ms)}.`;
}

const Fact = ({ name, value, more = '', class: kind = '' }: { name: string; value: string; more?: string; class?: string }) => (
  <span class={`fact ${kind}`} title={`${name}: ${[value, more].filter(Boolean).join(' · ')}`}>
    <span class="name">{name}</span> {value}
    {more && <span class="more"> · {more}</span>}
  </span>
);

function Summary({ shown }: { shown: Answer }) {
  const source = shown.received.get('x-data-source');
  const requestId = shown.received.get('x-request-id');
  const [cache, more] = cacheWords(shown);
  const charged = chargedOf(shown);
  return (
    <div class="strip">
      <div class="line">
        <StatusPill status={shown.status}>{shown.error ? ` ${shown.error.code}` : shown.status === 200 && ' OK'}</StatusPill>
        <span class="fact charged" data-charged={charged}>
          <span class="name">Charged</span> {charge(charged)}
        </span>
        {source && <Fact name="Source" value={source} />}
      </div>
      <div class="line">
        <Fact name="Cache" value={cache} more={more} />
        <Fact name="Time" value={duration(shown.ms)} class="whole" />
        {hasChanged(shown) && <Pill tone="warn" icon="refresh" text="form changed since" />}
        {requestId && (
          <span class="request-id">
            <a href={requestAt(requestId)}>
              <code>{requestId}</code>
            </a>
            <CopyButton small text={() => requestId}>
              Copy the request id
            </CopyButton>
          </span>
        )}
      </div>
    </div>
  );
}

function RunningStrip({ now: { operation, begunMs, price } }: { now: Running }) {
  const elapsed = Math.max(0, useNow(100) - begunMs) / 1000;
  const deadline = operation.deadlineMs / 1000;
  const announced = Math.floor(elapsed / ANNOUNCE_SECONDS) * ANNOUNCE_SECONDS;
  const query = { operation: operation.id, kind: 'lookup', limit: RECENT };
  const { value: past } = useLoaded((signal) => api<AccountRequests>('/v1/account/requests', { query, signal }), [operation]);
  const source = past?.requests.find((request) => request.source !== null)?.source;
  const held = price ? `, ${charge(price)} held` : '';
  return (
    <>
      <div class="strip">
        <div class="line">
          <Pill tone="busy" text="Running" />
          <Fact name="Elapsed" value={`${elapsed.toFixed(1)} s`} class="whole" />
          <Fact name="Deadline" value={span(deadline)} class="whole" />
          {price !== null && <Fact name="Held" value={charge(price)} class="whole" />}
        </div>
        <div class="line">
          {source && <Fact name="Source last time" value={source} />}
          <span class="progress">
            <Meter share={elapsed / deadline} />
          </span>
        </div>
      </div>
      <Status
        words={
          announced === 0
            ? `Running: a source is asked${held}. The deadline is ${span(deadline)}.`
            : `Still running after ${announced} seconds of ${span(deadline)}.`
        }
      />
    </>
  );
}

const Stopped = ({ price }: Running) => (
  <div class="strip">
    <Pill tone="plain" icon="stop" text="Stopped" />
    <span class="fact">
      This page stopped waiting. The source is not told: if it still answers, the price
      {price !== null && ` of ${plural(price, 'credit')}`} is charged{' and the answer is kept.'}
    </span>
  </div>
);

export function Strip() {
  const shown = answer.value;
  if (running.value) return <RunningStrip key="strip" now={running.value} />;
  return (
    <>
      {shown ? <Summary shown={shown} /> : stopped.value ? <Stopped {...stopped.value} /> : <div />}
      <Status words={stopped.value ? 'Stopped.' : shown ? sentenceOf(shown) : ''} />
    </>
  );
}

const ShownAnswer = later(async () => (await import('./shown.tsx')).ShownAnswer);

const open = (past: Answer, close: () => void) => (event: Event) => {
  event.preventDefault();
  close();
  openPast(past);
};
const History = () => (
  <Chip value="History" class="quiet">
    {(close) =>
      history.value.length === 0 ? (
        <p class="none">Nothing was run on this page yet.</p>
      ) : (
        <ul class="menu history">
          {history.value.map((past) => (
            <li key={past.at.getTime()}>
              <a href={past.address} title={moment(past.at.toISOString())} onClick={open(past, close)}>
                <StatusPill status={past.status} />
                {operationName(past.operation.id)}
                <small>{inWords(givenOf(past.operation, past.values))}</small>
              </a>
            </li>
          ))}
        </ul>
      )
    }
  </Chip>
);

const Waiting = () => (
  <div class="page columns" aria-hidden="true">
    <div class="stack">
      {[1, 2, 3].map((line) => (
        <span key={line} class="skeleton" />
      ))}
    </div>
  </div>
);

export function Workbench({ params }: { params: Readonly<Record<string, string>> }) {
  const operation = operationOf(params.operation ?? '');
  const { entry } = place.value;
  const values = form.value?.values ?? {};
  const price = operation && quoteOf(operation, values).price;
  const isCached = price?.cached === true && price.charge === 0;
  const shown = answer.value;
  useEffect(() => {
    const required = operation?.parameters.find((p) => p.required);
    if (required && innerWidth >= 960) document.getElementById(`field-${required.name}`)?.focus({ preventScroll: true });
  }, [operation, entry]);
  useEffect(() => {
    // what the address asks for is shown where it is cached: this is free, and nothing is run
    if (isCached && place.value.query.get('_age') !== 'new') void reopen();
  }, [entry, isCached]);
  if (!operation)
    return (
      <Page title="Workbench">
        <Problem words={`There is no operation “${params.operation}”.`} />
      </Page>
    );
  const name = operationName(operation.id);
  return (
    <Page
      title={name}
      bare
      heading={
        <>
          <span class="wide">{name}</span>
          <button type="button" class="narrow quiet" onClick={() => (opened.value = 'operations')}>
            <Icon name={operationIcon(operation.id)} large />
            {name}
            <Icon name="down" />
          </button>
        </>
      }
      actions={
        <div class="bar-actions">
          <code class="about">GET {operation.path}</code>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
          <History />
        </div>
      }
    >
      <div class="workbench">
        <QueryBar key={operation.id} operation={operation} values={values} />
        <Strip />
        {shown ? <ShownAnswer shown={shown} /> : running.value ? <Waiting /> : <StartView key={operation.id} operation={operation} />}
      </div>
    </Page>
  );
}
