import type { Watch, WatchHistory } from '../../contract/account/watch-schemas.ts';
import { Chart } from '../charts/chart.tsx';
import { Card, Choices } from '../parts/card.tsx';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { number, short } from '../parts/format.ts';
import { shortTime } from '../parts/time.tsx';
import { fieldName, isRank } from './watch.ts';

export type Check = WatchHistory['checks'][number];
const MOST_LINES = 5;

/** Entries that a field of the watch names, such as the site of `organic[example.com].rank`; else all, those of the newest check first. */
function keysOf({ fields }: Watch, checks: readonly Check[], field: string): readonly (string | null)[] {
  const keys = new Set(checks.flatMap(({ series }) => series.flatMap((point) => (point.field === field ? [point.key] : []))));
  const entries = fields?.flatMap((one) => /\[(.+)\]/.exec(typeof one === 'string' ? one : one.path)?.[1] ?? []) ?? [];
  const named = [...keys].filter((key) => entries.some((entry) => key?.includes(entry)));
  return (named.length ? named : [...keys]).slice(0, MOST_LINES);
}

/** The numbers of the checks; a check without an answer is a gap. Nothing where the operation has no numbers. */
export function Course({ watch, checks }: { watch: Watch; checks: readonly Check[] }) {
  const fields = [...new Set(checks.flatMap(({ series }) => series.map(({ field }) => field)))];
  const field =
    fields.find((each) => each === filterOf('_series')) ?? fields.find((each) => each.includes('.') && isRank(each)) ?? fields[0];
  if (field === undefined) return null;
  const inOrder = checks.toReversed();
  const series = keysOf(watch, checks, field).map((key) => ({
    name: key ?? fieldName(field),
    values: inOrder.map((check) => check.series.find((point) => point.field === field && point.key === key)?.value ?? null),
  }));
  const title = `${fieldName(field)} by check`;
  return (
    <Card title={title} aside={<span class="caption">{isRank(field) && '1 is the top · '}a gap is a check without this number</span>}>
      {fields.length > 1 && (
        <div class="toolbar">
          <Choices
            legend="Number"
            choices={fields.map((each) => [each, fieldName(each)])}
            value={field}
            choose={(_series) => setFilters({ _series, _after: filterOf('_after') })}
          />
        </div>
      )}
      <Chart
        title={title}
        form="lines"
        isRank={isRank(field)}
        isCount={series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))}
        places={inOrder.map((check) => check.at)}
        label={shortTime}
        format={(value) => (value < 10_000 ? number(value) : short(value))}
        series={series}
      />
    </Card>
  );
}
