import { useSignal } from '@preact/signals';
import { type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { pageAt, place, setQuery } from '../app/place.ts';
import { credits, sessionEnded } from '../app/session.ts';
import { Button } from './controls.tsx';
import { number } from './format.ts';
import { Icon, type IconName, Mark } from './icons.tsx';
import { Readable } from './readable.tsx';

/** Neither while it is read for the first time. */
export interface Loaded<T> {
  readonly value?: T;
  readonly failed?: string;
}

/** The words of anything thrown by a request. A session that has ended leads to the sign-in. */
export function wordsOf(error: unknown): string {
  // an ApiError, or a SightlineError of the client, which the first load does not have
  if (error instanceof Error && 'status' in error && error.status === 401) sessionEnded();
  return error instanceof Error ? error.message : String(error);
}

/** Loads when `keys` change, and by `reload`. The value stays while it is loaded again; an answer that is overtaken is dropped. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]) {
  const loaded = useSignal<Loaded<T>>({});
  const running = useRef<AbortController | null>(null);
  const reload = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    try {
      const value = await load(controller.signal);
      if (!controller.signal.aborted) loaded.value = { value };
    } catch (error) {
      if (!controller.signal.aborted) loaded.value = { failed: wordsOf(error) };
    }
  }, keys);
  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [reload]);
  return { loaded: loaded.value, value: loaded.value.value, reload };
}

export function Show<T>({ loaded: { value, failed }, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (failed !== undefined) return <Problem words={failed} />;
  if (value !== undefined) return <>{children(value)}</>;
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** What went wrong, as a box or below its field; nothing where nothing did. */
export const Problem = ({ words, id, class: name = 'problem' }: { words: string | null; id?: string; class?: string }) =>
  words && (
    <p id={id} class={name} role="alert">
      {words}
    </p>
  );

/** A component that is fetched when it is first rendered, or by `fetch` before. */
export type Later<P> = ComponentType<P> & { readonly fetch: () => Promise<void> };
/** Keeps a component out of the first load. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let found: ComponentType<P> | null = null;
  const read = async (): Promise<void> => {
    found ??= await load().catch((cause: unknown) => {
      throw new Error('A part of the console could not be loaded. Reload the page: the service may have a new version.', { cause });
    });
  };
  const component = (props: P) => {
    const { loaded } = useLoaded(read, []);
    return found ? createElement(found, props) : <Show loaded={loaded}>{() => null}</Show>;
  };
  return Object.assign(component, { fetch: read });
}

/** Does what the address asks for once in `_do`, as an act of Find does. */
export function useAsked(name: string | undefined, act: () => void): void {
  const isAsked = name !== undefined && place.value.query.get('_do') === name;
  useEffect(() => {
    if (!isAsked) return;
    setQuery({ _do: null });
    act();
  }, [isAsked]);
}

/** The time now, epoch ms; the component is drawn again at this interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** `params`: what its address names. */
export interface PageParams {
  readonly params: Readonly<Record<string, string>>;
}
export type PageComponent = ComponentType<PageParams>;

/** Path with `:name` for what a page is about; without an icon it is not in the navigation. */
export type PageEntry<C = PageComponent> = readonly [path: string, name: string, icon: IconName | null, component: C];
interface PageProps {
  readonly title: string;
  /** The heading where it is more than the title, such as a button that opens the operations. */
  readonly heading?: ComponentChildren;
  /** The list that it belongs to, before the title; on a phone the bar has no room for it. */
  readonly back?: readonly [href: string, words: string];
  /** Of what it is about, in a pill. */
  readonly state?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly again?: () => unknown;
  /** The children bring their own boxes: the Workbench. */
  readonly bare?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, heading, back, state, actions, again, bare = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  return (
    <>
      <header class="bar">
        <a class="home" href={pageAt('/console')} aria-label="Home">
          <Mark />
        </a>
        {back && (
          <nav class="path" aria-label="Belongs to">
            <a href={back[0]}>{back[1]}</a> <Icon name="right" />
          </nav>
        )}
        <h1>{heading ?? <Readable text={title} />}</h1>
        {credits.value !== null && (
          <a class="credits" href={pageAt('/console/usage')} aria-label={`${number(credits.value)} credits`}>
            {number(credits.value)}
          </a>
        )}
        {state}
        {again && <Button class="quiet" icon="refresh" text="Read again" onClick={() => void again()} />}
        {actions}
      </header>
      {bare ? children : <div class="page">{children}</div>}
    </>
  );
}

interface LoadedPageProps<T> extends Pick<PageProps, 'back'> {
  readonly state?: (value: T) => ComponentChildren;
  /** Those of what was read once it is. */
  readonly actions?: ComponentChildren | ((value: T, reload: () => Promise<void>) => ComponentChildren);
  readonly title: string | ((value: T) => string);
  readonly load: (signal: AbortSignal) => Promise<T>;
  readonly keys?: readonly unknown[];
  readonly isLive?: boolean;
  readonly children: (value: T, reload: () => Promise<void>) => ComponentChildren;
}
export function LoadedPage<T>({ title, load, keys = [], isLive = false, state, actions, children, ...page }: LoadedPageProps<T>) {
  const { loaded, reload } = useLoaded(load, keys);
  const named = typeof title === 'string' ? title : loaded.value === undefined ? '…' : title(loaded.value);
  const acts = typeof actions === 'function' ? loaded.value !== undefined && actions(loaded.value, reload) : actions;
  return (
    <Page
      {...page}
      title={named}
      state={loaded.value !== undefined && state?.(loaded.value)}
      actions={acts}
      {...(isLive && { again: reload })}
    >
      <Show loaded={loaded}>{(value) => children(value, reload)}</Show>
    </Page>
  );
}

/** The page of one thing, which the address names by this parameter. */
export const pageOf =
  <T,>(
    parameter: string,
    about: (id: string) => Omit<LoadedPageProps<T>, 'children'>,
    View: ComponentType<{ readonly data: T; readonly reload: () => Promise<void> }>,
  ): PageComponent =>
  ({ params: { [parameter]: id = '' } }) => (
    <LoadedPage keys={[id]} {...about(id)}>
      {(data, reload) => <View data={data} reload={reload} />}
    </LoadedPage>
  );
