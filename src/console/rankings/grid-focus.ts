import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Row 0 has the heads of the columns. */
type At = readonly [row: number, column: number];
interface GridFocus {
  readonly rows: number;
  readonly columns: number;
  /** Rows of a page. */
  readonly page: number;
  /** Opens what stands behind a row, from 0. */
  readonly open: (row: number) => void;
  /** Renders a row, from 0, that is not rendered yet. */
  readonly reveal: (row: number) => void;
}

/**
 * The focus in a grid whose cells have `data-at="row column"` (WAI-ARIA, grid): one stop of Tab, arrows, Home, End and pages move it, Enter
 * opens. The stop is in the document, so that moving it draws nothing.
 */
export function useGridFocus(box: RefObject<HTMLElement | null>, { rows, columns, page, open, reveal }: GridFocus) {
  const here = useRef<At>([1, 0]);
  const stop = useRef<HTMLElement | null>(null);
  /** The cell is to get the focus once it is rendered. */
  const isAwaited = useRef(false);
  const cellOf = ([row, column]: At): HTMLElement | null =>
    box.current?.querySelector<HTMLElement>(`[data-at="${row} ${column}"]${row === 0 ? ' button' : ''}`) ?? null;
  const stopAt = (cell: HTMLElement | null): void => {
    if (stop.current === cell) return;
    if (cell) cell.tabIndex = 0;
    if (stop.current) stop.current.tabIndex = -1;
    stop.current = cell;
  };
  // the focus first: an element that has it and is no stop any more is laid out at once, to see whether it may keep it
  useLayoutEffect(() => {
    const cell = cellOf(here.current);
    if (isAwaited.current) {
      if (!cell) return;
      isAwaited.current = false;
      cell.focus();
    }
    stopAt(cell ?? box.current?.querySelector<HTMLElement>('tbody [data-at]') ?? null);
  });
  const move = ([row, column]: At): void => {
    here.current = [Math.min(rows, Math.max(0, row)), Math.min(columns - 1, Math.max(0, column))];
    const cell = cellOf(here.current);
    if (cell) {
      cell.focus();
      stopAt(cell);
    } else {
      isAwaited.current = true;
      reveal(here.current[0] - 1);
    }
  };
  return {
    onKeyDown(event: KeyboardEvent): void {
      if (event.altKey) return;
      const isFar = event.ctrlKey || event.metaKey;
      const [row, column] = here.current;
      const steps: Readonly<Record<string, At>> = {
        ArrowDown: [row + 1, column],
        ArrowUp: [row - 1, column],
        ArrowRight: [row, column + 1],
        ArrowLeft: [row, column - 1],
        PageDown: [row + page, column],
        PageUp: [row - page, column],
        Home: isFar ? [1, 0] : [row, 0],
        End: isFar ? [rows, columns - 1] : [row, columns - 1],
      };
      const to = steps[event.key];
      // the button of a head acts by itself
      const opens = event.key === 'Enter' && row > 0;
      if (!to && !opens) return;
      event.preventDefault();
      if (to) move(to);
      else open(row - 1);
    },
    onFocusIn({ target }: FocusEvent): void {
      const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
      const [row, column] = (cell?.dataset.at ?? '').split(' ').map(Number);
      if (row === undefined || column === undefined) return;
      here.current = [row, column];
      stopAt(cellOf(here.current));
    },
  };
}
