import { Command } from 'commander';
import { OperatorError } from '../runtime/operator-error.ts';
import { SettingError } from '../settings.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import { addClients } from './clients.ts';
import { addLookup } from './lookup.ts';
import { addManagement } from './manage.ts';
import { addPurge } from './purge.ts';
import { UsageError } from './usage-error.ts';

const program = new Command('sightline')
  .description('Competitor data lookups, answered on request and fresh: a read-only HTTP API that you run yourself.')
  .version(VERSION)
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride((error) => process.exit(error.exitCode ? 2 : 0))
  .addHelpText(
    'after',
    `
Examples:
  sightline demo                                     the whole service against a simulated world
  sightline serve                                    the service, on the embedded store
  sightline sources                                  which sources are configured, and which setting each lacks
  sightline lookup registration example.com
  sightline keys create --label reports

Settings are environment variables: docs/settings.md. Exit codes: 0 done, 1 not done (a setting that is wrong, too), 2 wrong usage.`,
  );

program
  .command('serve')
  .description('run the service')
  .option('--port <n>', 'as PORT; 0 takes a free one')
  .option('--json', 'print one JSON line when it listens')
  .option('--gateway', 'take requests alone; workers make the attempts (REDIS_URL)')
  .action(async (options: { port?: string; json?: boolean; gateway?: boolean }) => (await import('./serve.ts')).serve(options));
program
  .command('worker')
  .description('make attempts at sources for the gateways of a fleet (REDIS_URL)')
  .option('--sources <names>', 'only these, separated by commas; default: all that are configured')
  .option('--json', 'print one JSON line when it works')
  .action(async (options: { sources?: string; json?: boolean }) => (await import('./worker.ts')).worker(options));
program
  .command('demo')
  .description('run the service against the simulated world: every operation is asked and shown, then it keeps serving')
  .option('--port <n>', 'port; a free one by default', '0')
  .option('--once', 'end after the table')
  .option('--json', 'print one JSON line when it listens, and no table')
  .option('--fleet', 'use DATABASE_URL and REDIS_URL')
  .action(async (o: { port: string; once?: boolean; json?: boolean; fleet?: boolean }) =>
    (await import('./demo.ts')).demo({ port: Number(o.port), once: o.once === true, json: o.json === true, fleet: o.fleet === true }),
  );
program
  .command('migrate')
  .description("bring the store's schema up to date")
  .action(async () => (await import('./store-access.ts')).migrate());
addLookup(program);
program
  .command('sources')
  .description('each source: configured, or which setting it lacks')
  .option('--json')
  .action(async (o: { json?: boolean }) => (await import('./sources.ts')).showSources(o.json === true));
program
  .command('parse')
  .description('read recorded answers: a JSON line per answer on standard input, a line per outcome on standard output')
  .requiredOption('--ndjson', 'lines of JSON')
  .option('--why', 'add the sentence that clients and the log would read')
  .action(async (options: { why?: boolean }) => {
    const { parseNdjson } = await import('./parse.ts');
    const faults = await parseNdjson(process.stdin, (line) => process.stdout.write(`${line}\n`), Date.now, options.why);
    process.exitCode = faults ? 1 : 0;
  });
addManagement(program);
addClients(program);
addPurge(program);
program
  .command('ranks')
  .description('rank lists for the traffic model')
  .command('update')
  .description('download a list, verify it and swap it in')
  .option('--list <name>', 'tranco or crux', 'tranco')
  .option('--min-rows <n>', 'refuse a list of fewer rows')
  .action(async (o: { list: string; minRows?: string }) => {
    if (o.list !== 'tranco' && o.list !== 'crux')
      throw new UsageError(`There is no list ${JSON.stringify(o.list)}: choose tranco or crux.`);
    await (await import('./ranks.ts')).updateRanks({ list: o.list, ...(o.minRows && { minRows: Number(o.minRows) }) });
  });

/** System errors of a disk that is full, read-only or not permitted. Their message names the path; a stack trace would add nothing. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR'];
const isDiskError = (error: unknown): boolean => {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return DISK_CODES.includes(code) && syscall !== 'listen';
};

try {
  await program.parseAsync();
} catch (error) {
  const correctable = error instanceof OperatorError || error instanceof SettingError || isDiskError(error);
  process.stderr.write(`${correctable ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
