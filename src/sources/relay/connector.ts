import { readFile } from 'node:fs/promises';
import { type Input, OPERATIONS, type Operation, type OperationId, operationList } from '../../contract/operations/index.ts';
import { didYouMean } from '../../contract/parameters/misspelt.ts';
import { unreadFile } from '../../runtime/unread-file.ts';
import { SettingError, type Settings } from '../../settings.ts';
import { SOURCES } from '../index.ts';
import type { Outcome } from '../outcome.ts';
import { type KeyOf, recipeSource } from '../recipes/recipe-source.ts';
import { RECIPES } from '../recipes/recipes.ts';
import { type Asks, type Attempt, lazily, type Source } from '../source.ts';
import { askRelay } from './ask.ts';
import type { Environment, Relay } from './config.ts';
import { requestOf } from './request.ts';

/** Operations that a parser supports: those with the same input and resource. */
const operationsLike = (id: OperationId): readonly OperationId[] => {
  const shape = ({ resourceName, parameters }: Operation) => [resourceName, ...parameters.map((p) => p.field)].join(' ');
  return operationList.filter((o) => shape(o) === shape(OPERATIONS[id])).map((o) => o.id);
};

export function relaySource(relay: Relay): Source {
  const { id, reading } = relay;
  const operations = reading.by === 'reader' ? operationsLike(relay.operation) : [relay.operation];
  return lazily({
    id,
    operations,
    needs: ['SIGHTLINE_RELAYS'],
    dailyCap: () => ({
      key: id,
      maxRequests: relay.maxRequestsPerDay,
      maxUsd: relay.maxUsdPerDay,
      usdEach: relay.usdEach,
      settings: `SIGHTLINE_RELAYS (maxRequestsPerDay, maxUsdPerDay of ${id})`,
    }),
    // a short link has no id to insert into the URL
    serves: (_, input) => requestOf(relay, input) !== null,
    about: `data provider of SIGHTLINE_RELAYS, ${reading.by === 'reader' ? `read as ${reading.reader}` : 'mapped to the resource'}`,
    load: async () => (ports, budget) => {
      const ask = (input: Input, attempt: Attempt): Promise<Outcome> => askRelay(ports, budget, relay, input, attempt);
      return Object.fromEntries(operations.map((operation) => [operation, ask])) as Asks;
    },
  });
}

export const withRelays = (sources: readonly Source[], relays: readonly Relay[]): readonly Source[] => [
  ...relays.filter((r) => r.place === 'first').map(relaySource),
  ...sources,
  ...relays.filter((r) => r.place === 'last').map(relaySource),
];

/** The built-in sources, relays and recipes. `keyOf`: the value of a recipe's variable, read at each request. Throws a SettingError if the relay file is invalid or SIGHTLINE_SOURCES_OFF names no source. */
export async function loadSources(
  settings: Settings,
  environment: Environment,
  keyOf: KeyOf = (variable) => environment[variable]?.trim(),
): Promise<readonly Source[]> {
  const file = settings.SIGHTLINE_RELAYS;
  const own = withRelays(SOURCES, file === null ? [] : await readRelays(file, environment));
  const sources = [...own, ...RECIPES.map((recipe) => recipeSource(recipe, keyOf))];
  const unknown = settings.SIGHTLINE_SOURCES_OFF.find((id) => !sources.some((source) => source.id === id));
  if (unknown === undefined) return sources;
  const ids = [...new Set(sources.map((source) => source.id))];
  throw new SettingError(
    `SIGHTLINE_SOURCES_OFF has ${JSON.stringify(unknown)}, which is no source${didYouMean(unknown, ids)}: choose from ${ids.join(', ')}`,
  );
}

async function readRelays(file: string, environment: Environment): Promise<readonly Relay[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SettingError(`SIGHTLINE_RELAYS names a file that is not read: ${unreadFile(file, error)}.`);
  });
  const relays = (await import('./config.ts')).parseRelays(text, environment);
  await demandExpressions(relays);
  return relays;
}

/** Throws a SettingError for an expression that JSONata does not accept. JSONata is loaded only where it is used. */
export async function demandExpressions(relays: readonly Relay[]): Promise<void> {
  for (const { id, reading } of relays) {
    if (reading.by === 'reader') continue;
    const { default: jsonata } = await import('jsonata');
    const [{ expressionReason }, { joinedExpression }] = await Promise.all([import('./map.ts'), import('./config.ts')]);
    const { map, next, absentWhen, nothingWhen, failures } = reading;
    const conditions = failures.map(({ when }) => ['failures', joinedExpression(when)] as const);
    const expressions = Object.entries({ map, next, absentWhen, nothingWhen });
    for (const [field, expression] of [...expressions, ...conditions])
      try {
        jsonata(expression ?? '$');
      } catch (error) {
        throw new SettingError(`SIGHTLINE_RELAYS: ${field} of ${id} is no JSONata expression: ${expressionReason(error)}`);
      }
  }
}
