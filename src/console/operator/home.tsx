import type { ComponentChildren } from 'preact';
import type { ActionAnswer } from '../../contract/admin/actions.ts';
import type { FleetState } from '../../contract/admin/fleet-schema.ts';
import { admin } from '../parts/admin.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Card, Pill, Rows, Time } from '../parts/display.tsx';
import { day, duration, number, plural, share, withMoments } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import type { IconName } from '../parts/icons.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { ACCOUNT_COLUMNS, accountAt } from './accounts.tsx';
import { byHarm, CAP_SETTING, capShare, driftAt, Health, SourceStatePill, Spent } from './sources.tsx';

type Sources = ActionAnswer<'listSources'>;
type Alarm = readonly [tone: 'bad' | 'warn', icon: IconName, what: string, effect: ComponentChildren, href: string, act: string];
const NEAR_CAP = 0.9;
const BUSIEST = 8;

const evidenceOf = (source: string): string => `/console/evidence?_source=${encodeURIComponent(source)}`;

/** What needs attention, sorted by harm: failing, drift, canary, cap, end date. */
function* alarmsOf({ sources, canaries }: Sources): Generator<Alarm> {
  const used = sources.filter(({ configured }) => configured);
  for (const s of used) {
    const { attempts, successShare } = s.last24h;
    const effect = s.restingUntil
      ? ['asked again from ', <Time key="at" at={s.restingUntil} />, ' on']
      : `breaker ${s.breaker}, 24 hours of this process`;
    const what = `${s.name} answered ${share(successShare ?? 0)} of ${plural(attempts, 'attempt')}`;
    if (s.state === 'failing' || s.state === 'refused') yield ['bad', 'warning', what, effect, evidenceOf(s.name), 'Captures'];
    if (s.state === 'resting') yield ['warn', 'clock', `${s.name} rests`, effect, evidenceOf(s.name), 'Captures'];
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
    const effect = withMoments(`${sunset.what} What remains: ${sunset.instead}`);
    const end = sunset.date === null ? `${name} is announced to end` : `${name} ends on ${day(sunset.date)}`;
    yield ['warn', 'clock', end, effect, sunset.reference, 'Announcement'];
  }
}

/** The processes that serve; of this one how its sources answered. */
function Now({ fleet, sources }: { fleet: FleetState; sources: Sources['sources'] }) {
  const attempts = sources.reduce((sum, { last24h }) => sum + last24h.attempts, 0);
  const answered = sources.reduce((sum, { last24h }) => sum + last24h.attempts * (last24h.successShare ?? 0), 0);
  const behind = fleet?.credentials.behind ?? [];
  return (
    <Card
      title="Now"
      aside={<Pill tone={fleet?.up === false ? 'warn' : 'good'} text={fleet?.up === false ? 'Redis is not reached' : 'Serving'} />}
      facts={{
        Processes: fleet ? (
          <a href="/console/fleet">{`${plural(fleet.gateways, 'gateway')}, ${plural(fleet.workers, 'worker')}`}</a>
        ) : (
          'one, no fleet'
        ),
        'Without the entered keys': behind.length > 0 ? behind.join(', ') : undefined,
        'Attempts, 24 h': attempts > 0 ? `${number(attempts)} at sources, ${share(answered / attempts)} answered` : 'none at a source',
      }}
    />
  );
}

interface OverviewProps {
  readonly data: Sources;
  readonly accounts: ActionAnswer<'listAccounts'>;
  readonly fleet: FleetState;
}
function Overview({ data, accounts, fleet }: OverviewProps) {
  const { sources, canaries } = data;
  const used = byHarm(sources.filter(({ configured }) => configured));
  const alarms = [...alarmsOf(data)].map(([tone, icon, what, effect, href, act]) => ({
    ...{ id: what, first: what, second: effect, aside: <LinkButton href={href} text={act} /> },
    before: <Pill tone={tone} icon={icon} text={tone === 'bad' ? 'Fault' : 'Soon'} />,
  }));
  const health = used.map((source) => ({
    ...{ id: source.name, first: source.name },
    aside: [
      <Health key="hours" hours={source.last24h.hours} />,
      <span key="median" class="caption took">
        {source.last24h.medianMs !== null && duration(source.last24h.medianMs)}
      </span>,
      <span key="state" class="state">
        <SourceStatePill source={source} />
      </span>,
    ],
  }));
  const results = canaries.map(({ name, ok, at, past }) => ({
    ...{ id: name, first: name, aside: <Pill tone={ok ? 'good' : 'bad'} text={ok ? 'Holds' : 'Fails'} /> },
    second: [past.length > 1 && `held ${past.filter((each) => each.ok).length} of ${past.length} · `, <Time key="at" at={at} />],
  }));
  return (
    <div class="columns">
      <div class="stack">
        <Card title="Needs attention" aside={alarms.length > 0 && `${alarms.length}`} rows={alarms}>
          {alarms.length === 0 && (
            <p>
              <Pill tone="good" text={`All ${used.length} sources in use answer`} />
            </p>
          )}
        </Card>
        <Card title="Sources" aside={<a href="/console/sources">All {number(sources.length)}</a>}>
          <Rows rows={health} />
        </Card>
        <Card title="Accounts by use" aside={<a href="/console/accounts">All accounts</a>}>
          <Grid
            isExcerpt
            caption="Accounts by use"
            columns={ACCOUNT_COLUMNS.slice(0, 6)}
            keyOf={(a) => a.accountId}
            hrefOf={accountAt}
            rows={accounts}
            none="No accounts yet."
          />
        </Card>
      </div>
      <div class="stack">
        <Now fleet={fleet} sources={sources} />
        <Card
          title="Spent today"
          rows={sources.flatMap((source) =>
            capShare(source) === null ? [] : [{ id: source.name, first: source.name, aside: <Spent source={source} /> }],
          )}
        />
        <Card title="Canaries" aside={`${canaries.filter(({ ok }) => ok).length} of ${canaries.length} hold`} rows={results} />
      </div>
    </div>
  );
}

export const OperatorHome = () => (
  <LoadedPage
    title="Home"
    isLive
    load={(signal) =>
      Promise.all([
        admin('listSources', {}, signal),
        admin('listAccounts', { order: 'use', limit: BUSIEST }, signal),
        admin('showFleet', {}, signal),
      ])
    }
  >
    {([data, accounts, fleet]) => <Overview {...{ data, accounts, fleet }} />}
  </LoadedPage>
);
