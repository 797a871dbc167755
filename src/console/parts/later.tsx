import { type ComponentType, createElement } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './load.tsx';

/** A component that is fetched when it is first rendered, so that the first load is small. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, setState] = useState<'loading' | 'here' | 'failed'>(found ? 'here' : 'loading');
    useEffect(() => {
      if (found) return;
      load().then(
        (component) => {
          found = component;
          setState('here');
        },
        () => setState('failed'),
      );
    }, []);
    if (found) return createElement(found, props);
    if (state === 'failed')
      return <Problem words="A part of the console could not be loaded. Reload the page: the service may have a new version." />;
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    );
  };
}
