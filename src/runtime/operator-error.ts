/** A mistake that the operator can correct: the message says what is wrong and what to do, and commands print it without a stack trace. */
export class OperatorError extends Error {}
