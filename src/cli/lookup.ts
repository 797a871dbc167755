import type { Command } from 'commander';
import { invalid, ServiceError, visibleJson } from '../contract/errors.ts';
import { type Operation, operationList } from '../contract/operations/index.ts';
import { answerTable, csvOf, ROWS, type TableForm, tableForm } from '../contract/tables.ts';
import { lookUpFree } from '../lookups/free-lookup.ts';
import { ORDINARY } from '../orchestrator/types.ts';
import { readSettings } from '../settings.ts';
import { choice, UsageError } from './option-values.ts';
import { addOperation, exampleOf, inputOf, type Options, withArgument } from './parameters.ts';
import { forTerminal, sayFrom, table } from './terminal.ts';

/** `sightline lookup <operation> …`: one lookup without a server, an account or a store, or with `--url` by a service. One command per operation of the contract. */
export function addLookup(program: Command): void {
  const lookup = program.command('lookup').description('one lookup, without a server or with --url by one: prints the resource');
  for (const operation of operationList) {
    const command = addOperation(lookup, operation, false);
    command.option('--service <url>', 'ask the service at this URL, with the key in SIGHTLINE_API_KEY');
    if (!hasUrlParameter(operation)) command.option('--url <url>', 'the same as --service');
    command.option('--verbose', 'say what each attempt at a source met, and what the log says');
    command.option('--json', 'print the resource alone, as JSON; any other outcome prints the error body');
    command.addOption(choice('--format <form>', 'print a table instead of JSON', ['table', 'csv']).conflicts('json'));
    command.addOption(
      choice('--rows <rows>', 'of a table: the answer itself, or the entries of one of its lists, as in "sightline bulk"', ROWS).default(
        'lookups',
      ),
    );
    command.addHelpText('after', `\nExample:\n  sightline lookup ${operation.id}${exampleOf(operation)} --json`);
    // if an argument is declared, commander passes it first
    command.action((...given: [string | undefined, Options] | [Options]) => {
      const [argument, options] = typeof given[0] === 'object' ? [undefined, given[0]] : [given[0], given[1] ?? {}];
      return run(operation, withArgument(operation, argument, options));
    });
  }
}

/** Codes of a machine that has no network, or no name server that answers. */
const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH)\b/;
const OFFLINE = 'No source could be reached: this machine seems to have no network (--verbose shows each attempt).';

/** What an answer of a service may take beyond the deadline of the operation. */
const GRACE_MS = 30_000;

const hasUrlParameter = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'url');

async function run(operation: Operation, options: Options): Promise<void> {
  const json = options.json === true;
  const read = inputOf(operation, options);
  if (!read.ok) {
    printRefusal(invalid(read.why), json);
    process.exitCode = 2;
    return;
  }
  const settings = readSettings(process.env);
  const url = options.service ?? (hasUrlParameter(operation) ? undefined : options.url);
  if (typeof url === 'string') {
    const { serviceClient, SightlineError } = await import('./service-client.ts');
    const client = serviceClient(url, settings, { deadlineMs: settings[operation.deadline.setting] + GRACE_MS });
    try {
      print(operation, await client.lookup(operation.id, read.value), options);
    } catch (error) {
      if (!(error instanceof SightlineError)) throw error;
      printRefusal(error, json);
      process.exitCode = 1;
    }
    return;
  }
  const progress = process.stderr.isTTY && !json;
  const { composeLookups } = await import('./service.ts');
  const { SIGHTLINE_LOG_LEVEL: level } = settings;
  const lookups = await composeLookups(settings, sayFrom(level === 'info' && !options.verbose ? 'error' : level), {
    onAttempt(source, ended) {
      if (!progress) return;
      const result = ended && `${ended.tag}${forTerminal(ended.what ? ` – ${ended.what}` : '')} (${Math.round(ended.ms)} ms)`;
      process.stderr.write(result ? `\r\x1b[K${source}: ${result}\n` : `requesting ${source} …`);
    },
  });
  try {
    const { orchestrator, clock } = lookups;
    const asked = { operation, input: read.value, freshness: ORDINARY, requestId: 'command-line' };
    const result = await lookUpFree({ orchestrator, settings, clock }, asked);
    if (result.ok) {
      const text = result.answer.cached.bytes.toString();
      const { unread } = result.answer.cached;
      if (unread.length > 0 && !json)
        process.stderr.write(`Stated by the source, but not understood: ${forTerminal(unread.join(', '))}.\n`);
      print(operation, JSON.parse(text), options);
    } else {
      const { lacking, attempts, error } = result.refusal;
      if (lacking) process.stderr.write(`Settings that would give ${operation.id} a source: ${lacking.join(', ') || 'none'}.\n`);
      for (const { source, detail } of options.verbose && !json ? attempts : [])
        if (detail) process.stderr.write(`${source}: ${forTerminal(detail.split('\n')[0] ?? '')}\n`);
      const isOffline = attempts.length > 0 && attempts.every(({ detail = '' }) => NO_NETWORK.test(detail ?? ''));
      printRefusal(isOffline && !json ? new ServiceError('UPSTREAM_UNREACHABLE', OFFLINE) : error, json);
      process.exitCode = 1;
    }
  } finally {
    await lookups.close();
  }
}

function print(operation: Operation, resource: unknown, { json, format, rows }: Options): void {
  const form = tableForm(operation, ROWS.find((each) => each === rows) ?? 'lookups');
  if (format === undefined) process.stdout.write(`${visibleJson(resource, json === true ? 0 : 2)}\n`);
  else if (!form) throw new UsageError(`${operation.id} has no --rows ${rows}.`);
  else process.stdout.write(format === 'csv' ? csvOf(answerTable(form, resource)) : `${inTable(form, resource)}\n`);
}

function inTable(form: TableForm, resource: unknown): string {
  const { columns, rows } = answerTable(form, resource);
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '')));
  const pairs = () => texts.flatMap((row) => columns.map((column, i) => [column, row[i] ?? '']));
  const head = columns.map((column) => column.toUpperCase());
  return form.list === null ? table(['FIELD', 'VALUE'], pairs()) : table(head, texts);
}

function printRefusal({ code, message }: { readonly code: string; readonly message: string }, json: boolean): void {
  if (json) process.stdout.write(`${visibleJson({ error: { code, message } })}\n`);
  else process.stderr.write(`${forTerminal(`${code}: ${message}`)}\n`);
}
