import { OperatorError } from '../runtime/operator-error.ts';
import { SettingError, settingWarnings } from '../settings.ts';
import { createProgram } from './program.ts';
import { forTerminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** System errors of a disk that is full, read-only or not permitted. Their message names the path; a stack trace would add nothing. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR'];
const isDiskError = (error: unknown): boolean => {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return DISK_CODES.includes(code) && syscall !== 'listen';
};

// the reader of a pipe ended (`sightline … | head`): nobody sees more output
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

for (const warning of settingWarnings(process.env)) process.stderr.write(`warn: ${forTerminal(warning)}\n`);
try {
  await createProgram().parseAsync();
} catch (error) {
  const correctable = error instanceof OperatorError || error instanceof SettingError || isDiskError(error);
  process.stderr.write(`${forTerminal(correctable ? (error as Error).message : ((error as Error).stack ?? String(error)))}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
