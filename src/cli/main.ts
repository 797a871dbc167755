import { Command } from 'commander';

const program = new Command('sightline').description('Competitor data lookups, answered on request and fresh.').showHelpAfterError();

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

await program.parseAsync();
