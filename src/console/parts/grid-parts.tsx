import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Chip } from './chip.tsx';
import { Button } from './controls.tsx';
import { duration, number, share } from './format.ts';
import { Icon } from './icons.tsx';
import type { Column } from './rows.ts';
import { Time } from './time.tsx';

/** Fields of a card beside its title; "More" shows the others. */
const ON_CARD = 4;
const NUMBERS = { number, share, duration } as const;
export const isNumeric = ({ as }: Pick<Column<never>, 'as'>): boolean => as !== undefined && as in NUMBERS;

function drawn<T>({ of, value, as, none = '–' }: Column<T>, row: T): ComponentChildren {
  if (of) return of(row);
  const cell = value(row);
  if (cell === null || cell === '') return none;
  if (as === 'time') return <Time at={String(cell)} />;
  if (as === 'code') return <code>{String(cell)}</code>;
  return typeof cell === 'number' ? NUMBERS[as ?? 'number'](cell) : String(cell);
}

/** How a list is sorted, such as `-took`, and what changes it. */
export interface Order {
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}
export function Head<T>({ column, sort, sortBy }: Order & { readonly column: Column<T> }) {
  const [up, down] = [column.id, `-${column.id}`];
  const order = sort === up ? 'ascending' : sort === down ? 'descending' : null;
  // numbers are asked for from the largest on
  const turns = isNumeric(column) ? [down, up, down] : [up, down];
  return (
    <th scope="col" class={isNumeric(column) ? 'numeric' : undefined} aria-sort={order ?? 'none'}>
      <button type="button" onClick={() => sortBy(turns[turns.indexOf(sort) + 1] ?? '')}>
        {column.name}
        {order && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
      </button>
    </th>
  );
}

interface RowProps<T> {
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly href: string | null;
  readonly actions: ComponentChildren;
}
export function Row<T>({ row, columns, href, actions }: RowProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const [title, ...fields] = columns;
  const named = title && drawn(title, row);
  const hasMore = fields.length > ON_CARD;
  return (
    <tr class={isOpen ? 'open' : undefined}>
      <th scope="row">
        {href === null ? (
          named
        ) : (
          <a class="row-link" href={href}>
            {named}
          </a>
        )}
      </th>
      {fields.map((column, index) => (
        <td key={column.id} data-name={column.name} class={`${isNumeric(column) ? 'numeric' : ''}${index >= ON_CARD ? ' rest' : ''}`}>
          {drawn(column, row)}
        </td>
      ))}
      {(actions !== undefined || hasMore) && (
        <td class={actions === undefined ? 'row-actions card-only' : 'row-actions'}>
          {hasMore && <Button text={isOpen ? 'Less' : 'More'} class="quiet more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />}
          {actions}
        </td>
      )}
    </tr>
  );
}

interface ColumnChoiceProps<T> extends Order {
  readonly columns: readonly Column<T>[];
  readonly shown: readonly Column<T>[];
  readonly show: (ids: string) => void;
}

export function ColumnChoice<T>({ columns, shown, sort, sortBy, show }: ColumnChoiceProps<T>) {
  const toggle = (id: string): void => {
    const next = columns.filter((column, index) => index > 0 && shown.includes(column) !== (column.id === id));
    show(next.map((column) => column.id).join(','));
  };
  return (
    <Chip label="Columns and order" value="Columns">
      {() => (
        <>
          <label class="field">
            Order
            <select value={sort} onChange={(e) => sortBy(e.currentTarget.value)}>
              <option value="">as the service lists them</option>
              {columns.flatMap(({ id, name }) => [
                <option key={id} value={id}>
                  {name}, smallest first
                </option>,
                <option key={`-${id}`} value={`-${id}`}>
                  {name}, largest first
                </option>,
              ])}
            </select>
          </label>
          {columns.slice(1).map((column) => (
            <label key={column.id} class="option">
              <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column.id)} />
              {column.name}
            </label>
          ))}
        </>
      )}
    </Chip>
  );
}
