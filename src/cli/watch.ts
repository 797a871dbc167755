import type { Command } from 'commander';
import type { Sightline as Client } from '../client/index.ts';
import {
  EVERY,
  type Watch,
  type WatchChange,
  type WatchChanges,
  type WatchCheck,
  type Watches,
} from '../contract/account/watch-schemas.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { fieldOf } from '../contract/watched-field.ts';
import { OperatorError } from '../settings.ts';
import { pairsOf, textOfFile, UsageError } from './option-values.ts';
import { briefJson, cut, printResult, tableWith } from './terminal.ts';

type Given = { readonly [Name in 'url' | 'every' | 'budget' | 'webhook' | 'name' | 'after' | 'repeat']?: string } & {
  readonly json?: true;
  readonly field?: readonly string[];
};

async function withClient<T>({ url = process.env.SIGHTLINE_URL }: Given, work: (client: Client) => Promise<T>): Promise<T> {
  const { serviceClient, SightlineError } = await import('./service-client.ts');
  if (!url) throw new UsageError('Name the service: --url, or SIGHTLINE_URL.');
  return work(serviceClient(url, process.env)).catch((error: unknown) => {
    throw error instanceof SightlineError ? new OperatorError(error.message) : error;
  });
}

const shown = (watch: Watch): string =>
  [
    `${watch.watchId}  ${watch.operation}  ${JSON.stringify(watch.parameters)}  every ${watch.every}${watch.paused ? ', paused' : ''}`,
    `next ${watch.nextAt}; ${watch.spentThisMonth} of ${watch.creditsPerMonth} credits this month, ${watch.costPerMonth} at most`,
    `state ${watch.state}; last check ${watch.lastCheck ? `${watch.lastCheck.at} ${watch.lastCheck.outcome} ${watch.lastCheck.code ?? ''}` : 'none'}`,
    ...(watch.webhook
      ? [`webhook ${watch.webhook.url}${watch.webhook.secret ? `, secret (shown this once) ${watch.webhook.secret}` : ''}`]
      : []),
  ].join('\n');
const brief = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? cut(value, 60) : briefJson(value, 60));
const watchTable = tableWith<Watch>({
  WATCH: 'watchId',
  OPERATION: 'operation',
  PARAMETERS: ({ parameters }) => brief(parameters),
  EVERY: 'every',
  CREDITS: ({ spentThisMonth, creditsPerMonth }) => `${spentThisMonth} of ${creditsPerMonth}`,
  STATE: ({ paused, state }) => (paused ? 'paused' : state),
  LAST: ({ lastCheck }) => lastCheck?.outcome,
  CHANGED: ({ lastChange }) => lastChange && `${lastChange.at.slice(0, 10)} ${lastChange.field || lastChange.kind}`,
});
const watchList = ({ watches }: Watches): string => watchTable(watches);
const changeTable = tableWith<WatchChange>({
  CURSOR: 'cursor',
  AT: 'at',
  OPERATION: 'operation',
  KIND: 'kind',
  FIELD: 'field',
  ENTRY: ({ key }) => brief(key),
  BEFORE: ({ before }) => brief(before),
  AFTER: ({ after }) => brief(after),
});
const changeList = ({ changes }: WatchChanges): string => changeTable(changes);
const checked = ({ outcome, code, credits }: WatchCheck): string => `${outcome}${code ? ` (${code})` : ''}, ${credits} credits`;

export function addWatch(program: Command): void {
  const watch = program.command('watch').description('stored lookups of a service that tell what changed (docs/watches.md)');
  function add<T>(
    text: string,
    about: string,
    work: (client: Client, args: readonly string[], given: Given) => Promise<T>,
    show: (result: T) => string,
  ): Command {
    const command = watch
      .command(text)
      .description(about)
      .option('--url <url>', 'of the service, with its API key in SIGHTLINE_API_KEY; default: SIGHTLINE_URL')
      .option('--json', 'print the result as JSON');
    return command.action(async () => {
      const { args } = command;
      const given = command.opts<Given>();
      const result = await withClient(given, (client) => work(client, args, given));
      printResult(given.json, result, () => show(result));
    });
  }
  add(
    'add <operation> [parameters...]',
    'create a watch: parameters as name=value',
    (client, [operation, ...pairs], { every, budget, field, webhook, name }) =>
      client.watches.create({
        operation: operation as OperationId,
        parameters: Object.fromEntries(pairsOf(pairs, null, "keyword='running shoes'")),
        every: every as Watch['every'],
        // without it the service answers with the estimate
        creditsPerMonth: budget === undefined ? (undefined as never) : Number(budget),
        fields: field?.map(fieldOf),
        webhook: webhook === undefined ? undefined : { url: webhook },
        name,
      }),
    shown,
  )
    .requiredOption('--every <time>', EVERY.join(', '))
    .option('--budget <credits>', 'credits that its checks may cost in a month; without it nothing is made, and the estimate is printed')
    .option(
      '--field <path...>',
      'fields that count; path:2 counts from a difference of 2 on, path:10% from that share on, path>10 when it passes 10. Default: those of the operation',
    )
    .option('--webhook <url>', 'https URL that receives a message for each change')
    .option('--name <name>', 'its name');
  add('list', 'the watches of the account', (client) => client.watches.list({ limit: 1000 }), watchList);
  add(
    'show <watch>',
    'one watch with its messages to the webhook',
    async (client, [id = ''], { repeat }) => {
      if (repeat !== undefined) await client.watches.repeat(id, repeat);
      return { ...(await client.watches.get(id)), deliveries: (await client.watches.deliveries(id)).deliveries };
    },
    ({ deliveries, ...one }) =>
      [shown(one), ...deliveries.map((d) => `message ${d.cursor}, ${d.createdAt}: ${d.attempts} attempts, ${d.result ?? 'waiting'}`)].join(
        '\n',
      ),
  ).option('--repeat <cursor>', 'send this message again');
  add('run <watch>', 'check a watch now', (client, [id = '']) => client.watches.run(id), checked);
  for (const [name, about, paused] of [
    ['pause', 'skip the checks of a watch', true],
    ['resume', 'check a paused watch again', false],
  ] as const)
    add(`${name} <watch>`, about, (client, [id = '']) => client.watches.edit(id, { paused }), shown);
  const removed = ({ watchId }: { readonly watchId: string }) => `${watchId} is deleted`;
  const remove = async (client: Client, [id = '']: readonly string[]) => {
    await client.watches.delete(id);
    return { watchId: id };
  };
  add('remove <watch>', 'delete a watch with its history', remove, removed);
  const feed = (client: Client, _: readonly string[], { after }: Given) =>
    client.watches.feed({ limit: 1000, after: after === undefined ? undefined : Number(after) });
  add('changes', 'what the watches found, oldest first', feed, changeList).option('--after <cursor>', 'only later changes');
  add(
    'import <file>',
    'create a watch for each line of an NDJSON file',
    async (client, [file = '']) => {
      const lines = textOfFile(file)
        .split('\n')
        .filter((line) => line.trim() !== '');
      const made: Watch[] = [];
      for (const [i, line] of lines.entries())
        try {
          made.push(await client.watches.create(JSON.parse(line)));
        } catch (error) {
          throw new OperatorError(`${file}, line ${i + 1}: ${(error as Error).message} ${made.length} watches were made.`);
        }
      return made;
    },
    (made) => `${made.length} watches were made, ${made.reduce((sum, one) => sum + one.costPerMonth, 0)} credits a month at most`,
  );
}
