import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError } from 'commander';
import { operationList } from '../../contract/operations/index.ts';
import { readHostName } from '../../contract/parameters/domain-name.ts';
import { pastedHost } from '../../contract/parameters/pasted.ts';
import { ROWS } from '../../contract/tables.ts';
import { choice, fail, list, operationNamed, perSecond, wholeNumber } from '../option-values.ts';
import type { BulkOptions } from './bulk.ts';

function hostIn(text: string): string {
  const read = readHostName(pastedHost(text) ?? text);
  if (!read.ok) throw new InvalidArgumentError(`It ${read.why}.`);
  return read.value.replace(/^www\./, '');
}

/** `sightline bulk <operation> <file>`: a lookup for each line of a file. */
export function addBulk(program: Command): void {
  program
    .command('bulk')
    .description('one lookup for each line of a file')
    .argument('<operation>', `${operationList.map(({ id }) => id).join(', ')}; any: NDJSON whose lines name theirs`)
    .argument('<file>', 'CSV with a header, NDJSON, or a plain list for operations with one required parameter; -: standard input')
    .option('-o, --output <file>', 'output file; run again with the same one, it goes on. Default, and -: standard output')
    .addOption(choice('--format <name>', 'format of the output; default: by its name, else csv for tables', ['ndjson', 'csv']))
    .addOption(choice('--rows <name>', 'a row for each lookup, or each entry or ad of its answer', ROWS).default('lookups'))
    .option('--columns <names>', 'columns of the table, separated by commas', list)
    .option('--find <domain>', 'serp: a row for each keyword with the best rank of this domain', hostIn)
    .addOption(choice('--separator <name>', 'separator of CSV', ['comma', 'semicolon', 'tab']).default('comma'))
    .option('--bom', 'begin CSV with a byte order mark, as Excel needs it for UTF-8')
    .addOption(choice('--input-format <name>', 'format of the input; default: by its name or first line', ['csv', 'ndjson', 'list']))
    .option('--url <url>', 'URL of the service; default: SIGHTLINE_URL. The key is SIGHTLINE_API_KEY')
    .option('--local', 'ask the sources of this machine, without a service')
    .option('--yes', 'do not ask for confirmation of the price')
    .option('--dry-run', 'check the input and show the price, no more')
    .option('--max-credits <n>', 'credits that this run may spend', wholeNumber(0, 999_999_999))
    .option('--concurrency <n>', 'lookups at a time', wholeNumber(1, 1000), 16)
    .option('--rate <n>', 'lookups a second at most', perSecond)
    .option('--unordered', 'leave the lines in the order in which they came')
    .option('--skip-invalid', 'answer lines that cannot be read as failed lines, free of charge, and go on')
    .option('--retry-failed', 'ask lines again that failed for reasons that may have passed')
    .option('--json', 'print events as JSON lines on standard output (needs --output)')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline bulk serp keywords.csv -o results.ndjson\n  sightline bulk registration domains.txt -o domains.csv --local --yes\n  sightline bulk serp keywords.csv -o ranks.csv --rows entries --columns keyword,rank,domain,url',
    )
    .action(async (name: string, file: string, { output: to, ...given }: BulkOptions) => {
      if (to === '') fail('--output is "": name a file, or leave it out to write to standard output.');
      const options: BulkOptions = to === undefined || to === '-' ? given : { ...given, output: to };
      const operation = name === 'any' ? null : operationNamed(name);
      const { output, json, local, url, retryFailed, find, rows } = options;
      if (json && output === undefined) fail('--json prints events on standard output: name a file with --output.');
      if (local && url !== undefined) fail('Give --url or --local, not both.');
      if (retryFailed && output === undefined) fail('--retry-failed needs the --output of an earlier run.');
      if (find !== undefined && operation?.id !== 'serp') fail('--find needs the operation serp.');
      if (find !== undefined && rows !== 'lookups') fail('Give --find or --rows, not both.');
      // otherwise V8 takes hundreds of MB for objects of answers that are written already
      setFlagsFromString('--semi-space-growth-factor=1');
      const { bulk } = await import('./bulk.ts');
      process.exitCode = await bulk(operation, file, options);
    });
}
