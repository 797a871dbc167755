/** `GET /console/api/session`: the session of the console. Times are RFC 3339. */
export interface ConsoleSession {
  readonly kind: 'account' | 'operator';
  /** Null for the operator. */
  readonly accountId: string | null;
  /** Name of the account; null for the operator. */
  readonly name: string | null;
  /** The key that opened the session and with which it ends; null: opened by a one-time code. */
  readonly keyId: string | null;
  /** The key has limits: the session has them too, and sees this key only. */
  readonly limited: boolean;
  /** It may change keys: a link opened it, or a key that manages keys. */
  readonly manages: boolean;
  readonly createdAt: string;
  /** When it ends unless it is used before. */
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
}

/** `GET /console/api/sessions`: the sessions that this one may end, newest first. */
export interface ConsoleSessions {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly createdAt: string;
    /** To the minute. */
    readonly lastUsedAt: string;
    readonly expiresAt: string;
    readonly current: boolean;
  }[];
}
