import type { Command } from 'commander';
import { VERSION } from '../runtime/installation.ts';
import { addBulk } from './bulk/command.ts';
import { addCaptures } from './captures.ts';
import { addLookup } from './lookup.ts';
import { addManagement } from './manage.ts';
import { NamedCommand } from './named-command.ts';
import { choice, UsageError, wholeNumber } from './option-values.ts';
import { addPurge } from './purge.ts';
import { addWatch } from './watch.ts';

const portNumber = wholeNumber(0, 65_535);

export function createProgram(): Command {
  const program = new NamedCommand('sightline')
    .description('Competitor data lookups, answered on request and fresh: a read-only HTTP API that you run yourself.')
    .version(VERSION)
    .showHelpAfterError('(--help shows the commands and options)')
    .exitOverride((error) => process.exit(error.exitCode ? 2 : 0))
    .addHelpText(
      'after',
      `
Examples:
  sightline demo                                     the service against simulated platforms, no account needed
  sightline serve                                    the service on the embedded store
  sightline sources                                  the state of each source, and the setting that it lacks
  sightline lookup registration example.com
  sightline keys create --label reports
  sightline console                                  a link to the operator's console of the running server

Settings are environment variables: docs/settings.md.
Exit codes: 0 success, 1 failure (also a wrong setting; a check that found a fault), 2 wrong usage, 130 stopped by Ctrl-C or by a second signal.`,
    );

  program.commandsGroup('Lookups:');
  addLookup(program);
  addBulk(program);
  addWatch(program);
  program
    .command('mcp')
    .description('serve the lookups as tools of the Model Context Protocol over standard input and output')
    .option('--url <url>', 'of a service, with its API key in SIGHTLINE_API_KEY; default: the sources of this machine')
    .action(async (options) => (await import('./mcp.ts')).mcp(options));
  program.commandsGroup('Service:');
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .option('--port <n>', 'port, overrides PORT; 0: a free one', portNumber)
    .option('--json', 'print one JSON line once the service listens')
    .option('--gateway', 'serve requests only; workers run the attempts (needs REDIS_URL)')
    .action(async (options) => (await import('./serve.ts')).serve(options));
  program
    .command('worker')
    .description('run attempts at sources for the gateways of a fleet (needs REDIS_URL)')
    .option('--sources <names>', 'only these sources, separated by commas; default: all that are configured')
    .option('--json', 'print one JSON line once the worker takes jobs')
    .action(async (options) => (await import('./worker.ts')).worker(options));
  program
    .command('demo')
    .description('run the service against simulated platforms: call every operation, print a table, keep serving')
    .option('--port <n>', 'port; 0: a free one', portNumber, 0)
    .option('--once', 'exit after the table; exit code 1 where an operation failed')
    .option('--json', 'print one JSON line once the service listens, and no table')
    .option('--fleet', 'use the PostgreSQL of DATABASE_URL and the Redis of REDIS_URL')
    .action(async (options) => (await import('./demo.ts')).demo(options));
  program
    .command('sandbox')
    .description('serve the simulated platforms of the demo alone, and print the settings under which a service uses them')
    .option('--port <n>', 'port of their HTTP server; 0: a free one', portNumber, 0)
    .option('--json', 'print the settings as one JSON line')
    .action(async (options) => (await import('./demo.ts')).sandbox(options));
  program
    .command('console')
    .description('print a link that signs in to the console of the running server, once and within 60 seconds')
    .option(
      '--account <id>',
      'sign in as the holder of this account, on the public listener; default: as the operator, on the admin listener',
    )
    .option('--json', 'print the result as JSON')
    .action(async (options) => (await import('./console.ts')).showConsoleLink(options));
  program
    .command('migrate')
    .description('bring the schema of the store up to date; serve does the same at its start')
    .action(async () => (await import('./admin-session.ts')).migrate());
  program
    .command('upgrade')
    .description('replace the one file that runs this command by another version; the old one is kept beside it')
    .option('--from <file>', 'the other version: a file for this machine, of the same or a newer format of the store')
    .option('--describe', 'print version and format of the store as one JSON line, and replace nothing')
    .action(async (options) => (await import('./upgrade.ts')).upgrade(options));
  program
    .command('export')
    .description('copy what an audit needs into a folder: accounts, ledger, audit log, captures; no API key, no secret')
    .requiredOption('--for-audit <folder>', 'a new or empty folder; with it as SIGHTLINE_DATA_DIR another machine verifies')
    .action(async (options) => (await import('./export.ts')).exportCommand(options));
  addPurge(program);
  program.commandsGroup('Accounts and credits:');
  addManagement(program);
  program.commandsGroup('Sources and their answers:');
  program
    .command('sources')
    .description('list the sources, each with its state and the settings that it lacks')
    .option('--json', 'print the result as JSON')
    .action(async (options) => (await import('./sources.ts')).showSources(options));
  program
    .command('doctor')
    .description('ask every configured source once for a fact that holds for years: works, blocked, limited, changed, and what to do')
    .option('--source <name>', 'only this source')
    .option('--facts <file>', 'facts of your own, in the form of SIGHTLINE_CANARIES')
    .option('--canaries', 'ask nothing: print the facts as a file for SIGHTLINE_CANARIES')
    .option('--yes', 'ask paid sources as well, without asking you')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExit code 1 where a source does not work.')
    .action(async (options) => (await import('./doctor.ts')).doctor(options));
  program
    .command('parse')
    .description('parse recorded upstream answers: one JSON line per answer on standard input, one per outcome on standard output')
    .requiredOption('--ndjson', 'input and output are newline-delimited JSON')
    .option('--why', 'add the error message of each outcome')
    .action(async (options: { why?: boolean }) => {
      const { parseNdjson } = await import('./parse.ts');
      const faults = await parseNdjson(process.stdin, (line) => process.stdout.write(`${line}\n`), Date.now, options.why);
      process.exitCode = faults ? 1 : 0;
    });
  program
    .command('relay')
    .description('data providers of SIGHTLINE_RELAYS (docs/relay.md)')
    .command('try <file>')
    .description(
      'ask one provider of a relay file: prints request without secrets, payload, resource, and the fields that are missing or unread',
    )
    .option('--name <name>', 'relay of the file; needed where it has several')
    .option('--input <name=value...>', "parameters of the relay's operation")
    .option('--answer <file>', 'take this saved answer of the provider; nothing is sent')
    .action(async (file: string, options) => (await import('./relay-try.ts')).tryRelay(file, options));
  program
    .command('ranks')
    .description('manage the rank lists of the traffic model')
    .command('update')
    .description('download a rank list, verify it and replace the current one')
    .addOption(choice('--list <name>', 'rank list', ['tranco', 'crux']).default('tranco'))
    .option('--file <path>', 'read the list from a file of `origin,rank` rows, plain or gzip (only crux)')
    .option('--min-rows <n>', 'reject a list with fewer rows', wholeNumber(1, 999_999_999))
    .action(async (o: { list: 'tranco' | 'crux'; file?: string; minRows?: number }) => {
      if (o.file !== undefined && o.list !== 'crux') throw new UsageError('--file reads a list of CrUX: add --list crux.');
      const { updateRanks } = await import('./ranks.ts');
      await updateRanks({ list: o.list, ...(o.file !== undefined && { file: o.file }), ...(o.minRows && { minRows: o.minRows }) });
    });
  addCaptures(program);
  return program;
}
