/** What an account endpoint demands of its caller. A lookup demands the scope of its area and the right to its operation. */
export interface Demand {
  /** The scope that an access token needs. */
  readonly scope: 'account' | 'watches';
  /**
   * The lookup that the caller must be allowed, with its area's scope and its operation: that of the query or the body (`named`), or of the
   * watch in the path, else 403; `each`: entries of other lookups are left out.
   */
  readonly lookup: 'named' | 'watch' | 'each' | null;
  /** Who may, of those who may look it up. `managers`: keys and sessions that manage the account, never a token. `maker`: the key that made the watch, its reroll, or a key that manages the account. */
  readonly who: 'all' | 'managers among sessions' | 'managers' | 'maker';
}

const ACCOUNT: Demand = { scope: 'account', lookup: null, who: 'all' };
const LISTS: Demand = { scope: 'account', lookup: 'each', who: 'all' };
const READS: Demand = { scope: 'account', lookup: 'watch', who: 'all' };
const MANAGES: Demand = { scope: 'watches', lookup: null, who: 'managers' };
const WRITES: Demand = { scope: 'watches', lookup: 'watch', who: 'maker' };

/** Every account endpoint: HTTP, MCP tools and console are decided by this table alone (accounts/rights.ts). */
const TABLE = {
  account: ACCOUNT,
  'account-usage': ACCOUNT,
  'account-ledger': ACCOUNT,
  'account-price': { scope: 'account', lookup: 'named', who: 'all' },
  'account-requests': ACCOUNT,
  'account-request': ACCOUNT,
  'account-watches': LISTS,
  'account-watch-create': { scope: 'watches', lookup: 'named', who: 'managers among sessions' },
  'account-watch-import': { scope: 'watches', lookup: 'named', who: 'managers among sessions' },
  'account-watch': READS,
  'account-watch-edit': WRITES,
  'account-watch-delete': WRITES,
  'account-watch-run': WRITES,
  'account-watch-history': READS,
  'account-watch-deliveries': READS,
  'account-watch-repeat': WRITES,
  'account-notify': ACCOUNT,
  'account-notify-set': MANAGES,
  'account-notify-test': MANAGES,
  'account-watch-notify-test': WRITES,
  'account-calendar': ACCOUNT,
  'account-calendar-make': MANAGES,
  'account-calendar-end': MANAGES,
  'account-sites': ACCOUNT,
  'account-sites-set': MANAGES,
  'account-rankings': LISTS,
  'account-app-rankings': LISTS,
  'account-changes': LISTS,
} satisfies Readonly<Record<string, Demand>>;
export type EndpointId = keyof typeof TABLE;
export const DEMANDS: Readonly<Record<EndpointId, Demand>> = TABLE;

const LOOKUPS = {
  named: ' and that of the area; the caller must be allowed the operation',
  watch: ' and that of the area of the watch; the caller must be allowed its operation',
  each: '; what the caller may not look up is left out',
};
const WHO = {
  all: '',
  'managers among sessions': ' A session of the console must be one that manages the account.',
  managers: ' Only for a key or session that manages the account.',
  maker: ' Only for the key that made the watch, its reroll, and a key that manages the account.',
};

/** The demand as sentences of the OpenAPI description. */
export function demandInWords(id: EndpointId): string {
  const { scope, lookup, who } = DEMANDS[id];
  const token =
    who === 'managers' ? 'Access tokens may not.' : `An access token needs the scope \`${scope}\`${lookup ? LOOKUPS[lookup] : ''}.`;
  return `${token}${WHO[who]}`;
}
