/** The call is wrong: exit code 2. The message names the option or argument. */
export class UsageError extends Error {}
