import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Watch, WatchCalendar, WatchChange } from '../../contract/account/watch-schemas.ts';
import { listenForPageKeys } from '../app/keys.tsx';
import { watchAt } from '../app/operations.ts';
import { api } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { Button } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { Domain } from '../parts/domain.tsx';
import { ChoiceFilter, Filters, filterOf, Search, setFilters } from '../parts/filters.tsx';
import { day, moment, number, plural, shortDay } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { Stats } from '../parts/stats.tsx';
import type { Column } from '../parts/table.tsx';
import { type DomainRow, daysInWords, domainsOf, GROUPS, monthsOf, toldInWords } from './domain-facts.ts';
import { ImportDomains } from './import-domains.tsx';
import { mayChange } from './target-acts.tsx';
import { fieldName, mayCreate, readWatches } from './watch.tsx';
import { readChanges } from './watches.tsx';
import './conditions.css';

const [PAGE, MOST_PAGES] = [1000, 5];
const DAY_MS = 86_400_000;
const RECENT_MS = 31 * DAY_MS;

/** What the feed tells as far back as a threshold of a watch can lie. */
async function read(signal: AbortSignal): Promise<readonly DomainRow[]> {
  const watches = (await readWatches(signal)).filter(({ operation }) => operation === 'registration');
  const farthest = Math.max(RECENT_MS, ...watches.flatMap(({ due }) => due.map((days) => (days + 1) * DAY_MS)));
  const changes: WatchChange[] = [];
  for (let after: string | undefined, pages = 0; watches.length > 0 && pages < MOST_PAGES; pages++) {
    const page = await readChanges({ after, limit: PAGE }, signal);
    changes.push(...page.changes);
    const last = page.changes.at(-1);
    if (!page.hasMore || !last || Date.now() - Date.parse(last.at) > farthest) break;
    after = page.after ?? undefined;
  }
  return domainsOf(watches, changes, Date.now());
}

const dateTitle = ({ dueDate }: Watch): string | undefined =>
  dueDate ? `${moment(dueDate.on)}, read on ${moment(dueDate.readAt)}` : undefined;
const toneOf = ({ days }: DomainRow): string | undefined => (days === null || days > 30 ? undefined : days <= 7 ? 'bad' : 'warn');

const COLUMNS: readonly Column<DomainRow>[] = [
  { id: 'domain', name: 'Domain', value: (d) => d.name, of: (d) => <Domain name={d.name} /> },
  {
    ...{ id: 'expires', name: 'Expires', value: (d) => d.on },
    of: (d) =>
      d.on && (
        <span title={dateTitle(d.watch)}>
          {day(d.on)}
          {d.before !== null && (
            <>
              <br />
              <span class="caption">{`was ${day(d.before.slice(0, 10))}`}</span>
            </>
          )}
        </span>
      ),
  },
  {
    ...{ id: 'days', name: 'Days', as: 'number', value: (d) => d.days },
    of: (d) => (d.days === null ? null : <span class={toneOf(d)}>{daysInWords(d.days)}</span>),
  },
  {
    ...{ id: 'change', name: 'Last change', value: (d) => d.changed?.at ?? null, none: 'none in 30 days' },
    of: (d) => d.changed && `${shortDay(d.changed.at)}: ${(fieldName(d.changed.field) || d.changed.kind).toLowerCase()}`,
  },
  { id: 'told', name: 'Told at', value: (d) => toldInWords(d.told) },
  { id: 'tags', name: 'Tags', value: (d) => d.watch.tags.join(', ') },
  { id: 'read', name: 'Read', as: 'time', value: (d) => d.watch.dueDate?.readAt ?? null, hidden: true },
];

const SHOWN = {
  '': ['All', () => true],
  due: ['Due', ({ group }: DomainRow) => group === 'Ended, still registered' || group === 'Within 30 days'],
  changed: ['Changed', ({ changed }: DomainRow) => changed !== null],
  none: ['No date', ({ group }: DomainRow) => group === 'No date stated'],
} as const satisfies Readonly<Record<string, readonly [string, (row: DomainRow) => boolean]>>;

/** Dates by month; one that is pressed filters the list. */
function Months({ rows }: { rows: readonly DomainRow[] }) {
  const months = monthsOf(rows, Date.now());
  const most = Math.max(1, ...months.map(([, count]) => count));
  const chosen = filterOf('_month');
  return (
    <Card title="Expiries of the next twelve months" aside="a bar filters the list">
      <fieldset class="months">
        <legend class="visually-hidden">Month</legend>
        {months.map(([month, count]) => (
          <button
            key={month}
            type="button"
            class="quiet"
            aria-pressed={chosen === month}
            onClick={() => setFilters({ _month: chosen === month ? '' : month })}
          >
            <span class="small">
              {count > 0 && number(count)}
              <span class="visually-hidden">{` ${count === 1 ? 'domain' : count > 0 ? 'domains' : 'no domain'} in `}</span>
            </span>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <rect width="10" y={100 - (100 * count) / most} height={(100 * count) / most} />
            </svg>
            <span class="small">
              {shortDay(`${month}-01`).replace(/ .*/, '')}
              <span class="visually-hidden"> {month.slice(0, 4)}</span>
            </span>
          </button>
        ))}
      </fieldset>
    </Card>
  );
}

