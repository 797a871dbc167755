import type { Command } from 'commander';
import type { OpenAccounts } from '../accounts/accounts.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import { invalid, orRefuse } from '../contract/errors.ts';
import { type Operation, operationList, operationOf } from '../contract/operations/index.ts';
import { thereIsNo } from '../contract/parameters/misspelt.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import { OperatorError, readSettings } from '../settings.ts';
import { UsageError } from './option-values.ts';
import { addOperation, exampleOf, hasParameters, inputOf, type Options, textsOf } from './parameters.ts';
import { plural } from './terminal.ts';

/** `sightline cache purge <operation> …`: one command per operation of the contract. */
export function addPurge(program: Command): void {
  const purge = program
    .command('cache')
    .description('the cache of answers')
    .command('purge')
    .description(
      'drop the cached answers of an operation, or of the one lookup that the options name: in the running server, with REDIS_URL in the shared cache and in every gateway',
    );
  for (const operation of operationList) {
    const command = addOperation(purge, operation, true);
    const example = `sightline cache purge ${operation.id}`;
    command.addHelpText('after', `\nExamples:\n  ${example}\n  ${example}${exampleOf(operation)}`);
    command.action((options: Options) => run(operation, options));
  }
}

async function run(operation: Operation, options: Options): Promise<void> {
  const { id } = operation;
  const settings = readSettings(process.env);
  const read = hasParameters(operation, options) ? inputOf(operation, options) : null;
  if (read?.ok === false) throw new UsageError(read.why);
  // answers that are cached by account go with all of their operation
  const input = settings.SIGHTLINE_CACHE_SCOPE === 'shared' ? read?.value : undefined;
  const summary = (dropped: number, kind: string) =>
    input
      ? `${dropped ? 'the' : 'no'} ${kind} answer to this lookup of ${id}${dropped ? ' dropped' : ''}`
      : `${plural(dropped, `${kind} answer`)} of ${id} dropped`;
  if (settings.REDIS_URL) {
    const { dropped, gateways } = await (await import('./purge-fleet.ts')).purgeFleet(settings, id, input);
    const own = gateways === 1 ? '1 gateway drops its own' : `${gateways} gateways drop their own`;
    process.stdout.write(`${summary(dropped, 'shared')}; ${own}\n`);
    return;
  }
  const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
  if (!server) throw new OperatorError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: there is no cache to purge.`);
  const { dropped } = await server.purgeCache({ operation: id, ...(input && { parameters: textsOf(operation, options) }) });
  process.stdout.write(`${summary(dropped, 'cached')}\n`);
}

/** The admin action `purgeCache` on the cache of this process. Parameters are parsed as those of a request. */
export function createCachePurge(orchestrator: Pick<Orchestrator, 'purge'>, audit: OpenAccounts['audit']): AdminActions['purgeCache'] {
  return async ({ operation: id, parameters }) => {
    const operation = operationOf(id);
    if (!operation)
      throw invalid(
        thereIsNo(
          'operation',
          id,
          operationList.map((one) => one.id),
        ),
      );
    await audit('cache.purge', operation.id, { parameters: parameters ?? null });
    const input = parameters && orRefuse(operation.readInput(Object.entries(parameters)));
    return { dropped: orchestrator.purge(operation.id, input) };
  };
}
