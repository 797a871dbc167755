import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
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
  readonly groups?: readonly (readonly [name: string, rows: readonly T[]])[];
  readonly isMarked?: (row: T) => boolean | undefined;
  readonly none?: string;
}

/** A native table with its own scrollbar where it is wider than the page. */
export function DataTable<T>({ caption, columns, rows, groups = [['', rows]], isMarked, ...more }: DataTableProps<T>) {
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
                <th scope="rowgroup" colSpan={columns.length}>{`${name} · ${number(group.length)}`}</th>
              </tr>
            )}
            {group.map((row, at) => (
              <tr key={at} class={isMarked?.(row) ? 'marked' : undefined}>
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
      {heightPx === null && items.map((item, at) => children(item, first + at))}
    </div>
  );
}

/** A long list in chunks, of which those near the viewport are rendered: ten thousand rows cost as much as a screen of them. */
export function Windowed<T>({ items, chunkSize, ...more }: WindowedProps<T>) {
  const chunks = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, at) => at * chunkSize);
  return (
    <>
      {chunks.map((first) => (
        <Chunk key={first} items={items.slice(first, first + chunkSize)} first={first} {...more} />
      ))}
    </>
  );
}
