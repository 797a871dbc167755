import { ServiceError } from '../contract/errors.ts';
import { InputFault } from '../contract/lists/fault.ts';
import { OperatorError, settingWarnings } from '../settings.ts';
import { RECIPES } from '../sources/recipes/recipes.ts';
import { useBundledPackages } from './bundled-packages.ts';
import { endWithReader } from './closed-output.ts';
import { UsageError } from './option-values.ts';
import { createProgram } from './program.ts';
import { forTerminal } from './terminal.ts';

/** System errors of a disk that is full, read-only or not permitted. Their message names the path; a stack trace would add nothing. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR'];
const isDiskError = (error: unknown): boolean => {
  const { code = '', syscall, errcode } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  // SQLite's: read-only, I/O error, full, cannot open
  if (code === 'ERR_SQLITE_ERROR') return [8, 10, 13, 14].includes((errcode ?? 0) & 0xff);
  return DISK_CODES.includes(code) && syscall !== 'listen';
};

/** The message of an error, with the cure where a file or folder is for another user. */
function messageOf(error: Error): string {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path === undefined || !['EACCES', 'EPERM'].includes(code)) return error.message;
  return `${path} is not open to this user (${process.getuid?.() ?? 'unknown'}): run the command as the user of the service, or name another place.`;
}

process.stdout.on('error', endWithReader);
// the result counts: what is said beside it may be lost
process.stderr.on('error', () => {});

/** The packages of a fleet are optional for an installer: tools/package.ts. */
function fleetPackageMissing(error: unknown): OperatorError | null {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' || !/package '(?:bullmq|ioredis)'/.test(message)) return null;
  return new OperatorError(
    'REDIS_URL needs the packages bullmq and ioredis beside sightline: npm install bullmq ioredis (docs/scaling.md).',
  );
}

useBundledPackages();
const variables = RECIPES.flatMap((recipe) => recipe.variables.map(({ name }) => name));
for (const warning of settingWarnings(process.env, variables)) process.stderr.write(`warn: ${forTerminal(warning)}\n`);
try {
  const program = createProgram();
  // the command that shells call for completions; it walks all commands, so that others do not load it
  if (['complete', 'help', '--help', '-h'].includes(process.argv[2] ?? 'help')) {
    program.commandsGroup('Shell:');
    (await import('@bomb.sh/tab/commander')).default(program);
  }
  await program.parseAsync();
} catch (thrown) {
  const error = fleetPackageMissing(thrown) ?? thrown;
  const isRefused = error instanceof ServiceError && error.status < 500;
  const correctable = isRefused || error instanceof OperatorError || error instanceof InputFault || isDiskError(error);
  process.stderr.write(`${forTerminal(correctable ? messageOf(error as Error) : ((error as Error).stack ?? String(error)))}\n`);
  process.exit(error instanceof UsageError || error instanceof InputFault ? 2 : 1);
}
