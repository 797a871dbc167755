import { useMemo, useState } from 'preact/hooks';
import type { OutputLine } from '../../bulk/lines.ts';
import type { Cell } from '../../contract/tables.ts';
import { VALUES } from '../parts/format.ts';
import { Grid, rowsUpTo } from '../parts/grid.tsx';
import type { Column } from '../parts/table.tsx';
import { tableFor } from './downloads.ts';
import type { OpenFile } from './open-file.ts';
import type { Reading } from './reading.ts';
import { files } from './store.ts';

type ResultRow = Readonly<{ line: number; cells: readonly Cell[] }>;
const PAGE = 50;
/** Columns of the answer that are shown at first. */
const SHOWN_COLUMNS = 4;

/** The result as a grid: a row for each line with an answer. */
export function Result({ file, reading }: { file: OpenFile; reading: Reading }) {
  const table = useMemo(() => tableFor(file, reading, 'lookups', 'csv'), [reading, file.job.value.keepsColumns]);
  /** Names of the columns whose cells are numbers, a line each. */
  const [numbers, setNumbers] = useState('');
  const facts = ['line', 'ok', 'code', 'message', 'source', 'cache', 'at'];
  const columns = useMemo((): readonly Column<ResultRow>[] => {
    const inputs = file.job.value.keepsColumns ? reading.plan.columns.length : reading.plan.columns.length - reading.plan.carried.length;
    // the answer repeats the input
    const answered = table.names.slice(inputs).filter((name) => !/^(?:resource|understood)\./.test(name) && !facts.includes(name));
    const usual = new Set(answered.slice(0, SHOWN_COLUMNS));
    return [
      { id: 'line', name: 'Line', as: 'number', value: ({ line }) => line },
      ...table.names.flatMap((name, nth): Column<ResultRow>[] => {
        if (facts.includes(name)) return [];
        const isUsual = nth < inputs || usual.has(name) || name === 'credits' || name === 'status';
        const column: Column<ResultRow> = { id: name, name, value: ({ cells }) => cells[nth] ?? null, hidden: !isUsual };
        return [
          numbers.split('\n').includes(name) ? { ...column, as: 'number' } : { ...column, of: ({ cells }) => shown(cells[nth] ?? null) },
        ];
      }),
    ];
  }, [table, numbers]);
  const lines = reading.plan.lookups.filter((lookup) => file.facts.has((lookup.first ?? lookup).line)).map(({ line }) => line);
  const load = async (after: string | undefined) => {
    const from = after === undefined ? 0 : lines.findIndex((line) => line > Number(after));
    const part = from < 0 ? [] : lines.slice(from, from + PAGE);
    const rows = await Promise.all(
      part.map(async (line): Promise<ResultRow[]> => {
        const lookup = reading.plan.inputOfLine(line);
        const own = lookup?.first?.line ?? line;
        const text = (await files.texts(file.id, own, own)).get(own);
        return text === undefined ? [] : [{ line, cells: table.rowsOf(JSON.parse(text) as OutputLine)[0] ?? [] }];
      }),
    );
    const isNumber = (nth: number): boolean => {
      const cells = rows.flat().flatMap((row) => row.cells[nth] ?? []);
      return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
    };
    if (after === undefined) setNumbers(table.names.filter((_, nth) => isNumber(nth)).join('\n'));
    return rowsUpTo(rows.flat(), PAGE, ({ line }) => line);
  };
  return (
    <section class="stack" aria-label="Result">
      <h2>Result</h2>
      <Grid
        caption="Result"
        class="file-result"
        columns={columns}
        load={load}
        keys={[file.changes.value, table]}
        keyOf={({ line }) => line}
        none="No answers yet"
        icon="file"
      />
    </section>
  );
}
const shown = (cell: Cell) => (cell === null ? null : <span class="file-text">{VALUES.get(String(cell)) ?? String(cell)}</span>);
