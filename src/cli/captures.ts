import type { Command } from 'commander';
import { CAPTURED_TAGS } from '../contract/captured-tags.ts';
import { choice } from './option-values.ts';

const addFilter = (command: Command): Command =>
  command
    .option('--source <name>', 'of this source')
    .option('--operation <id>', 'of this operation')
    .addOption(choice('--outcome <tag>', 'with this outcome', CAPTURED_TAGS))
    .option('--field <path>', 'in which this field is unread')
    .option('--request <id>', 'of this request (X-Request-Id)')
    .option('--since <time>', 'not older: an age such as 90m, 12h, 3d, or a time (RFC 3339)')
    .option('--until <time>', 'not younger');

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
const actions = () => import('./captures-actions.ts');

export function addCaptures(program: Command): void {
  const captures = program.command('captures').description('captures: stored upstream exchanges of attempts (docs/evidence.md)');
  addFilter(captures.command('list').description('list captures, oldest first'))
    .option('--limit <n>', 'only the last ones')
    .option('--json', 'print the result as JSON')
    .action(async (options) => (await actions()).listCaptures(options));
  captures
    .command('show <capture>')
    .description('print what a capture holds: the attempt, its requests and answers')
    .option('--body [n]', 'print the body of the n-th answer instead; default: the last')
    .option('--json', 'print the metadata record as JSON')
    .action(async (id: string, options) => (await actions()).showCapture(id, options));
  addFilter(captures.command('export [captures...]').description('copy captures to a WARC file, or to a folder that a test can take'))
    .option('--warc <file>', 'write a WARC file')
    .option('--case <folder>', 'write bodies, and lines for sightline parse --ndjson')
    .action(async (ids: readonly string[], options) => (await actions()).exportCaptures(ids, options));
  captures
    .command('case <capture>')
    .description('make the smallest answer that still fails, without personal values; print it, and write it after a yes')
    .option('--to <folder>', 'the folder that is made; default: named after reader and capture')
    .option('--field <path>', 'keep this unread field alone')
    .option('--yes', 'write it without asking')
    .option('--json', 'print the result as JSON')
    .action(async (id: string, options) => (await import('./captures-case.ts')).makeCaptureCase(id, options));
  captures
    .command('purge')
    .description('erase the captures of an operation, or of one lookup')
    .requiredOption('--operation <id>', 'the operation')
    .option('--input <name=value>', 'a parameter of the lookup; repeat it for each', collect)
    .action(async (options) => (await actions()).purgeCaptures(options));
  captures
    .command('verify')
    .description('read every capture and compare it with its digests; exit code 1 where a byte is damaged')
    .option('--json', 'print the result as JSON')
    .action(async (options) => (await actions()).verifyCaptures(options));
  addFilter(program.command('replay [files...]'))
    .description("read captures through today's sources and print what differs; no request is made, nothing is charged")
    .option('--json', 'print the result as JSON')
    .addHelpText('after', "\nExit code 1 where a 'found' becomes something else.")
    .action(async (files: readonly string[], options) => (await import('./replay.ts')).replay(files, options));
}
