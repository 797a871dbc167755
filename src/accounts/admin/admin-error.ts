import { OperatorError } from '../../runtime/operator-error.ts';

/** An operator's mistake. The message is printed on the terminal. */
export class AdminError extends OperatorError {
  override readonly name = 'AdminError';
  /** `missing`: the account, key or client does not exist. */
  readonly kind: 'wrong' | 'missing';
  constructor(message: string, kind: 'wrong' | 'missing' = 'wrong') {
    super(message);
    this.kind = kind;
  }
}
