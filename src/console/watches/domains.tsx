import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { ticksOf } from '../../contract/chart.ts';
import { listenForPageKeys } from '../app/keys.tsx';
import { watchAt } from '../app/operations.ts';
import { dueSoon, mayManage } from '../app/session.ts';
import { useWidth } from '../charts/chart.tsx';
import { Button } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { Domain } from '../parts/domain.tsx';
import { ChoiceFilter, Filters, filterOf, Search, setFilters } from '../parts/filters.tsx';
import { day, number, plural, shortDay } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { LoadedPage, useAsked } from '../parts/page.tsx';
import { readableDomain } from '../parts/readable-domain.ts';
import { Stats } from '../parts/stats.tsx';
import { Calendar } from './calendar.tsx';
import { fieldName } from './change-words.ts';
import { COLUMNS } from './domain-columns.tsx';
import { type DomainRow, domainsOf, GROUPS, monthsOf } from './domain-facts.ts';
import { ImportDomains } from './import-domains.tsx';
import { readWatches } from './watch.tsx';
import { readChanges } from './watches.tsx';
import './conditions.css';

const [PAGE, MOST_PAGES] = [1000, 5];
const DAY_MS = 86_400_000;
const RECENT_MS = 31 * DAY_MS;

/** What the feed tells as far back as a threshold of a watch can lie. */
async function readDomains(signal: AbortSignal): Promise<readonly DomainRow[]> {
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
  const rows = domainsOf(watches, changes, Date.now());
  dueSoon.value = rows.filter(SHOWN.due[1]).length;
  return rows;
}

const SHOWN = {
  '': ['All', () => true],
  due: ['Due', ({ group }: DomainRow) => group === 'Ended, still registered' || group === 'Within 30 days'],
  changed: ['Changed', ({ changed }: DomainRow) => changed !== null],
  open: ['Open to transfer', ({ lock }: DomainRow) => lock === 'open'],
  none: ['No date', ({ group }: DomainRow) => group === 'No date stated'],
} as const satisfies Readonly<Record<string, readonly [string, (row: DomainRow) => boolean]>>;

/** Of the bars, and of what is above them; room for the numbers of the axis. */
const [BAR_PX, TOP_PX, LEFT_PX] = [96, 13, 32];

/** Dates by month over an axis of whole ticks; a bar that is pressed filters the list. */
function Months({ rows }: { rows: readonly DomainRow[] }) {
  const { box, width } = useWidth<HTMLFieldSetElement>();
  const months = monthsOf(rows, Date.now());
  const ticks = ticksOf(Math.max(...months.map(([, count]) => count)), true);
  const height = (count: number): number => (BAR_PX * count) / (ticks.at(-1) ?? 1);
  const chosen = filterOf('_month');
  return (
    <Card title="Expiries of the next twelve months" aside="a bar filters the list">
      <fieldset ref={box} class="months">
        <legend class="visually-hidden">Month</legend>
        <svg class="chart ticks" width={width} height={TOP_PX + BAR_PX + 8} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${TOP_PX + BAR_PX - height(tick)})`}>
              <line class={tick === 0 ? 'axis' : 'line'} x1={LEFT_PX} x2={width} />
              <text x={LEFT_PX - 8} y={4} text-anchor="end">
                {number(tick)}
              </text>
            </g>
          ))}
        </svg>
        {months.map(([month, count]) => (
          <button
            key={month}
            type="button"
            class="quiet"
            title={plural(count, 'domain')}
            aria-pressed={chosen === month}
            onClick={() => setFilters({ _month: chosen === month ? '' : month })}
          >
            <span class="visually-hidden">{`${count === 0 ? 'no domain' : plural(count, 'domain')} in `}</span>
            <svg viewBox={`0 0 10 ${BAR_PX}`} preserveAspectRatio="none" aria-hidden="true">
              <rect width="10" y={BAR_PX - height(count)} height={height(count)} />
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

function ShownDomains({ rows, reload }: { rows: readonly DomainRow[]; reload: () => Promise<void> }) {
  const isImporting = useSignal(false);
  useAsked('import', () => (isImporting.value = mayManage()));
  useLayoutEffect(() => {
    const enter = (): boolean => {
      // a list that has the focus moves it by itself
      if (document.activeElement?.closest('section.table')) return false;
      document.querySelector<HTMLElement>('main tbody th a')?.focus();
      return true;
    };
    const open = (): boolean => {
      if (mayManage()) isImporting.value = true;
      return mayManage();
    };
    return listenForPageKeys({ i: open, j: enter, k: enter });
  }, []);
  const [sought = '', show, month = '', tag = '', registrar = ''] = ['_q', '_show', '_month', '_tag', '_registrar'].map(filterOf);
  const shown = show as keyof typeof SHOWN;
  const has = (SHOWN[shown] ?? SHOWN[''])[1];
  const listed = rows.filter(
    (row) =>
      has(row) &&
      [row.name, readableDomain(row.name)].some((name) => name.includes(sought.toLowerCase())) &&
      (!month || row.on?.startsWith(month)) &&
      (!tag || row.watch.tags.includes(tag)) &&
      (!registrar || row.registrar === registrar),
  );
  const dated = rows.filter(({ days }) => days !== null);
  const [next] = dated.filter(({ days }) => (days ?? 0) >= 0);
  const count = (group: DomainRow['group']): number => rows.filter((row) => row.group === group).length;
  const tags = [...new Set(rows.flatMap(({ watch }) => watch.tags))].sort();
  const registrars = [...new Set(rows.flatMap((row) => row.registrar ?? []))].sort();
  const ended = count('Ended, still registered');
  const changed = rows.filter((row) => row.changed !== null);
  return (
    <>
      <div class="actions">
        <p class="caption grow">{`${plural(rows.length, 'domain')} watched. Days are whole days in UTC.`}</p>
        {mayManage() && (
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
          [
            'Within 30 days',
            number(count('Within 30 days')),
            ended > 0 ? `and ${number(ended)} ended, still registered` : `of ${plural(rows.length, 'domain')}`,
          ],
          ['Not locked', number(rows.filter(({ lock }) => lock === 'open').length), 'against transfer'],
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
            { id: '_registrar', name: 'Registrar', choices: registrars.map((one) => [one, one]) },
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
  <LoadedPage title="Domains" load={readDomains} isLive>
    {(rows, reload) => <ShownDomains rows={rows} reload={reload} />}
  </LoadedPage>
);
