import type { ActionAnswer, ActionName } from '../contract/admin/actions.ts';
import type { ClientSummary, GrantSummary, ListedKey, OperatorExplanation } from '../contract/admin/schemas.ts';
import { plural, tableWith } from './terminal.ts';

const printedPage =
  <Row>(columns: Parameters<typeof tableWith<Row>>[0]) =>
  ({ entries, after }: { readonly entries: readonly Row[]; readonly after: string | null }): string =>
    tableWith(columns)(entries) + (after === null ? '' : `\nMore: --after ${after}`);

const state = (row: { readonly revokedAt: string | null; readonly expiresAt: string | null }): string =>
  row.revokedAt ? `revoked ${row.revokedAt}` : row.expiresAt ? `until ${row.expiresAt}` : 'active';
const report = ({ faults, ...counts }: { readonly faults: readonly string[] }): string => {
  const facts = Object.entries(counts).map(([name, n]) => `${name} ${n}`);
  return `${facts.join(', ')}\n${faults.length ? faults.join('\n') : 'No fault: all sums and hash chains are valid.'}`;
};

export const OUTPUT: { readonly [Name in ActionName]?: (answer: ActionAnswer<Name>) => string } = {
  createAccount: (a) => `${a.accountId}  ${a.name}  ${plural(a.balance, 'credit')}`,
  listAccounts: tableWith({ ACCOUNT: 'accountId', CREDITS: 'balance', HELD: 'held', SINCE: 'createdAt', NAME: 'name' }),
  showAccount: (a) => `${a.accountId}  ${a.name}: ${plural(a.balance, 'credit')} free, ${a.held} held`,
  renameAccount: (a) => `${a.accountId}  ${a.name}`,
  suspendAccount: (a) => `${a.accountId} is suspended.`,
  resumeAccount: (a) => `${a.accountId} is active.`,
  deleteAccount: (a) => `${a.accountId} is deleted, ${plural(a.creditsTaken, 'credit was', 'credits were')} taken.`,
  accountUsage: printedPage({
    DAY: 'day',
    OPERATION: 'operation',
    KEY: 'keyId',
    STATUS: 'status',
    REQUESTS: 'requests',
    CREDITS: 'credits',
  }),
  accountLedger: printedPage({
    AT: 'at',
    KIND: 'kind',
    CREDITS: 'credits',
    HELD: 'held',
    BALANCE: 'balance',
    OPERATION: 'operation',
    RECEIPT: (e) => e.receipt ?? e.reference,
    NOTE: 'note',
  }),
  accountRequests: printedPage({
    AT: 'at',
    REQUEST: 'requestId',
    OPERATION: 'operation',
    STATUS: 'status',
    CODE: 'code',
    SOURCE: 'source',
    CACHE: 'cache',
    CREDITS: 'credits',
    TIME: (e) => `${Math.round(e.durationMs)} ms`,
    LABEL: 'label',
  }),
  explainRequest: explanation,
  grant: (a) => `${a.accountId}  ${plural(a.balance, 'credit')}`,
  createKey: (k) => `${k.key}\n\nThe key is not shown again. Id: ${k.keyId}, account ${k.accountId}.`,
  editKey: (k) => `${k.keyId} is changed.`,
  listKeys: tableWith<ListedKey>({
    KEY: (k) => '  '.repeat(k.depth) + k.keyId,
    ACCOUNT: 'accountId',
    BEGINS: 'hint',
    LABEL: 'label',
    STATE: state,
    OPERATIONS: (k) => (k.operations === null ? 'all' : k.operations.length === 0 ? 'none' : k.operations),
    'LAST USED': (k) => k.lastUsedAt ?? 'never',
    MANAGES: (k) => (k.manages ? 'yes' : 'no'),
    'MADE BY': (k) => k.madeBy ?? 'operator',
  }),
  previewRevokeKey: ({ keyIds, watchIds }) =>
    `${keyIds.length ? `Keys that end: ${keyIds.join(', ')}.` : 'The key is revoked already.'}\n${watchIds.length ? `Watches that stop: ${watchIds.join(', ')}.` : 'No watch stops.'}`,
  revokeKey: (k) => `${k.keyId} is revoked.`,
  rerollKey: (k) => `${k.key}\n\nThe key is not shown again. Id: ${k.keyId}.`,
  createClient: (c) =>
    `client_id      ${c.clientId}\nclient_secret  ${c.clientSecret}\n\nThe secret is not shown again. Account ${c.accountId}, scopes ${c.scopes?.join(' ') ?? 'all'}.`,
  listClients: tableWith<ClientSummary>({
    CLIENT: 'clientId',
    ACCOUNT: 'accountId',
    LABEL: 'label',
    STATE: state,
    SCOPES: (c) => c.scopes ?? 'all',
    'LAST USED': (c) => c.lastUsedAt ?? 'never',
  }),
  revokeClient: (c) => `${c.clientId} is revoked, and so are its tokens.`,
  listGrants: tableWith<GrantSummary>({
    ID: 'keyId',
    ACCOUNT: 'accountId',
    APP: 'label',
    STATE: state,
    'CREDITS A DAY': (g) => g.creditsPerDay ?? 'no limit',
    SCOPES: 'scopes',
  }),
  rotateSigningKey: (r) => `Key ${r.kid} signs now${r.dropped ? `; ${r.dropped} older keys no longer verify tokens` : ''}.`,
  verifyLedger: report,
  verifyAudit: report,
  anchorLedger: ({ line }) => line,
  auditLog: tableWith({ AT: 'at', WHO: 'actor', WHAT: 'action', SUBJECT: 'subject', FACTS: (e) => JSON.stringify(e.facts) }),
};

function explanation(e: OperatorExplanation): string {
  const words = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join('  ');
  const facts: readonly (readonly [string, string | null])[] = [
    ['request', `${e.requestId}  ${e.at}  account ${e.accountId}, key ${e.keyId}${e.label === null ? '' : `, label ${e.label}`}`],
    ['lookup', words(`${e.operation} ${JSON.stringify(e.parameters ?? {})}`, e.freshness && `Cache-Control: ${e.freshness}`)],
    [
      'answer',
      `${e.status}${e.code ? ` ${e.code}` : ''} after ${Math.round(e.durationMs)} ms; cache ${e.cache ?? 'not asked'}${e.source ? `; source ${e.source}` : ''}`,
    ],
    ['message', e.message],
    ...e.attempts.map((a, i) => [`attempt ${i + 1}`, words(a.source, a.outcome, `${a.durationMs} ms`, a.reason, e.details[i])] as const),
    ['unread', e.unread.join(', ')],
    ['captures', e.captures.join(', ')],
    ['charge', `${plural(e.credits, 'credit')} (${e.rule}): ${e.ruleInWords}`],
    ['receipt', e.receipt],
    ...e.others.map((o) => ['same label', `${o.requestId}  ${o.at}  account ${o.accountId}  ${o.operation} ${o.status}`] as const),
  ];
  return facts.flatMap(([name, text]) => (text ? [`${name.padEnd(10)}  ${text}`] : [])).join('\n');
}
