import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { sessionEnded } from '../app/session.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly words: string }
  | { readonly state: 'here'; readonly value: T };

/** The words of anything thrown by a request. A session that has ended leads to the sign-in. */
export function wordsOf(error: unknown): string {
  // an ApiError, or a SightlineError of the client, which the first load does not have
  if (error instanceof Error && 'status' in error && error.status === 401) sessionEnded();
  return error instanceof Error ? error.message : String(error);
}

/** Loads when `keys` change, and by `reload`. The value stays while it is loaded again; an answer that is overtaken is dropped. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]) {
  const loaded = useSignal<Loaded<T>>({ state: 'loading' });
  const running = useRef<AbortController | null>(null);
  const reload = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    try {
      const value = await load(controller.signal);
      if (!controller.signal.aborted) loaded.value = { state: 'here', value };
    } catch (error) {
      if (!controller.signal.aborted) loaded.value = { state: 'failed', words: wordsOf(error) };
    }
  }, keys);
  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [reload]);
  return { loaded: loaded.value, reload };
}

export function Show<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.state === 'loading')
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    );
  if (loaded.state === 'failed') return <Problem words={loaded.words} />;
  return <>{children(loaded.value)}</>;
}

/** What is wrong with a value, beside its field. */
export const Wrong = ({ words, id }: { words: string | null; id?: string }) =>
  words && (
    <p id={id} class="wrong" role="alert">
      {words}
    </p>
  );

export const Problem = ({ words }: { words: string }) => (
  <p class="problem" role="alert">
    {words}
  </p>
);
