import type { Command } from 'commander';
import { AdminError } from '../accounts/admin/types.ts';
import { camelCase, type Operation, operationList } from '../contract/operations/index.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { readSettings } from '../settings.ts';
import { addParameters, exampleOf, hasParameters, inputOf, type Options, textsOf } from './parameters.ts';
import type { PurgeTarget } from './purge-cache.ts';
import { UsageError } from './usage-error.ts';

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
    const command = purge.command(operation.id).description(operation.summary);
    if (camelCase(operation.id) !== operation.id) command.alias(camelCase(operation.id));
    addParameters(command, operation, true);
    command.addHelpText(
      'after',
      `\nExamples:\n  sightline cache purge ${operation.id}\n  sightline cache purge ${operation.id}${exampleOf(operation)}`,
    );
    command.action((options: Options) => run(operation, options));
  }
}

async function run(operation: Operation, options: Options): Promise<void> {
  const { id } = operation;
  const settings = readSettings(process.env);
  let target: PurgeTarget = { operation: id };
  if (hasParameters(operation, options)) {
    const read = inputOf(operation, options);
    if (!read.ok) throw new UsageError(read.why);
    // answers that are kept by account go with all of their operation
    if (settings.SIGHTLINE_CACHE_SCOPE === 'shared') target = { operation: id, input: read.value };
  }
  const summary = (dropped: number, kind: string) =>
    target.input
      ? `${dropped ? 'the' : 'no'} ${kind} answer to this lookup of ${id}${dropped ? ' dropped' : ''}`
      : `${dropped} ${kind} answers of ${id} dropped`;
  if (settings.REDIS_URL) {
    const { dropped, gateways } = await (await import('./purge-fleet.ts')).purgeFleet(settings, target);
    const own = gateways === 1 ? '1 gateway drops its own' : `${gateways} gateways drop their own`;
    process.stdout.write(`${summary(dropped, 'shared')}; ${own}\n`);
    return;
  }
  const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
  if (!server) throw new AdminError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: there is no cache to purge.`);
  const parameters = target.input ? { parameters: textsOf(operation, options) } : {};
  const { dropped } = await server.purgeCache({ operation: id, ...parameters });
  process.stdout.write(`${summary(dropped, 'cached')}\n`);
}
