import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly name: string;
  readonly of: (row: T) => ComponentChildren;
  readonly numeric?: boolean;
}
interface DataTableProps<T> {
  /** Read by screen readers as the name of the table. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string | number;
  readonly none?: string;
}

/** A native table that scrolls by itself where it is wider than the page. */
export function DataTable<T>({ caption, columns, rows, keyOf, none = 'Nothing yet.' }: DataTableProps<T>) {
  if (rows.length === 0) return <p class="none">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table" aria-label={`Table: ${caption}`} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.name} scope="col" class={c.numeric ? 'numeric' : undefined}>
                {c.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map((c) => (
                <td key={c.name} class={c.numeric ? 'numeric' : undefined}>
                  {c.of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
