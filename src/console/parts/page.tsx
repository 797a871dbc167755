import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { at } from '../app/place.ts';
import { credits } from '../app/session.ts';
import { Button, LinkButton } from './controls.tsx';
import { number } from './format.ts';
import { Mark } from './icons.tsx';
import { Show, useLoaded } from './load.tsx';

export interface PageProps {
  readonly title: string;
  /** The heading where it is more than the title, such as a button that opens the operations. */
  readonly heading?: ComponentChildren;
  readonly back?: readonly [href: string, words: string];
  readonly actions?: ComponentChildren;
  readonly again?: () => unknown;
  /** The children bring their own boxes: the Workbench. */
  readonly bare?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, heading, back, actions, again, bare = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  return (
    <>
      <header class="bar">
        <a class="home" href={at('/console')} aria-label="Home">
          <Mark />
        </a>
        <h1>{heading ?? title}</h1>
        {back && <LinkButton class="quiet" href={back[0]} text={back[1]} />}
        {actions}
        {again && <Button text="Read again" onClick={() => void again()} />}
        {credits.value !== null && (
          <a class="credits" href={at('/console/usage')} aria-label={`${number(credits.value)} credits`}>
            {number(credits.value)}
          </a>
        )}
      </header>
      {bare ? children : <div class="page">{children}</div>}
    </>
  );
}

interface LoadedPageProps<T> extends Omit<PageProps, 'title' | 'children'> {
  readonly title: string | ((value: T) => string);
  readonly load: (signal: AbortSignal) => Promise<T>;
  readonly keys?: readonly unknown[];
  /** The page has a button that reads it again. */
  readonly isLive?: boolean;
  readonly children: (value: T, reload: () => Promise<void>) => ComponentChildren;
}
export function LoadedPage<T>({ title, load, keys = [], isLive = false, children, ...page }: LoadedPageProps<T>) {
  const { loaded, reload } = useLoaded(load, keys);
  const named = typeof title === 'string' ? title : loaded.state === 'here' ? title(loaded.value) : '…';
  return (
    <Page {...page} title={named} {...(isLive && { again: reload })}>
      <Show loaded={loaded}>{(value) => children(value, reload)}</Show>
    </Page>
  );
}
