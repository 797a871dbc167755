import { count, flag, list, record, text, textMap, words } from '../schema.ts';
import { ACCOUNT_ACTIONS } from './account-actions.ts';
import { CREDENTIAL_ACTIONS } from './credential-actions.ts';
import { defineActions, fields, line, NO_FIELDS, options, type ValueOf } from './define.ts';
import { EVIDENCE_ACTIONS } from './evidence-actions.ts';
import { FleetState } from './fleet-schema.ts';
import * as answer from './schemas.ts';
import { CredentialTrial, SourceCredential } from './source-credential-schemas.ts';

export const MAX_BODY_BYTES = 65_536;
/** Size of hourly anchors over one year for 100 accounts. */
const MAX_ANCHOR_BYTES = 134_217_728;
const ANCHOR = options({ anchor: text('lines of `ledger anchor`: also finds a chain that was truncated or rewritten since then') });

/** The operator's actions. Admin API, socket client, commands, the own-key API and the types of the console are derived from it. */
export const ADMIN_ACTIONS = defineActions({
  ...ACCOUNT_ACTIONS,
  ...CREDENTIAL_ACTIONS,
  ...EVIDENCE_ACTIONS,
  verifyLedger: {
    summary: 'verify sums and hash chains of all accounts',
    requests: ['POST /ledger/verify', 'GET /ledger/verify'],
    command: 'ledger verify',
    input: ANCHOR,
    answer: answer.LedgerReport,
    maxBytes: MAX_ANCHOR_BYTES,
  },
  anchorLedger: {
    summary: 'print the signed heads of all hash chains as one line; store it where the store has no write access',
    requests: ['GET /ledger/anchor'],
    command: 'ledger anchor',
    input: NO_FIELDS,
    answer: record({ line: text('The line.') }),
  },
  verifyAudit: {
    summary:
      'verify the hash chain of the audit log, and that accounts, keys, clients, sessions, grants and watches are as its events leave them',
    requests: ['POST /audit/verify', 'GET /audit/verify'],
    command: 'audit verify',
    input: ANCHOR,
    answer: answer.AuditReport,
    maxBytes: MAX_ANCHOR_BYTES,
  },
  auditLog: {
    summary: 'show the latest entries of the audit log',
    requests: ['GET /audit'],
    command: 'audit log',
    input: options({
      limit: count('number of entries; default: 100'),
      before: count('only entries with a smaller number'),
      subject: line('only entries about this account, key, client or session'),
      action: line('only this action, such as `credits.grant`'),
    }),
    answer: list(answer.AuditEntry),
  },
  listSources: {
    summary: 'list breaker, health, rest and spending of each source, and the last results of the canaries',
    requests: ['GET /sources'],
    input: NO_FIELDS,
    answer: record({ sources: list(answer.SourceState), canaries: list(answer.CanaryResult) }),
  },
  checkSources: {
    summary: 'ask each configured source once for a fact that holds for years; paid sources only where `paid` is true',
    requests: ['POST /sources/check'],
    input: options({
      source: line('only this source'),
      paid: flag('ask paid sources as well'),
      plan: flag('ask nothing: list what would be asked, with its price'),
    }),
    answer: list(answer.SourceCheck),
  },
  listCredentials: {
    summary: 'list the credentials that sources need, where they come from, and what a trial of them costs; never the credentials',
    requests: ['GET /credentials'],
    input: NO_FIELDS,
    answer: list(SourceCredential),
  },
  enterCredentials: {
    summary:
      'try credentials of a source by one request, and keep them sealed if it answers; in force without a restart, in a fleet within a second; those of the environment are tried and stay where they are',
    requests: ['POST /credentials'],
    input: fields({
      source: line('the source'),
      values: {
        ...textMap('credentials by the names of their settings; an empty one keeps what is in force'),
        additionalProperties: { type: 'string', maxLength: 1_000 },
      },
    }),
    answer: CredentialTrial,
  },
  removeCredentials: {
    summary: 'remove the credentials of a source that were entered; those of the environment stay',
    requests: ['POST /credentials/remove'],
    input: fields({ source: line('the source') }),
    answer: record({ removed: flag('Whether there were any.'), lacking: words('Settings that the source lacks now.') }),
  },
  showFleet: {
    summary: 'count the processes of the fleet; answers null for a single process',
    requests: ['GET /fleet'],
    input: NO_FIELDS,
    answer: FleetState,
  },
  createConsoleLink: {
    summary: 'make a link that signs in to the console once: as the account, or without one as the operator',
    requests: ['POST /console-links'],
    input: options({ accountId: line('account whose holder signs in') }),
    answer: answer.ConsoleLink,
  },
  purgeCache: {
    summary: 'drop the cached answers of an operation, or of one lookup; in a fleet use `sightline cache purge`',
    requests: ['POST /cache/purge'],
    input: fields(
      { operation: line('id of the operation') },
      {
        parameters: {
          ...textMap("the lookup's parameters by their names; default: every lookup of the operation"),
          additionalProperties: { type: 'string', maxLength: 4_000 },
        },
      },
    ),
    answer: record({ dropped: count('Answers that were dropped.') }),
  },
});

export type ActionName = keyof typeof ADMIN_ACTIONS;
export type ActionInput<Name extends ActionName> = ValueOf<(typeof ADMIN_ACTIONS)[Name]['input']>;
export type ActionAnswer<Name extends ActionName> = ValueOf<(typeof ADMIN_ACTIONS)[Name]['answer']>;

/** Every action as a function. Inputs and answers are plain JSON. */
export type AdminActions = {
  readonly [Name in ActionName]: object extends ActionInput<Name>
    ? (input?: ActionInput<Name>) => Promise<ActionAnswer<Name>>
    : (input: ActionInput<Name>) => Promise<ActionAnswer<Name>>;
};
/** The actions on the store; the others are those of a running process. */
export type Admin = Omit<
  AdminActions,
  | 'listSources'
  | 'checkSources'
  | 'listCredentials'
  | 'enterCredentials'
  | 'removeCredentials'
  | 'showFleet'
  | 'createConsoleLink'
  | 'purgeCache'
  | keyof typeof EVIDENCE_ACTIONS
>;
