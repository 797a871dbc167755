import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cell } from '../../contract/tables.ts';
import { moveBy } from '../app/keys.tsx';
import { Button } from './controls.tsx';
import { Time } from './display.tsx';
import { duration, number, share } from './format.ts';
import { Icon } from './icons.tsx';
import './table.css';

/** A column of any table. */
export interface TableColumn<T> {
  readonly id?: string;
  readonly name: string;
  readonly value?: (row: T) => Cell;
  /** How the value is drawn. Default: as text. Numbers, shares and durations stand at the right. */
  readonly as?: 'time' | 'code' | 'number' | 'share' | 'duration';
  /** Placeholder for a null. Default: "–". */
  readonly none?: string;
  readonly of?: (row: T) => ComponentChildren;
  /** Not on a phone. */
  readonly wide?: boolean;
  readonly isHead?: boolean;
}
/** A column of a list of records. */
export interface Column<T> extends TableColumn<T> {
  /** In the address, as `_sort=-took`. */
  readonly id: string;
  /** What sorting and CSV take. */
  readonly value: (row: T) => Cell;
  /** What CSV takes where `value` is for sorting alone. */
  readonly inFile?: (row: T) => Cell;
  readonly hidden?: boolean;
  /** Left out in a narrow window, so that the others need no scrolling. It can be chosen there. */
  readonly roomy?: boolean;
}

/** Fields of a card beside its title; "More" shows the others. */
const ON_CARD = 4;
const NUMBERS = { number, share, duration } as const;
const isNumeric = ({ as = 'time' }: Pick<TableColumn<never>, 'as'>): boolean => as in NUMBERS;
const classOf = <T,>(column: TableColumn<T>, isRest = false): string | undefined =>
  [isNumeric(column) && 'numeric', column.wide && 'wide-only', isRest && 'rest'].filter(Boolean).join(' ') || undefined;

function drawn<T>({ of, value, as, none = '–' }: TableColumn<T>, row: T): ComponentChildren {
  if (of) return of(row) ?? none;
  const cell = value?.(row) ?? '';
  if (cell === '') return none;
  if (as === 'time') return <Time at={String(cell)} />;
  if (as === 'code') return <code>{String(cell)}</code>;
  return typeof cell === 'number' ? NUMBERS[as ?? 'number'](cell) : String(cell);
}

