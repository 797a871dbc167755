import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AdminError } from '../accounts/admin/types.ts';
import { type Inputs, type Operation, type OperationId, operationList } from '../contract/operations/index.ts';
import { connectAdmin } from '../gateway/admin/socket.ts';
import { readSettings } from '../settings.ts';
import { addParameters, exampleOf, hasParameters, inputOf, type Options } from './parameters.ts';
import { UsageError } from './usage-error.ts';

/** What is dropped: all of an operation, or one question of it. */
export interface PurgeWish {
  readonly operation: OperationId;
  readonly input?: Inputs[OperationId];
}

/** `sightline cache purge <operation> …`: a command per operation, made from the table. */
export function addPurge(program: Command): void {
  const purge = program
    .command('cache')
    .description('kept answers')
    .command('purge')
    .description(
      'drop what the running server keeps of an operation, or of the one question that its options ask; with REDIS_URL: what the fleet shares and every gateway keeps',
    );
  for (const operation of operationList) {
    const command = purge.command(operation.id).description(operation.summary);
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
  let wish: PurgeWish = { operation: id };
  if (hasParameters(operation, options)) {
    const read = inputOf(operation, options);
    if (!read.ok) throw new UsageError(read.why);
    wish = { operation: id, input: read.value as never };
  }
  const settings = readSettings(process.env);
  const what = (dropped: number, kind: string) =>
    wish.input
      ? `${dropped ? 'the' : 'no'} ${kind} answer to this question of ${id}${dropped ? ' dropped' : ''}`
      : `${dropped} ${kind} answers of ${id} dropped`;
  if (settings.REDIS_URL) {
    const { dropped, gateways } = await (await import('./purge-fleet.ts')).purgeFleet(settings, wish);
    const told = gateways === 1 ? '1 gateway drops its own' : `${gateways} gateways drop their own`;
    process.stdout.write(`${what(dropped, 'shared')}; ${told}\n`);
    return;
  }
  const server = await connectAdmin(resolve(settings.SIGHTLINE_DATA_DIR));
  if (!server) throw new AdminError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: there is nothing kept to drop.`);
  try {
    process.stdout.write(`${what(Number(await server.call('purgeCache', wish)), 'kept')}\n`);
  } finally {
    server.close();
  }
}
