import { OperatorError } from '../runtime/operator-error.ts';

/** The command line is wrong: exit code 2. The message names the option or argument. */
export class UsageError extends OperatorError {}
