import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Empty } from './card.tsx';
import { type Filter, Filters } from './filters.tsx';
import { Grid, type GridProps } from './grid.tsx';
import type { IconName } from './icons.tsx';
import { Page } from './page.tsx';

interface ListPageProps<T> extends Omit<GridProps<T>, 'caption' | 'empty' | 'keys'> {
  readonly title: string;
  readonly caption?: string;
  readonly icon: IconName;
  /** What is said where there are no rows, and below it what makes the first one. */
  readonly none: string;
  readonly hint?: string;
  readonly about?: ComponentChildren;
  readonly filters?: readonly (Filter | `_${string}`)[];
  /** Buttons of the page; `reload` reads the list again. */
  readonly acts?: (reload: () => void) => ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  /** What the rows show changes by itself: the page has a button that reads it again. */
  readonly isLive?: boolean;
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { title, caption = title, icon, none, hint, about, filters, acts, above, below, isLive = false, children, ...grid } = props;
  const read = useSignal(0);
  const reload = (): void => void read.value++;
  return (
    <Page title={title} actions={acts?.(reload)} {...(isLive && { again: reload })}>
      {about && <p class="caption">{about}</p>}
      {above}
      <Grid
        {...grid}
        caption={caption}
        keys={[read.value]}
        empty={
          <Empty icon={icon} title={none}>
            {hint && <p>{hint}</p>}
          </Empty>
        }
      >
        {children}
        {filters && <Filters filters={filters} />}
      </Grid>
      {below}
    </Page>
  );
}
