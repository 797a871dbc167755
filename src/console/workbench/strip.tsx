import { requestAt } from '../app/operations.ts';
import { Meter, Pill, StatusPill } from '../parts/card.tsx';
import { Status } from '../parts/controls.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { duration, plural } from '../parts/format.ts';
import { useNow } from '../parts/time.tsx';
import { type Answer, answer, hasChanged, type Running, running, stopped } from './answer.ts';

const ANNOUNCE_SECONDS = 10;

export const span = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;

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

const Fact = ({ name, value, more = '' }: { name: string; value: string; more?: string }) => (
  <span class="fact">
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
      <StatusPill status={shown.status}>{shown.error ? ` ${shown.error.code}` : shown.status === 200 && ' OK'}</StatusPill>
      <span class="fact charged" data-charged={charged}>
        <span class="name">Charged</span> {charge(charged)}
      </span>
      {source && <Fact name="Source" value={source} />}
      <Fact name="Cache" value={cache} more={more} />
      <Fact name="Time" value={duration(shown.ms)} />
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
  );
}

function RunningStrip({ now: { operation, begunMs, price } }: { now: Running }) {
  const elapsed = Math.max(0, useNow(100) - begunMs) / 1000;
  const deadline = operation.deadlineMs / 1000;
  const announced = Math.floor(elapsed / ANNOUNCE_SECONDS) * ANNOUNCE_SECONDS;
  const held = price ? `, ${charge(price)} held` : '';
  return (
    <>
      <div class="strip">
        <Pill tone="busy" text="Running" />
        <Fact name="Elapsed" value={`${elapsed.toFixed(1)} s`} />
        <Fact name="Deadline" value={span(deadline)} />
        {price !== null && <Fact name="Held" value={charge(price)} />}
        <span class="progress">
          <Meter share={elapsed / deadline} />
        </span>
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

/** What an answer cost, where it came from and how long it took; while a lookup runs, how long it may still take. */
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
