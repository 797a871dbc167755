import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Answer } from '../upstream/answer.ts';
import { outcomeOfChallenge, screenPorts } from './challenge.ts';
import type { Outcome } from './outcome.ts';
import type { Ask, Asks, Ports, Reader, ReaderEntry, Source, SourceBudgetRule } from './source.ts';

type Open = (ports: Ports, cap: SourceBudgetRule) => Asks;
/** A source; `needs` is empty and `knowsAbsence` true where they are left out. */
type Described<Id extends OperationId> = Omit<Source<Id>, 'open' | 'needs' | 'knowsAbsence'> &
  Partial<Pick<Source, 'needs' | 'knowsAbsence'>> & { readonly load: () => Promise<Open> };

const NO_CAP: SourceBudgetRule = { key: '', maxRequests: 0, maxUsd: 0, usdEach: 0 };

/** A source whose connector is loaded on the first request, so that neither the start nor a process without requests to it loads its parser. */
export function lazily<const Id extends OperationId>({ load, ...source }: Described<Id>): Source {
  return {
    needs: [],
    knowsAbsence: true,
    ...source,
    open(ports) {
      let opened: Promise<Asks> | null = null;
      const ask =
        (operation: OperationId): Ask<OperationId> =>
        async (input, attempt) => {
          opened ??= load().then((open) => open(screenPorts(ports), source.dailyCap?.(ports.settings) ?? NO_CAP));
          const asked = (await opened)[operation] as Ask<OperationId> | undefined;
          if (!asked) throw new Error(`the connector does not answer ${operation}, though its source says so`);
          return asked(input, attempt);
        };
      return Object.fromEntries(source.operations.map((operation) => [operation, ask(operation)])) as Asks;
    },
  };
}

/** A reader that is loaded on first use. A challenge page is recognised before it. */
export const lazyReader = <Id extends OperationId>(operation: Id, load: () => Promise<Reader<Id>>): ReaderEntry => ({
  operation,
  async load() {
    // a method, so that a reader of one operation's input is accepted: the caller passes the input of `operation`
    const reader: { read(answer: Answer, input: Input): Outcome<Resource> } = { read: await load() };
    return (answer, input) => outcomeOfChallenge(answer) ?? reader.read(answer, input);
  },
});
