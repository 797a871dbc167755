import { ALWAYS } from '../contract/admin/source-words.ts';
import type { OperationWays } from '../contract/contract-view.ts';
import { operationList } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { inOrder, missingSettings } from './availability.ts';
import { credentialsNeeded } from './credentials.ts';
import { offerOf, providerOf } from './recipes/offer.ts';
import type { Source } from './source.ts';

/** Parameters of a lookup by operation. */
export type Examples = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The examples of the contract: their things exist on the simulated platforms alone. */
export const contractExamples = (): Examples =>
  new Map(
    operationList.map(({ id, parameters }) => [
      id,
      Object.fromEntries(parameters.flatMap(({ name, required, example }) => (required ? [[name, String(example)]] : []))),
    ]),
  );

/** For each operation the sources that may answer it, in the order in which they are asked, and what each lacks. */
export const waysOf = (sources: readonly Source[], settings: Settings, examples: Examples): readonly OperationWays[] =>
  operationList.map(({ id }) => {
    const able = inOrder(sources, settings).filter(({ operations }) => operations.includes(id));
    const states = able.map((source) => {
      const lacking = missingSettings(source, settings);
      const keys = credentialsNeeded(source);
      const offer = offerOf(source.id, id);
      const byKey = lacking.length > 0 && lacking.every((name) => keys.includes(name));
      return {
        name: source.id,
        about: source.about,
        lacking,
        byKey,
        provider: providerOf(source.id),
        // one without a daily cap costs nothing
        free: offer ? offer.free : source.dailyCap ? null : ALWAYS,
        price: offer?.price ?? null,
        states: offer?.states ?? [],
        endsOn: source.sunset?.date ?? null,
        offBecause: source.offBecause ?? null,
      };
    });
    return { id, ready: states.some(({ lacking }) => lacking.length === 0), example: examples.get(id) ?? null, sources: states };
  });
