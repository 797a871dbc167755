import { useMemo } from 'preact/hooks';
import { answerTable, type Cell, type TableForm } from '../../contract/tables.ts';
import { AnswerGrid } from '../answers/answer-grid.tsx';
import { plural } from '../parts/format.ts';
import type { Column } from '../parts/table.tsx';
import type { Answer } from './answer.ts';
import { labelOf } from './query-bar.tsx';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Letters that half a card has room for. */
const LONGEST_IN_HALF = 16;
const WORDS: ReadonlyMap<Cell, string> = new Map([
  [true, 'yes'],
  [false, 'no'],
]);

interface AnswerRow {
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** How a column of these values is drawn: numbers and instants by their own rule; prose and addresses on one line that may be cut. */
function columnOf(name: string, index: number, rows: readonly AnswerRow[]): Column<AnswerRow> {
  const value = ({ cells }: AnswerRow): Cell => cells[index] ?? null;
  const values = rows.map(value).filter((cell) => cell !== null);
  const column = { id: name, name: labelOf(name.replaceAll('.', ' ')), value };
  if (values.every((cell) => typeof cell === 'number')) return { ...column, as: 'number' };
  if (values.every((cell) => INSTANT.test(String(cell)))) return { ...column, as: 'time' };
  // a name, an id, a domain is never cut: on a card a long one has the whole line
  const isText = values.some((cell) => /[\s/]/.test(String(cell)));
  const isLong = !isText && values.some((cell) => String(cell).length > LONGEST_IN_HALF);
  return {
    ...column,
    of(row) {
      const cell = value(row);
      if (cell === null) return null;
      const text = WORDS.get(cell) ?? String(cell);
      if (/[\s/]/.test(text))
        return (
          <span class="one-line" title={text}>
            {text}
          </span>
        );
      return isLong ? <span class="own-line">{text}</span> : text;
    },
  };
}

function List({ form, shown, name }: Readonly<Record<'shown', Answer>> & { readonly form: TableForm; readonly name: string }) {
  const [columns, rows] = useMemo(() => {
    const table = answerTable(form, shown.body);
    const all = table.rows.map((cells, index) => ({ index, cells }));
    return [table.columns.map((column, index) => columnOf(column, index, all)), all];
  }, [form, shown]);
  const label = labelOf(form.list ?? '');
  return (
    <section class="stack" aria-label={label}>
      <h2>
        {label} <span class="about">{plural(rows.length, 'row')}</span>
      </h2>
      <AnswerGrid
        class="values"
        caption={label}
        name={name}
        columns={columns}
        rows={rows}
        keyOf={({ index }) => index}
        none="The list is empty."
      />
    </section>
  );
}

/** The lists of an answer as tables, with the columns of `sightline bulk --rows`. */
export const TableView = ({ shown }: { readonly shown: Answer }) => (
  <div class="stack">
    {Object.entries(shown.operation.tables).map(([name, form]) => form?.list && <List key={name} form={form} shown={shown} name={name} />)}
  </div>
);
