import { useSignal } from '@preact/signals';
import { MOST_TARGETS } from '../../contract/account/constants.ts';
import type { Notify, NotifyTarget, NotifyTestResult } from '../../contract/account/notify-schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { watchAt } from '../app/operations.ts';
import { api, mayManage } from '../app/session.ts';
import { Card, Empty, Pill, StatusPill, Time } from '../parts/display.tsx';
import { capital, duration, number, plural } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Icon } from '../parts/icons.tsx';
import { LoadedPage, Problem, wordsOf } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { WatchTabs } from './tabs.tsx';
import { Add, ICONS, NOTIFY, TargetActs, targetName, whenOf } from './target-acts.tsx';
import { addressOf, FORM_NAMES, targetState } from './targets.ts';
import { readWatches, watchName } from './watch.tsx';

/** What a test message was answered with. */
interface Tested extends NotifyTestResult {
  readonly target: NotifyTarget;
  readonly at: string;
}
const columnsOf = (watches: readonly Watch[]): readonly Column<NotifyTarget>[] => [
  {
    ...{ id: 'target', name: 'Target', value: targetName },
    of: ({ as, to }) => (
      <span class="target">
        <Icon name={ICONS[as]} />
        <span>
          {FORM_NAMES[as]}
          <br />
          <span class="caption cut" title={addressOf(to)}>
            {addressOf(to)}
          </span>
        </span>
      </span>
    ),
  },
  {
    ...{ id: 'state', name: 'State', value: (t) => targetState(t).text },
    of: (t) => <Pill {...targetState(t)} />,
  },
  {
    id: 'gets',
    roomy: true,
    name: 'Gets',
    value: () => `${number(watches.filter(({ notify }) => notify === null).length)} of ${plural(watches.length, 'watch', 'watches')}`,
  },
  { id: 'when', name: 'When', value: whenOf, roomy: true },
  { id: 'success', name: 'Last success', as: 'time', none: 'not yet', value: (t) => t.lastSuccessAt },
  {
    ...{ id: 'failure', name: 'Last failure', value: (t) => t.lastError },
    of: (t) =>
      t.lastError && (
        <span class="cell">
          {t.lastError}
          {t.lastFailureAt && [', ', <Time key="at" at={t.lastFailureAt} />]}
        </span>
      ),
    none: 'none',
  },
];

/** What is wrong with a target, when it is tried next, and when it is switched off. */
function Trouble({ target }: { target: NotifyTarget }) {
  const { to, as, confirmed, failingSince, disabledAt, offAt, nextAt, lastError } = target;
  const name = FORM_NAMES[as];
  const title = targetState(target);
  const pill = <Pill {...title} />;
  if (disabledAt !== null)
    return (
      <Card
        title={`${name} is switched off`}
        aside={pill}
        facts={{ Address: addressOf(to), Since: <Time at={disabledAt} />, Reason: lastError }}
      >
        <p>It answered 410, was not reached for three days, or stopped the messages. Your other targets were told.</p>
      </Card>
    );
  if (!confirmed)
    return (
      <Card title={`${name} waits`} aside={pill}>
        <p>
          {lastError === null
            ? `${addressOf(to)} was asked to confirm with a link in a mail. Until then it gets nothing; the link ends after 24 hours.`
            : `The mail with the link that ${addressOf(to)} confirms was not sent: ${lastError}. Until it confirms it gets nothing.`}
        </p>
      </Card>
    );
  if (failingSince === null) return null;
  return (
    <Card
      title={`${name} fails`}
      aside={pill}
      facts={{
        ...{ Address: addressOf(to), 'It met': lastError, 'First failure': <Time at={failingSince} /> },
        'Next try': nextAt === null ? 'with the next message' : <Time at={nextAt} />,
        'Switched off': offAt && <Time at={offAt} />,
      }}
    >
      <p>After three days without success it is switched off, and your other targets are told.</p>
    </Card>
  );
}

const TestResult = ({ of: { target, ok, status, durationMs, said, error, at, private: isPrivate } }: { of: Tested }) => (
  <Card title={`Test message to ${FORM_NAMES[target.as]}`} aside="what it answered">
    <p class="actions" role="status">
      {status !== null && <StatusPill status={status} />}
      <span>
        {ok ? 'It took the message' : 'It did not take the message'}
        {durationMs !== null && ` in ${duration(durationMs)}`}, <Time at={at} />
      </span>
    </p>
    {said && <pre class="box">{said}</pre>}
    {error && error !== String(status) && <p>{capital(error)}</p>}
    {isPrivate && (
      <p class="about">
        {addressOf(target.to)} is in a private network: your operator opened it with SIGHTLINE_PRIVATE_TARGETS. What it answered is not
        shown.
      </p>
    )}
  </Card>
);

async function readMessages(signal: AbortSignal) {
  const [{ notify }, watches] = await Promise.all([api<Notify>(NOTIFY, { signal }), readWatches(signal)]);
  return { notify, watches };
}

function ShownMessages({
  data: { notify, watches },
  reload,
}: {
  data: Awaited<ReturnType<typeof readMessages>>;
  reload: () => Promise<void>;
}) {
  const tested = useSignal<Tested | null>(null);
  const failed = useSignal<string | null>(null);
  const of = { all: notify, reload };
  const test = async (target: NotifyTarget): Promise<void> => {
    failed.value = null;
    try {
      const result = await api<NotifyTestResult>(`${NOTIFY}/test`, { method: 'POST', body: { targetId: target.targetId } });
      tested.value = { ...result, target, at: new Date().toISOString() };
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  const own = watches.filter((watch) => watch.notify !== null);
  return (
    <>
      <WatchTabs />
      {notify.length === 0 ? (
        <Empty icon="bell" title="Nobody is told yet">
          <p>
            The feed holds every change anyway. A target gets a message that stands alone: what changed, from which value to which, and a
            link.
          </p>
          {mayManage() && (
            <div class="actions">
              {(['slack', 'email', 'ntfy'] as const).map((as) => (
                <Add key={as} {...of} as={as} name={FORM_NAMES[as]} />
              ))}
              <Add {...of} name="Another target" />
            </div>
          )}
        </Empty>
      ) : (
        <>
          <div class="actions">
            <p class="caption grow">Targets of this account. A watch may name its own; the feed holds every change, told or not.</p>
            <span class="caption">{`${notify.length} of ${MOST_TARGETS} targets`}</span>
            {mayManage() && <Add {...of} name="Add a target" style="primary" />}
          </div>
          <Grid
            caption="Messages"
            isExcerpt
            columns={columnsOf(watches)}
            rows={notify}
            keyOf={(t) => t.targetId}
            actions={(target) => mayManage() && <TargetActs {...of} target={target} test={test} />}
            none="No targets"
          />
        </>
      )}
      <Problem words={failed.value} />
      {tested.value && <TestResult of={tested.value} />}
      {notify.map((target) => (
        <Trouble key={target.targetId} target={target} />
      ))}
      <Card
        title="Watches with targets of their own"
        rows={own.map((watch) => ({
          id: watch.watchId,
          first: watchName(watch),
          href: watchAt(watch.watchId),
          second:
            watch.notify?.map((one) => `${FORM_NAMES[one.as]}, ${targetState(one).text.toLowerCase()}`).join(' · ') || 'nobody is told',
        }))}
      />
    </>
  );
}

export const Messages = () => (
  <LoadedPage title="Messages" load={readMessages} isLive>
    {(data, reload) => <ShownMessages data={data} reload={reload} />}
  </LoadedPage>
);