/** How a list is sorted, such as `-took`, and what changes it. */
export interface Order {
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}
interface HeadProps<T> extends Order {
  readonly column: TableColumn<T>;
  /** In a grid that the arrows move through: its place, and whether Tab stops there. */
  readonly place?: string;
  readonly tabIndex?: number;
  readonly class?: string | undefined;
  readonly mark?: ComponentChildren;
  /** The mark stands for the name. */
  readonly isMark?: boolean;
}
/** The head of a column that sorts. */
export function Head<T>({ column, sort, sortBy, place, tabIndex, mark, isMark = false, class: name }: HeadProps<T>) {
  const [up, down] = [`${column.id}`, `-${column.id}`];
  const order = sort === up ? 'ascending' : sort === down ? 'descending' : null;
  // numbers are asked for from the largest on
  const turns = isNumeric(column) ? [down, up] : [up, down];
  return (
    <th scope="col" class={[classOf(column), name].filter(Boolean).join(' ') || undefined} aria-sort={order ?? 'none'} data-at={place}>
      <button
        type="button"
        tabIndex={tabIndex}
        title={isMark ? column.name : undefined}
        onClick={() => sortBy(turns[turns.indexOf(sort) + 1] ?? '')}
      >
        {mark}
        {isMark ? <span class="visually-hidden">{column.name}</span> : column.name}
        {order && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
      </button>
    </th>
  );
}

interface List<T> extends Order {
  readonly keyOf: (row: T) => string | number;
  readonly hrefOf?: ((row: T) => string | null) | undefined;
  readonly actions?: ((row: T) => ComponentChildren) | undefined;
}
type RowProps<T> = Pick<DataTableProps<T>, 'columns' | 'isMarked' | 'list'> & { readonly row: T };
function Row<T>({ row, columns, isMarked, list }: RowProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const href = list?.hrefOf?.(row);
  const actions = list?.actions?.(row);
  const hasMore = list && columns.length - 1 > ON_CARD;
  const head = list
    ? Math.max(
        0,
        columns.findIndex(({ isHead }) => isHead),
      )
    : null;
  return (
    <tr class={isOpen ? 'open' : isMarked?.(row) ? 'marked' : undefined}>
      {columns.map((column, index) => {
        const isHead = head === null ? column.isHead : index === head;
        const Cell = isHead ? 'th' : 'td';
        const shown = drawn(column, row);
        return (
          <Cell
            key={column.name}
            class={classOf(column, list && index > ON_CARD)}
            {...(isHead ? { scope: 'row' } : { 'data-name': column.name })}
          >
            {index === 0 && href ? <a class="row-link" href={href} children={shown} /> : shown}
          </Cell>
        );
      })}
      {(actions !== undefined || hasMore) && (
        <td class={actions === undefined ? 'row-actions card-only' : 'row-actions'}>
          {hasMore && <Button text={isOpen ? 'Less' : 'More'} class="quiet more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />}
          {actions}
        </td>
      )}
    </tr>
  );
}

export interface DataTableProps<T> {
  readonly caption: string;
  readonly class?: string | undefined;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly groups?: readonly (readonly [name: string, rows: readonly T[]])[] | undefined;
  readonly isMarked?: ((row: T) => boolean | undefined) | undefined;
  readonly none?: string;
  /** Records: sorted by the heads, the first column is the title and the link of a row; cards on a phone. */
  readonly list?: List<T>;
}

/** Moves the focus between rows. */
const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** A native table with its own scrollbar where it is wider than the page. */
export function DataTable<T>({ caption, columns, rows, groups = [['', rows]], isMarked, list, ...more }: DataTableProps<T>) {
  if (rows.length === 0 && !list) return <p class="none">{more.none ?? 'Nothing yet.'}</p>;
  const moveRow = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (!(event.target instanceof HTMLInputElement)) moveBy(event, 'tbody th a, tbody th button', STEPS);
  };
  return (
    // a region that scrolls must be reachable by keyboard: by the links of a list, or itself
    <section class="table" aria-label={`Table: ${caption}`} {...(list ? { onKeyDown: moveRow } : { tabIndex: 0 })}>
      <table class={more.class}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((c) =>
              list ? (
                <Head key={c.name} column={c} {...list} />
              ) : (
                <th key={c.name} scope="col" class={classOf(c)}>
                  {c.name}
                </th>
              ),
            )}
            {list?.actions && (
              <td>
                <span class="visually-hidden">Actions</span>
              </td>
            )}
          </tr>
        </thead>
        {groups.map(([name, group]) => (
          <tbody key={name}>
            {name && group.length > 0 && (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length + (list?.actions ? 1 : 0)}>{`${name} · ${number(group.length)}`}</th>
              </tr>
            )}
            {group.map((row, index) => (
              <Row key={list?.keyOf(row) ?? index} row={row} columns={columns} isMarked={isMarked} list={list} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

const MARGIN_PX = 800;

interface WindowedProps<T> {
  readonly items: readonly T[];
  /** Height of a row as far as it is known before it is rendered. */
  readonly rowHeightPx: number;
  readonly chunkSize: number;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** Rows that are rendered near the viewport only; elsewhere a box of their last height. The first ones stay, so that Tab finds a way in. */
function Chunk<T>({ items, first, rowHeightPx, children }: Omit<WindowedProps<T>, 'chunkSize'> & { readonly first: number }) {
  const box = useRef<HTMLDivElement>(null);
  /** Null: rendered. */
  const [heightPx, setHeight] = useState(first === 0 ? null : items.length * rowHeightPx);
  useLayoutEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry && first > 0) setHeight((before) => (entry.isIntersecting ? null : entry.boundingClientRect.height || before));
      },
      // scrollMargin: the same inside of boxes that scroll by themselves
      { rootMargin: `${MARGIN_PX}px`, scrollMargin: `${MARGIN_PX}px` } as IntersectionObserverInit,
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={heightPx === null ? undefined : { height: `${heightPx}px` }}>
      {heightPx === null && items.map((item, index) => children(item, first + index))}
    </div>
  );
}

/** A long list in chunks, of which those near the viewport are rendered: ten thousand rows cost as much as a screen of them. */
export function Windowed<T>({ items, chunkSize, ...more }: WindowedProps<T>) {
  const chunks = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) => index * chunkSize);
  return (
    <>
      {chunks.map((first) => (
        <Chunk key={first} items={items.slice(first, first + chunkSize)} first={first} {...more} />
      ))}
    </>
  );
}
