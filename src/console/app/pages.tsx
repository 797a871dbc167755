import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icons.tsx';
import { later } from '../parts/later.tsx';
import { Workbench } from '../workbench/workbench.tsx';

export interface PageEntry {
  /** Path with `:name` for what a page is about. */
  readonly path: string;
  readonly name: string;
  /** Null: not in the navigation. */
  readonly icon: IconName | null;
  readonly component: PageComponent;
}
type PageComponent = ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
type Row = readonly [path: string, name: string, icon: IconName | null, component: PageComponent];

const pagesOf = (...rows: readonly Row[]): readonly PageEntry[] =>
  rows.map(([path, name, icon, component]) => ({ path, name, icon, component }));

const Drift: PageComponent = later(async () => (await import('../operator/drift.tsx')).DriftPage);
const Sessions: PageComponent = later(async () => (await import('../account/sessions.tsx')).Sessions);
const Clients: PageComponent = later(async () => (await import('../account/credentials.tsx')).Clients);

/** Pages of an account: its holder's, and the operator's who works as the account. */
export const ACCOUNT_PAGES = pagesOf(
  ['/console', 'Home', 'home', later(async () => (await import('../account/home.tsx')).Home)],
  ['/console/w/:operation', 'Workbench', 'terminal', Workbench],
  ['/console/watches', 'Watches', 'eye', later(async () => (await import('../watches/watches.tsx')).Watches)],
  ['/console/watches/:watchId', 'Watch', null, later(async () => (await import('../watches/watch-page.tsx')).WatchPage)],
  ['/console/changes', 'Changes', null, later(async () => (await import('../watches/changes.tsx')).Changes)],
  ['/console/requests', 'Requests', 'list', later(async () => (await import('../account/requests.tsx')).Requests)],
  ['/console/requests/:requestId', 'Request', null, later(async () => (await import('../account/request.tsx')).Request)],
  ['/console/usage', 'Usage', 'bars', later(async () => (await import('../account/usage.tsx')).Usage)],
  ['/console/ledger', 'Ledger', 'ledger', later(async () => (await import('../account/requests.tsx')).Ledger)],
  ['/console/keys', 'Keys', 'key', later(async () => (await import('../account/credentials.tsx')).Keys)],
  ['/console/sessions', 'Sessions', null, Sessions],
);

/** Pages of the operator alone; the service refuses their requests for others in any case. */
export const OPERATOR_PAGES = pagesOf(
  ['/console', 'Home', 'home', later(async () => (await import('../operator/home.tsx')).OperatorHome)],
  ['/console/accounts', 'Accounts', 'people', later(async () => (await import('../operator/accounts.tsx')).Accounts)],
  ['/console/accounts/:accountId', 'Account', null, later(async () => (await import('../operator/accounts.tsx')).Account)],
  ['/console/sources', 'Sources', 'plug', later(async () => (await import('../operator/sources.tsx')).SourcesPage)],
  ['/console/evidence', 'Evidence', 'box', later(async () => (await import('../operator/evidence.tsx')).Evidence)],
  ['/console/evidence/:capture', 'Capture', null, later(async () => (await import('../operator/capture.tsx')).Capture)],
  ['/console/drift', 'Drift', 'wave', Drift],
  ['/console/drift/:source/:field', 'Drift of a field', null, Drift],
  ['/console/audit', 'Audit', 'shield', later(async () => (await import('../operator/audit.tsx')).Audit)],
  ['/console/fleet', 'Fleet', 'server', later(async () => (await import('../operator/audit.tsx')).Fleet)],
  ['/console/sessions', 'Sessions', null, Sessions],
);

/** Pages of an account that only the operator sees. */
export const ACTING_PAGES = pagesOf(['/console/clients', 'Clients', 'grid', Clients]);
