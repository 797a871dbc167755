import type { Command } from 'commander';
import type { Sightline as Client } from '../client/index.ts';
import { allWatches } from '../contract/account/all-watches.ts';
import type { NotifyTarget } from '../contract/account/notify-schemas.ts';
import type { Watch, WatchChange, WatchChanges, WatchCheck, Watches } from '../contract/account/watch-schemas.ts';
import { wasOver } from '../contract/due-date.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { OperatorError } from '../settings.ts';
import { pairsOf, signedInteger, UsageError } from './option-values.ts';
import { briefJson, cut, plural, printResult, tableWith } from './terminal.ts';
import { type ImportOptions, importedText, importWatches } from './watch-import.ts';
import { demandDaily, nameGiven, parseTarget, settingsOf, withSettings } from './watch-settings.ts';

type Given = { readonly [Name in 'url' | 'name' | 'after' | 'repeat' | 'watch']?: string } & {
  readonly json?: true;
  readonly end?: true;
  readonly none?: true;
} & ImportOptions;

async function withClient<T>({ url = process.env.SIGHTLINE_URL }: Given, work: (client: Client) => Promise<T>): Promise<T> {
  const { serviceClient, SightlineError } = await import('./service-client.ts');
  if (!url) throw new UsageError('Name the service: --url, or SIGHTLINE_URL.');
  return work(serviceClient(url, process.env)).catch((error: unknown) => {
    throw error instanceof SightlineError ? new OperatorError(error.message) : error;
  });
}

