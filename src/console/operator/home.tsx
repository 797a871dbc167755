import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ActionAnswer } from '../../contract/admin/actions.ts';
import { Health } from '../charts/small.tsx';
import { admin } from '../parts/admin.tsx';
import { Card, ListRow, Pill, Used } from '../parts/card.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { day, duration, number, plural, share } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import type { IconName } from '../parts/icons.tsx';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { ACCOUNT_COLUMNS, accountAt } from './accounts.tsx';
import { byHarm, CAP_SETTING, capShare, driftAt, SourceStatePill, stateOf } from './sources.tsx';

type Sources = ActionAnswer<'listSources'>;
type Alarm = readonly [tone: 'bad' | 'warn', icon: IconName, what: string, effect: ComponentChildren, href: string, act: string];
const NEAR_CAP = 0.9;
const BUSIEST = 8;

const evidenceOf = (source: string): string => `/console/evidence?_source=${encodeURIComponent(source)}`;

/** What needs attention, sorted by harm: failing, drift, canary, cap, end date. */
function* alarmsOf({ sources, canaries }: Sources): Generator<Alarm> {
  const used = sources.filter(({ configured }) => configured);
  for (const s of used) {
    const state = stateOf(s);
    const { attempts, successShare } = s.last24h;
    const effect = s.restingUntil
      ? ['asked again from ', <Time key="at" at={s.restingUntil} />, ' on']
      : `breaker ${s.breaker}, 24 hours of this process`;
    const what = `${s.name} answered ${share(successShare ?? 0)} of ${plural(attempts, 'attempt')}`;
    if (state === 'failing') yield ['bad', 'warning', what, effect, evidenceOf(s.name), 'Captures'];
    if (state === 'resting') yield ['warn', 'clock', `${s.name} is paused`, effect, evidenceOf(s.name), 'Captures'];
  }
  for (const { name, drifting } of used)
    for (const field of drifting) {
      const what = `${name} drifts: ${field} is lost more often than usual`;
      yield ['bad', 'wave', what, 'good answers are captured until it ends', driftAt(name, field), 'Open'];
    }
  for (const { name, ok, why, at, source } of canaries) {
    const effect = [why, ' · ', <Time key="at" at={at} />];
    if (!ok) yield ['bad', 'close', `Canary “${name}” fails`, effect, source ? evidenceOf(source) : '/console/sources', 'Open'];
  }
  for (const s of used) {
    const spent = capShare(s) ?? 0;
    const what = `${s.name} has used ${share(spent)} of today’s cap`;
    if (spent >= NEAR_CAP) yield ['warn', 'coin', what, `the cap is set by ${CAP_SETTING}`, '/console/sources', 'Sources'];
  }
  for (const { name, sunset } of used) {
    if (sunset === null) continue;
    const effect = `${sunset.what} What remains: ${sunset.instead}`;
    yield ['warn', 'clock', `${name} ends on ${day(sunset.date)}`, effect, sunset.reference, 'Announcement'];
  }
}

function Attention({ data, count }: { data: Sources; count: number }) {
  const alarms = [...alarmsOf(data)];
  return (
    <Card title="Needs attention" aside={alarms.length > 0 && <span class="caption">{alarms.length}</span>}>
      {alarms.length === 0 && (
        <p>
          <Pill tone="good" text={`All ${count} sources in use answer`} />
        </p>
      )}
      <ul class="rows">
        {alarms.map(([tone, icon, what, effect, href, act]) => {
          const state = <Pill tone={tone} icon={icon} text={tone === 'bad' ? 'Fault' : 'Soon'} />;
          return (
            <ListRow key={what} before={state} first={what} second={effect}>
              <LinkButton href={href} text={act} />
            </ListRow>
          );
        })}
      </ul>
    </Card>
  );
}

function Side({ sources, canaries }: Sources) {
  const capped = sources.flatMap((s) => {
    const used = capShare(s);
    return used === null ? [] : [{ name: s.name, used }];
  });
  return (
    <div class="stack">
      <Card title="Spent today">
        {capped.map(({ name, used }) => (
          <Used key={name} words={`${name}: ${share(used)} of its cap`} share={used} />
        ))}
      </Card>
      {canaries.length > 0 && (
        <Card
          title="Canaries"
          aside={<span class="caption">{`${canaries.filter(({ ok }) => ok).length} of ${canaries.length} hold`}</span>}
        >
          <ul class="rows">
            {canaries.map(({ name, ok, at, past }) => {
              const held = past.length > 1 && `held ${past.filter((each) => each.ok).length} of ${past.length} · `;
              return (
                <ListRow key={name} first={name} second={[held, <Time key="at" at={at} />]}>
                  <Pill tone={ok ? 'good' : 'bad'} text={ok ? 'Holds' : 'Fails'} />
                </ListRow>
              );
            })}
          </ul>
        </Card>
      )}
    </div>
  );
}

export function OperatorHome() {
  const read = useSignal(0);
  const { loaded } = useLoaded((signal) => admin('listSources', {}, signal), [read.value]);
  return (
    <Page title="Home" again={() => read.value++}>
      <div class="columns">
        <div class="stack">
          <Show loaded={loaded}>
            {(data) => {
              const used = byHarm(data.sources.filter(({ configured }) => configured));
              return (
                <>
                  <Attention data={data} count={used.length} />
                  <Card title="Sources" aside={<a href="/console/sources">All {number(data.sources.length)}</a>}>
                    <ul class="rows">
                      {used.map((source) => (
                        <ListRow key={source.name} first={source.name}>
                          <Health hours={source.last24h.hours} />
                          <span class="caption">{source.last24h.medianMs !== null && duration(source.last24h.medianMs)}</span>
                          <SourceStatePill source={source} />
                        </ListRow>
                      ))}
                    </ul>
                  </Card>
                </>
              );
            }}
          </Show>
          <Card title="Accounts by use" aside={<a href="/console/accounts">All accounts</a>}>
            <Grid
              caption="Accounts by use"
              isExcerpt
              columns={ACCOUNT_COLUMNS.slice(0, 6)}
              keys={[read.value]}
              keyOf={(a) => a.accountId}
              hrefOf={accountAt}
              load={(_, signal) => admin('listAccounts', { order: 'use', limit: BUSIEST }, signal)}
              empty={<p class="none">No accounts yet.</p>}
            />
          </Card>
        </div>
        {loaded.state === 'here' && <Side {...loaded.value} />}
      </div>
    </Page>
  );
}
