import { OperatorError } from '../runtime/operator-error.ts';

/** Invalid command line: exit code 2. The message names the option or argument. */
export class UsageError extends OperatorError {}
