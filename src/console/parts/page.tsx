import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { actingFor } from '../app/api.ts';
import { session } from '../app/session.ts';

interface PageProps {
  readonly title: string;
  /** The page shows one account: an operator has to choose which. */
  readonly ofAccount?: boolean;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page with its heading. */
export function Page({ title, ofAccount = false, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  const mustChoose = ofAccount && session.value?.kind === 'operator' && actingFor.value === null;
  return (
    <div class="page">
      <div class="toolbar">
        <h1>{title}</h1>
        {!mustChoose && actions}
      </div>
      {mustChoose ? <p class="notice">Choose an account at the top of the page.</p> : children}
    </div>
  );
}
