import type { OperationId } from '../contract/operations/index.ts';
import { screenWorld } from './challenge.ts';
import type { Ask, Asks, Source } from './source.ts';

type Described = Omit<Source, 'open'> & { readonly load: () => Promise<Source['open']> };

/** A source whose connector is loaded when it is first asked: neither a start nor a process that never asks it needs its readers. */
export function lazily({ load, ...source }: Described): Source {
  return {
    ...source,
    open(ports) {
      let opened: Promise<Asks> | null = null;
      const ask =
        (operation: OperationId): Ask<OperationId> =>
        async (input, attempt) => {
          opened ??= load().then((open) => open(screenWorld(ports)));
          const asked = (await opened)[operation] as Ask<OperationId> | undefined;
          if (!asked) throw new Error(`the connector does not answer ${operation}, though its source says so`);
          return asked(input, attempt);
        };
      return Object.fromEntries(source.operations.map((operation) => [operation, ask(operation)])) as Asks;
    },
  };
}
