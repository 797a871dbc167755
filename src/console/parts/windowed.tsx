import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const MARGIN_PX = 800;

interface ChunkProps<T> {
  readonly items: readonly T[];
  readonly first: number;
  readonly heightPx: number;
  /** The first rows stay, so that Tab finds a way in. */
  readonly always: boolean;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** Rows that are rendered near the viewport only; elsewhere a box of their last height. */
function Chunk<T>({ items, first, heightPx, always, children }: ChunkProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(always);
  const measured = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (!entry.isIntersecting && entry.boundingClientRect.height > 0) measured.current = entry.boundingClientRect.height;
        setNear(always || entry.isIntersecting);
      },
      // scrollMargin: the same inside of boxes that scroll by themselves
      { rootMargin: `${MARGIN_PX}px`, scrollMargin: `${MARGIN_PX}px` } as IntersectionObserverInit,
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={near ? undefined : { height: `${measured.current ?? items.length * heightPx}px` }}>
      {near && items.map((item, at) => children(item, first + at))}
    </div>
  );
}

interface WindowedProps<T> extends Pick<ChunkProps<T>, 'items' | 'children'> {
  /** Height of a row as far as it is known before it is rendered. */
  readonly rowHeightPx: number;
  readonly chunkSize: number;
}

/** A long list in chunks, of which those near the viewport are rendered: ten thousand rows cost as much as a screen of them. */
export function Windowed<T>({ items, rowHeightPx, chunkSize, children }: WindowedProps<T>) {
  const chunks = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, at) => at * chunkSize);
  return (
    <>
      {chunks.map((first) => (
        <Chunk key={first} items={items.slice(first, first + chunkSize)} first={first} heightPx={rowHeightPx} always={first === 0}>
          {children}
        </Chunk>
      ))}
    </>
  );
}
