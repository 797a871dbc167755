import { useEffect, useRef, useState } from 'preact/hooks';

type Range = readonly [first: number, end: number];
/** Rows that one frame adds: of 12 cells each, below 100 ms on a slow phone. */
const MOST_ADDED = 3;

/**
 * The rows that are drawn of those wanted. Rows that are drawn already stay; of the others each frame adds some, from `target` on where it is
 * not among them: the row of the focus is there at the next paint, whatever the length of the jump. While all in the window are drawn, those
 * around them wait until they are painted. Of other `rows`, as after sorting, none is drawn yet. `turn`: another number where no row stays
 * that was drawn before.
 */
export function useDrawnRows(
  rows: readonly unknown[],
  [first, end]: Range,
  inWindow: Range,
  target: number | null,
): readonly [first: number, end: number, turn: number] {
  const last = useRef<Range>([first, first]);
  const lastRows = useRef(rows);
  const turn = useRef(0);
  const isPainted = useRef(false);
  const [, draw] = useState({});
  let [from, to] = [Math.max(first, last.current[0]), Math.min(end, last.current[1])];
  const start = target !== null && target >= first && target < end ? target : null;
  if (rows !== lastRows.current || from >= to || (start !== null && (start < from || start >= to))) {
    [from, to] = [start ?? first, start ?? first];
    turn.current++;
  }
  const most = isPainted.current || inWindow[0] < from || inWindow[1] > to ? MOST_ADDED : 0;
  isPainted.current = false;
  const below = Math.min(most, end - to);
  const above = Math.min(most - below, from - first);
  const drawn: Range = [from - above, to + below];
  last.current = drawn;
  lastRows.current = rows;
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
