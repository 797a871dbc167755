import { NotStatedLine } from '../parts/display.tsx';
import { Grid, type GridProps } from '../parts/grid.tsx';

type AnswerGridProps<T> = Omit<GridProps<T>, 'rows' | 'load' | 'keys'> & { readonly rows: readonly T[] };

/** A list of an answer: sorted, columns chosen, as CSV. Columns that are null in all rows are named in one line. */
export function AnswerGrid<T>({ columns, rows, ...more }: AnswerGridProps<T>) {
  const isNull = columns.map(({ value }) => rows.length > 0 && rows.every((row) => value(row) === null));
  return (
    <div class="stack">
      <Grid {...more} rows={rows} columns={columns.filter((_, index) => !isNull[index])} />
      <NotStatedLine names={columns.filter((_, index) => isNull[index]).map(({ name }) => name)} />
    </div>
  );
}