const Calendar = () =>
  mayChange() && (
    <Card title="In your calendar">
      <p class="about">An address that calendar programs subscribe to. It reads names and due dates, nothing else, and is shown once.</p>
      <div class="actions">
        <Act
          name="Make an address"
          icon="link"
          says="An earlier address ends at once. The new one is shown this once, and ends with the key of this session."
          confirm="Make it"
          run={async () => ({ secret: (await api<WatchCalendar>('/v1/account/watches/calendar', { method: 'POST' })).url })}
        />
        <Act
          name="End the address"
          style="quiet"
          says="Calendars that subscribed to it get nothing any more."
          run={() => api('/v1/account/watches/calendar', { method: 'DELETE' })}
        />
      </div>
    </Card>
  );

function Shown({ rows, reload }: { rows: readonly DomainRow[]; reload: () => Promise<void> }) {
  const isImporting = useSignal(false);
  useEffect(() => {
    const enter = (): boolean => {
      // a list that has the focus moves it by itself
      if (document.activeElement?.closest('section.table')) return false;
      document.querySelector<HTMLElement>('main tbody th a')?.focus();
      return true;
    };
    const open = (): boolean => {
      if (mayCreate()) isImporting.value = true;
      return mayCreate();
    };
    return listenForPageKeys({ i: open, j: enter, k: enter });
  }, []);
  const [sought, shown, month, tag] = ['_q', '_show', '_month', '_tag'].map(filterOf) as [string, keyof typeof SHOWN, string, string];
  const has = (SHOWN[shown] ?? SHOWN[''])[1];
  const listed = rows.filter(
    (row) =>
      has(row) &&
      row.name.includes(sought.toLowerCase()) &&
      (!month || row.on?.startsWith(month)) &&
      (!tag || row.watch.tags.includes(tag)),
  );
  const dated = rows.filter(({ days }) => days !== null);
  const [next] = dated.filter(({ days }) => (days ?? 0) >= 0);
  const count = (group: DomainRow['group']): number => rows.filter((row) => row.group === group).length;
  const tags = [...new Set(rows.flatMap(({ watch }) => watch.tags))].sort();
  const changed = rows.filter((row) => row.changed !== null);
  return (
    <>
      <div class="actions">
        <p class="caption grow">{`${plural(rows.length, 'domain')} watched. Days are whole days in UTC.`}</p>
        {mayCreate() && (
          <Button class="primary" icon="plus" text="Import domains" aria-keyshortcuts="i" onClick={() => (isImporting.value = true)} />
        )}
      </div>
      <Stats
        stats={[
          [
            'Next',
            next?.days === undefined || next.days === null ? '–' : plural(next.days, 'day'),
            next?.on && [<Domain key="name" name={next.name} />, `, ${day(next.on)}`],
          ],
          ['Within 30 days', number(count('Within 30 days')), `of ${plural(rows.length, 'domain')}`],
          ['Ended', number(count('Ended, still registered')), 'and still registered'],
          [
            'Changed, 30 days',
            number(changed.length),
            [...new Set(changed.map((row) => (fieldName(row.changed?.field ?? '') || 'free').toLowerCase()))].slice(0, 3).join(', ') ||
              'nothing',
          ],
          ['No date stated', number(count('No date stated')), 'by their registries'],
        ]}
      />
      <div class="columns">
        <Months rows={rows} />
        <Calendar />
      </div>
      <Grid
        caption="Domains"
        columns={COLUMNS}
        rows={listed}
        groups={(visible) => GROUPS.map((group) => [group, visible.filter((row) => row.group === group)] as const)}
        keyOf={(d) => d.watch.watchId}
        hrefOf={(d) => watchAt(d.watch.watchId)}
        icon="globe"
        none={rows.length === 0 ? 'No domain is watched yet' : 'No domain with these filters'}
        hint={
          rows.length === 0
            ? 'Import a list, or run “Domain registration” and choose “Watch this”: you are told before a date comes.'
            : undefined
        }
      >
        <Search id="_q" label="Find a domain" />
        <ChoiceFilter
          id="_show"
          name="Which domains"
          choices={Object.entries(SHOWN).map(([id, [name, test]]) => [id, `${name} ${number(rows.filter(test).length)}`])}
        />
        <Filters
          filters={[
            { id: '_tag', name: 'Tag', choices: tags.map((one) => [one, one]) },
            { id: '_month', name: 'Month', choices: monthsOf(rows, Date.now()).map(([one]) => [one, one]) },
          ]}
        />
      </Grid>
      {isImporting.value && (
        <ImportDomains
          close={() => (isImporting.value = false)}
          done={() => {
            isImporting.value = false;
            void reload();
          }}
        />
      )}
    </>
  );
}

export const Domains = () => (
  <LoadedPage title="Domains" load={read} isLive>
    {(rows, reload) => <Shown rows={rows} reload={reload} />}
  </LoadedPage>
);
