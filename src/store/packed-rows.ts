export type PackedCell = string | number | null;

/**
 * Rows of a statement, in a form that crosses to the store's thread cheaply. A number stands in `cells` as it is (null: NaN); a text column
 * holds the index in `texts` (null: -1).
 */
export interface PackedRows {
  /** By column: whether it holds text. */
  readonly isText: readonly boolean[];
  readonly cells: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

/** One column: how to read its value from a row. `repeats`: few different texts, each of which is passed once. */
export type Column<Row> =
  | { readonly number: (row: Row) => number | null }
  | { readonly text: (row: Row) => string | null; readonly repeats: boolean };

export function packRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): PackedRows {
  const cells = new Float64Array(rows.length * columns.length);
  const texts: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (text: string | null, repeats: boolean): number => {
    if (text === null) return -1;
    if (!repeats) return texts.push(text) - 1;
    let place = places.get(text);
    if (place === undefined) {
      place = texts.push(text) - 1;
      places.set(text, place);
    }
    return place;
  };
  let at = 0;
  for (const row of rows)
    for (const column of columns)
      cells[at++] = 'number' in column ? (column.number(row) ?? Number.NaN) : placeOf(column.text(row), column.repeats);
  return { isText: columns.map((column) => 'text' in column), cells, texts };
}

/** Calls `run` with the cells of each row, in order. The list is reused. */
export function eachRow({ isText, cells, texts }: PackedRows, run: (cells: PackedCell[]) => void): void {
  const row: PackedCell[] = new Array(isText.length).fill(null);
  for (let at = 0; at < cells.length; at += row.length) {
    for (let i = 0; i < row.length; i++) {
      const cell = cells[at + i] as number;
      row[i] = isText[i] ? (texts[cell] ?? null) : Number.isNaN(cell) ? null : cell;
    }
    run(row);
  }
}