function webhookLine({ url, secret, failingSince, disabledAt, lastError }: NonNullable<Watch['webhook']>): string {
  if (secret) return `webhook ${url}, secret (shown this once) ${secret}`;
  if (disabledAt) return `webhook ${url}, off since ${disabledAt} (${lastError}): set its URL again`;
  return `webhook ${url}${failingSince ? `, failing since ${failingSince} (${lastError})` : ''}`;
}
const watchLines = (watch: Watch): string =>
  [
    `${watch.watchId}  ${watch.operation}  ${JSON.stringify(watch.parameters)}  every ${watch.every}${watch.paused ? ', paused' : ''}`,
    `next ${watch.nextAt}; ${watch.spentThisMonth} of ${plural(watch.creditsPerMonth, 'credit')} this month, ${watch.costPerMonth} at most`,
    `state ${watch.state}; last check ${watch.lastCheck ? `${watch.lastCheck.at} ${watch.lastCheck.outcome} ${watch.lastCheck.code ?? ''}` : 'none'}`,
    ...(watch.notify ? [`tells ${watch.notify.map(({ targetId, to }) => `${targetId} ${to}`).join(', ') || 'nobody'}`] : []),
    ...(watch.webhook ? [webhookLine(watch.webhook)] : []),
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
const leftOf = (days: number, isOver: boolean): string => (days > 0 ? `${plural(days, 'day')} left` : isOver ? 'over' : 'today');
const changeTable = tableWith<WatchChange>({
  CURSOR: 'cursor',
  AT: 'at',
  OPERATION: 'operation',
  KIND: 'kind',
  FIELD: 'field',
  ENTRY: ({ key }) => brief(key),
  BEFORE: ({ before }) => brief(before),
  AFTER: ({ after, daysLeft, at }) =>
    daysLeft === null ? brief(after) : `${brief(after)}, ${leftOf(daysLeft, wasOver(after, Date.parse(at)))}`,
});
/** Every page of the feed as one. */
async function wholeFeed(client: Client, first: number | undefined): Promise<WatchChanges> {
  const changes: WatchChange[] = [];
  for (let after = first; ; ) {
    const page = await client.watches.feed({ limit: 1000, after });
    changes.push(...page.changes);
    if (!page.hasMore) return { ...page, changes };
    after = Number(page.after);
  }
}
const changeList = ({ changes }: WatchChanges): string => changeTable(changes);
const checked = ({ outcome, code, credits }: WatchCheck): string => `${outcome}${code ? ` (${code})` : ''}, ${plural(credits, 'credit')}`;

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
      // another path of the service
      if (/<watch>/.test(text) && /^\.{0,2}$/.test(args[0] ?? ''))
        throw new UsageError(`${JSON.stringify(args[0])} is no watch: give its id, wat_….`);
      const result = await withClient(given, (client) => work(client, args, given));
      printResult(given.json, result, () => show(result));
    });
  }
  const adding = add(
    'add <operation> [parameters...]',
    'create a watch: parameters as name=value',
    (client, [operation, ...pairs], { name, ...given }) =>
      client.watches.create({
        ...settingsOf(given),
        operation: operation as OperationId,
        parameters: Object.fromEntries(pairsOf(pairs, null, "keyword='running shoes'")),
        every: given.every as Watch['every'],
        // without it the service answers with the estimate
        creditsPerMonth: given.budget as never,
        ...nameGiven(name),
      }),
    watchLines,
  );
  withSettings(adding, 'credits that its checks may cost in a month; without it nothing is made, and the estimate is printed', true).option(
    '--name <name>',
    'its name',
  );
  const editing = add(
    'edit <watch>',
    'change what is given of a watch',
    (client, [id = ''], { name, ...given }) => client.watches.edit(id, { ...settingsOf(given), ...nameGiven(name) }),
    watchLines,
  );
  withSettings(editing, 'credits that its checks may cost in a month').option('--name <name>', 'its name; none: no more');
  add('list', 'the watches of the account', (client) => allWatches((page) => client.watches.list(page)), watchList);
  add(
    'show <watch>',
    'one watch with its messages to the webhook',
    async (client, [id = ''], { repeat, after }) => {
      if (repeat !== undefined) await client.watches.repeat(id, repeat);
      const page = await client.watches.deliveries(id, { after: after === undefined ? undefined : signedInteger(after) });
      return { ...(await client.watches.get(id)), ...page };
    },
    ({ deliveries, after, hasMore, ...one }) =>
      [
        watchLines(one),
        ...deliveries.map((d) => `message ${d.cursor}, ${d.createdAt}: ${plural(d.attempts, 'attempt')}, ${d.result ?? 'waiting'}`),
        ...(hasMore ? [`there are more messages: sightline watch show ${one.watchId} --after ${after}`] : []),
      ].join('\n'),
  )
    .option('--repeat <cursor>', 'send this message again')
    .option('--after <cursor>', 'the messages that follow this one in the list');
  add('run <watch>', 'check a watch now', (client, [id = '']) => client.watches.run(id), checked);
  for (const [name, about, paused] of [
    ['pause', 'skip the checks of a watch', true],
    ['resume', 'check a paused watch again', false],
  ] as const)
    add(`${name} <watch>`, about, (client, [id = '']) => client.watches.edit(id, { paused }), watchLines);
  const removed = ({ watchId }: { readonly watchId: string }) => `${watchId} is deleted`;
  const remove = async (client: Client, [id = '']: readonly string[]) => {
    await client.watches.delete(id);
    return { watchId: id };
  };
  add('remove <watch>', 'delete a watch with its history', remove, removed);
  add(
    'changes',
    'what the watches found, oldest first',
    (client, _, { after }) => wholeFeed(client, after === undefined ? undefined : signedInteger(after)),
    changeList,
  ).option('--after <cursor>', 'only later changes');
  const importing = add(
    'import <file>',
    'create a watch for each line of a file, - of standard input: NDJSON of the API, or with --operation a plain list or CSV',
    (client, [file = ''], given) => importWatches(client, file, given, (text) => process.stderr.write(`${text}\n`)),
    importedText,
  ).option('--operation <id>', 'operation of all lines; the price is said first');
  withSettings(importing, 'credits that each may cost in a month; default: what it costs at most')
    .option('--skip-invalid', 'leave out lines that cannot be read')
    .option('--yes', 'make them');
  add(
    'notify [targets...]',
    'where messages are sent: without targets the list, else it is set; FORM=ADDRESS where the host does not say the form',
    (client, targets, { none, daily }) => {
      if (none && targets.length > 0) throw new UsageError('--none sends no messages: leave out the targets.');
      demandDaily(daily, targets);
      return targets.length === 0 && !none
        ? client.watches.notify()
        : client.watches.setNotify(targets.map((text) => parseTarget(text, daily)));
    },
    ({ notify }) => notifyTable(notify),
  )
    .option('--daily', 'one message a day to these targets')
    .option('--none', 'send no messages');
  add(
    'test-message <target>',
    'send a test message, and say what the target answered: tgt_… of the list, or an address',
    (client, [target = ''], { watch: id = null }) =>
      client.watches.testNotify(/^tgt_/.test(target) ? { targetId: target } : parseTarget(target), id),
    ({ ok, status, durationMs, said, error }) =>
      ok
        ? `it took the message: ${status} in ${durationMs} ms${said ? `, ${cut(said, 200)}` : ''}`
        : `it did not take the message: ${error}`,
  ).option('--watch <watch>', 'a target of this watch');
  add('due', 'dates that lie ahead, by the days that are left', (client) => client.watches.due(), dueTable);
  add(
    'adopt <watch>',
    'let the key of this request pay for a watch of another one',
    (client, [id = '']) => client.watches.edit(id, { takeOver: true }),
    watchLines,
  );
  add(
    'calendar',
    'make the address of the calendar of due dates; an earlier one ends',
    async (client, _, { end }) => (end ? client.watches.endCalendar().then(() => null) : client.watches.makeCalendar()),
    (made) => (made === null ? 'the calendar has no address any more' : `subscribe to (shown this once): ${made.url}`),
  ).option('--end', 'end the address');
}

const notifyTable = tableWith<NotifyTarget>({
  TARGET: 'targetId',
  TO: 'to',
  AS: ({ as, digest }) => (digest ? `${as}, daily` : as),
  STATE: ({ disabledAt, confirmed, failingSince }) =>
    disabledAt ? 'off' : !confirmed ? 'not confirmed' : failingSince ? 'failing' : 'works',
  SUCCESS: ({ lastSuccessAt }) => lastSuccessAt?.slice(0, 16),
  FAILURE: ({ lastFailureAt }) => lastFailureAt?.slice(0, 16),
  ERROR: ({ lastError }) => brief(lastError),
  NEXT: ({ nextAt }) => nextAt?.slice(0, 16),
});

const dueTable = tableWith<Watch>({
  DAYS: ({ dueDate }) => dueDate?.daysLeft,
  DATE: ({ dueDate }) => dueDate?.on.slice(0, 10),
  WATCH: 'watchId',
  PARAMETERS: ({ parameters }) => brief(parameters),
  READ: ({ dueDate }) => dueDate?.readAt.slice(0, 10),
  NEXT: ({ dueDate }) => dueDate?.nextAt?.slice(0, 10),
});
