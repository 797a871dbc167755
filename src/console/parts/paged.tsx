import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Loaded, Show, useLoaded, wordsOf } from './load.tsx';

interface Page<T> {
  readonly rows: readonly T[];
  /** Cursor of the next page; null on the last one. */
  readonly after: string | null;
}

/** A list that is read page by page: the first at once, each further one by a button. */
export function Paged<T>({
  load,
  keys,
  children,
}: {
  readonly load: (after: string | undefined, signal?: AbortSignal) => Promise<Page<T>>;
  readonly keys: readonly unknown[];
  readonly children: (rows: readonly T[]) => ComponentChildren;
}) {
  const more = useSignal<Page<T> | null>(null);
  const failed = useSignal<string | null>(null);
  const { loaded } = useLoaded((signal) => {
    more.value = null;
    return load(undefined, signal);
  }, keys);
  const whole: Loaded<Page<T>> =
    loaded.state === 'here' && more.value
      ? { state: 'here', value: { rows: [...loaded.value.rows, ...more.value.rows], after: more.value.after } }
      : loaded;
  const readMore = async (after: string): Promise<void> => {
    try {
      const next = await load(after);
      more.value = { rows: [...(more.value?.rows ?? []), ...next.rows], after: next.after };
      failed.value = null;
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  return (
    <Show loaded={whole}>
      {({ rows, after }) => (
        <>
          {children(rows)}
          {failed.value && <p class="problem">{failed.value}</p>}
          {after !== null && (
            <p>
              <button type="button" onClick={() => void readMore(after)}>
                Show more
              </button>
            </p>
          )}
        </>
      )}
    </Show>
  );
}
