import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { listenForPageKeys } from '../app/keys.tsx';
import { watchAt } from '../app/operations.ts';
import { dueSoon } from '../app/session.ts';
import { Button } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { Domain } from '../parts/domain.tsx';
import { ChoiceFilter, Filters, filterOf, Search, setFilters } from '../parts/filters.tsx';
import { day, number, plural, shortDay } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { readableDomain } from '../parts/readable-domain.ts';
import { Stats } from '../parts/stats.tsx';
import { Calendar } from './calendar.tsx';
import { COLUMNS } from './domain-columns.tsx';
import { type DomainRow, domainsOf, GROUPS, monthsOf } from './domain-facts.ts';
import { ImportDomains } from './import-domains.tsx';
import { fieldName, mayCreate, readWatches } from './watch.tsx';
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

function ShownDomains({ rows, reload }: { rows: readonly DomainRow[]; reload: () => Promise<void> }) {
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
