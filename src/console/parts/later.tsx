import { type ComponentType, createElement } from 'preact';
import { Show, useLoaded } from './load.tsx';

/** A component that is fetched when it is first rendered, so that the first load is small. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  const read = async (): Promise<void> => {
    found ??= await load().catch((cause: unknown) => {
      throw new Error('A part of the console could not be loaded. Reload the page: the service may have a new version.', { cause });
    });
  };
  return function Later(props: P) {
    const { loaded } = useLoaded(read, []);
    return found ? createElement(found, props) : <Show loaded={loaded}>{() => null}</Show>;
  };
}
