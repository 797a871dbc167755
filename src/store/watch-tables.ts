import type { Generated } from 'kysely';

export interface WatchRow {
  /** Under which the other tables know it: small, because a check has little more than it. */
  n: Generated<number>;
  id: string;
  /** Null: a canary, a watch of the operator. */
  account_id: string | null;
  /** The key that made it and pays for its checks. */
  key_id: string;
  name: string | null;
  operation: string;
  /** JSON object of texts. */
  parameters: string;
  /** JSON array of watched fields; null: the operation's defaults. */
  fields: string | null;
  /** JSON: what must hold in each answer of a canary. */
  facts: string | null;
  every_ms: number;
  credits_per_month: number;
  paused: number;
  created_at: number;
  next_at: number;
  /** Of the process that makes the check, and until when; null: none does. */
  claim: string | null;
  claim_until: number | null;
  /** JSON array of whole days before its date on which it tells; null: those of the operation. */
  due: string | null;
  /** The date that was read last, and when. */
  due_on: string | null;
  due_read_at: number | null;
  /** When the date is to be looked at next. */
  due_at: number | null;
  /** JSON array; null: none. */
  tags: Generated<string | null>;
  /** 1: it has targets of its own, or none; 0: those of the account. */
  own_notify: Generated<number>;
  /** Why it does not check (`STOP_REASONS`); null: it does. */
  stopped: string | null;
  /** When the last check ended that may have asked a source. */
  checked_at: number | null;
  fails: number;
  /** `gone` or `free`: said once, and not confirmed yet; since when. */
  pending: string | null;
  pending_at: number | null;
  /** `gone` or `free`: confirmed. */
  absent: string | null;
  /** Sealed with the secret of the service, as are its secrets; in clear in rows of an earlier version until the next start. */
  webhook_url: string | null;
  /** What is shown of the address. */
  webhook_hint: Generated<string | null>;
  webhook_secret: string | null;
  /** The secret before, which signs too until this time. */
  webhook_old_secret: string | null;
  webhook_old_until: number | null;
  webhook_failing_at: number | null;
  webhook_disabled_at: number | null;
  webhook_error: string | null;
}

export interface WatchAnswerRow {
  watch: number;
  source: string;
  /** Hash of the body that the next answer is compared with. */
  body: string;
  /** JSON: fields of it that were never read. */
  unread: string;
  /** JSON: keys of feeds that have scrolled away. */
  seen: string;
}

export interface WatchCheckRow {
  watch: number;
  /** When it was to be made. */
  slot: number;
  /** When it ended; null: of a check of before this was stored. */
  at: number | null;
  outcome: string;
  code: string | null;
  credits: number;
  source: string | null;
  body: string | null;
  /** The number of its answer that the list of watches shows. */
  value: number | null;
}

/** Where messages are told: the default of an account, or of one watch. */
export interface NotifyTargetRow {
  n: Generated<number>;
  account_id: string;
  watch: number | null;
  form: string;
  /** The address, sealed with the service's secret, and what is shown of it. */
  sealed: string;
  hint: string;
  digest: string | null;
  created_at: number;
  succeeded_at: number | null;
  failing_at: number | null;
  disabled_at: number | null;
  /** The last failure and its time; they stay after a success. */
  error: string | null;
  failed_at: number | null;
  /** Of a mail address: its SHA-256, and when it confirmed. */
  address_hash: string | null;
  confirmed_at: number | null;
}

export interface WatchTables {
  /** The own site of an account and its rivals (JSON array). */
  account_sites: {
    account_id: string;
    own: string | null;
    rivals: string;
    /** JSON: the own app and its rivals; null: never set. */
    apps: Generated<string | null>;
    set_at: number;
  };
  watches: WatchRow;
  watch_answers: WatchAnswerRow;
  watch_checks: WatchCheckRow;
  /** The body of an answer by its hash, without times of reading. */
  watch_bodies: {
    watch: number;
    hash: string;
    operation: string;
    body: string;
    read_at: number;
    /** JSON: places by host or app of a ranking (watches/places.ts); null: none, or stored before. */
    places: Generated<string | null>;
    /** 0: its texts are to be replaced by their hashes; 1: they were, or may stay. */
    stripped: number;
  };
  watch_changes: {
    account_id: string;
    /** Place in the feed of the account. */
    n: number;
    watch: number;
    slot: number;
    at: number;
    kind: string;
    field: string;
    key: string | null;
    before: string;
    after: string;
    source: string | null;
    /** Of `due`: days to the date, −1 once it is over, and when it was read. */
    days_left: number | null;
    read_at: number | null;
    stripped: number;
  };
  watch_feeds: { account_id: string; n: number };
  /** The calendar of an account: SHA-256 of the token in its address, and the key that made it. */
  watch_calendars: { account_id: string; key_id: string; hash: string; created_at: number };
  /** Mails that asked an address (its SHA-256) to confirm, for a day. */
  notify_mails: { n: Generated<number>; hash: string; account_id: string; at: number };
  notify_targets: NotifyTargetRow;
  /** One message to a target: the changes of one check. */
  watch_deliveries: {
    watch: number;
    /** 0: the webhook of the watch. */
    target: Generated<number>;
    /** Of the last of its changes. */
    cursor: number;
    /** JSON array. */
    kinds: string;
    created_at: number;
    attempts: number;
    /** When it is sent next; null: it is not. */
    next_at: number | null;
    delivered_at: number | null;
    /** HTTP status or the reason of the last failure. */
    result: string | null;
  };
}
