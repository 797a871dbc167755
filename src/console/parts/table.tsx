import type { ComponentChildren } from 'preact';
import { number } from './format.ts';

export interface Column<T> {
  readonly name: string;
  readonly of: (row: T) => ComponentChildren;
  readonly numeric?: boolean;
  readonly wide?: boolean;
  readonly isHead?: boolean;
}

const classOf = <T,>({ numeric, wide }: Column<T>): string | undefined =>
  [numeric && 'numeric', wide && 'wide-only'].filter(Boolean).join(' ') || undefined;
interface DataTableProps<T> {
  readonly caption: string;
  readonly class?: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** The rows in groups, each below its name. */
  readonly groups?: readonly (readonly [name: string, rows: readonly T[]])[];
  readonly keyOf: (row: T, index: number) => string | number;
  readonly isMarked?: (row: T) => boolean | undefined;
  readonly none?: string;
}

/** A native table with its own scrollbar where it is wider than the page. */
export function DataTable<T>({ caption, columns, rows, groups = [['', rows]], keyOf, isMarked, ...more }: DataTableProps<T>) {
  if (rows.length === 0) return <p class="none">{more.none ?? 'Nothing yet.'}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table" aria-label={`Table: ${caption}`} tabIndex={0}>
      <table class={more.class}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.name} scope="col" class={classOf(c)}>
                {c.name}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([name, group]) => (
          <tbody key={name}>
            {name && group.length > 0 && (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {name} · {number(group.length)}
                </th>
              </tr>
            )}
            {group.map((row, at) => (
              <tr key={keyOf(row, at)} class={isMarked?.(row) ? 'marked' : undefined}>
                {columns.map((c) => {
                  const Cell = c.isHead ? 'th' : 'td';
                  return (
                    <Cell key={c.name} class={classOf(c)} {...(c.isHead && { scope: 'row' })}>
                      {c.of(row)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
