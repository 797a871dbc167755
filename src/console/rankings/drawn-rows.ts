import { useEffect, useRef, useState } from 'preact/hooks';

type Range = readonly [first: number, end: number];
/** Rows that one frame adds: of 12 cells each, below 100 ms on a slow phone. */
const MOST_ADDED = 3;

/**
 * The rows that are drawn of those wanted. Rows that are drawn already stay; of the others each frame adds some, from `target` on where it is
 * not among them: the row of the focus is there at the next paint, whatever the length of the jump. While all in the window are drawn, nothing
 * changes before they are painted. Of other `rows` or `columns`, as after sorting, none is drawn yet. Paper waits for no frame: it has all.
 * `turn`: another number where no row stays that was drawn before.
 */
export function useDrawnRows(
  rows: readonly unknown[],
  columns: readonly unknown[],
  [first, end]: Range,
  inWindow: Range,
  target: number | null,
  isOnPaper: boolean,
): readonly [first: number, end: number, turn: number] {
  const last = useRef<Range>([first, first]);
  const lastRows = useRef(rows);
  const lastColumns = useRef(columns);
  const turn = useRef(0);
  const isPainted = useRef(false);
  const [, draw] = useState({});
  const [lastFirst, lastEnd] = last.current;
  const start = target !== null && target >= first && target < end ? target : null;
  const isOther = rows !== lastRows.current || columns !== lastColumns.current;
  const isLost = isOther || (start !== null && (start < lastFirst || start >= lastEnd));
  const waits = !isLost && inWindow[0] >= lastFirst && inWindow[1] <= lastEnd && !isPainted.current;
  isPainted.current = false;
  let [from, to] = waits ? last.current : [Math.max(first, lastFirst), Math.min(end, lastEnd)];
  if (isLost || from >= to) {
    [from, to] = [start ?? first, start ?? first];
    turn.current++;
  }
  const below = waits ? 0 : Math.min(MOST_ADDED, end - to);
  const above = waits ? 0 : Math.min(MOST_ADDED - below, from - first);
  const drawn: Range = isOnPaper ? [first, end] : [from - above, to + below];
  last.current = drawn;
  lastRows.current = rows;
  lastColumns.current = columns;
  const isWhole = drawn[0] === first && drawn[1] === end;
  useEffect(() => {
    if (isWhole) return;
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        isPainted.current = true;
        draw({});
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  });
  return [...drawn, turn.current];
}
