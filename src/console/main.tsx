import { type JSX, render } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { match, path, place, startNavigation } from './app/place.ts';
import { resume, session } from './app/session.ts';
import { Shell } from './app/shell.tsx';
import { SignIn } from './app/sign-in.tsx';
import { Empty } from './parts/display.tsx';
import { Brand } from './parts/icons.tsx';
import { type Later, later, Page, type PageEntry, type PageParams } from './parts/page.tsx';

/** Every page is fetched apart: its code is no part of what another one loads. */
type Entry = PageEntry<Later<PageParams>>;

const Drift: Entry[3] = later(async () => (await import('./operator/drift.tsx')).DriftPage);
const Sessions: Entry[3] = later(async () => (await import('./account/credentials.tsx')).Sessions);
const Clients: Entry[3] = later(async () => (await import('./account/credentials.tsx')).Clients);

/** Pages of an account: its holder's, and the operator's who works as the account. */
const ACCOUNT_PAGES: readonly Entry[] = [
  ['/console', 'Home', 'home', later(async () => (await import('./account/home.tsx')).Home)],
  ['/console/w/:operation', 'Workbench', 'terminal', later(async () => (await import('./workbench/workbench.tsx')).Workbench)],
  ['/console/files', 'Files', 'file', later(async () => (await import('./files/files.tsx')).Files)],
  ['/console/files/:fileId', 'Look up a file', null, later(async () => (await import('./files/file-page.tsx')).FilePage)],
  ['/console/rankings', 'Rankings', 'wave', later(async () => (await import('./rankings/rankings.tsx')).RankingsPage)],
  ['/console/domains', 'Domains', 'globe', later(async () => (await import('./watches/domains.tsx')).Domains)],
  ['/console/watches', 'Watches', 'eye', later(async () => (await import('./watches/watches.tsx')).Watches)],
  ['/console/watches/:watchId', 'Watch', null, later(async () => (await import('./watches/watch-page.tsx')).WatchPage)],
  ['/console/messages', 'Messages', null, later(async () => (await import('./watches/messages.tsx')).Messages)],
  ['/console/changes', 'Changes', null, later(async () => (await import('./watches/watches.tsx')).Changes)],
  ['/console/requests', 'Requests', 'list', later(async () => (await import('./account/requests.tsx')).Requests)],
  ['/console/requests/:requestId', 'Request', null, later(async () => (await import('./account/request.tsx')).Request)],
  ['/console/usage', 'Usage', 'bars', later(async () => (await import('./account/usage.tsx')).Usage)],
  ['/console/ledger', 'Ledger', 'ledger', later(async () => (await import('./account/ledger.tsx')).Ledger)],
  ['/console/keys', 'Keys', 'key', later(async () => (await import('./account/credentials.tsx')).Keys)],
  ['/console/sessions', 'Sessions', null, Sessions],
];

/** Pages of the operator alone; the service refuses their requests for others in any case. */
const OPERATOR_PAGES: readonly Entry[] = [
  ['/console', 'Home', 'home', later(async () => (await import('./operator/home.tsx')).OperatorHome)],
  ['/console/accounts', 'Accounts', 'people', later(async () => (await import('./operator/accounts.tsx')).Accounts)],
  ['/console/accounts/:accountId', 'Account', null, later(async () => (await import('./operator/accounts.tsx')).Account)],
  ['/console/sources', 'Sources', 'plug', later(async () => (await import('./operator/sources.tsx')).SourcesPage)],
  ['/console/sources/:source', 'Source', null, later(async () => (await import('./operator/source.tsx')).SourcePage)],
  ['/console/evidence', 'Evidence', 'box', later(async () => (await import('./operator/evidence.tsx')).Evidence)],
  ['/console/evidence/:capture', 'Capture', null, later(async () => (await import('./operator/evidence.tsx')).Capture)],
  ['/console/drift', 'Drift', 'wave', Drift],
  ['/console/drift/:source/:field', 'Drift of a field', null, Drift],
  ['/console/audit', 'Audit', 'shield', later(async () => (await import('./operator/audit.tsx')).Audit)],
  ['/console/fleet', 'Fleet', 'server', later(async () => (await import('./operator/audit.tsx')).Fleet)],
  ['/console/sessions', 'Sessions', null, Sessions],
];

/** Pages of an account as the operator sees them. */
const ACTING_PAGES: readonly Entry[] = [...ACCOUNT_PAGES, ['/console/clients', 'Clients', 'grid', Clients]];

const Setup = later(async () => (await import('./setup/setup.tsx')).Setup);

const NoPage = () => (
  <Page title="No such page">
    <Empty icon="search" title="There is no such page in the console">
      <a href="/console">Home</a>
    </Empty>
  </Page>
);

/** The pages of this session at this address: an operator's are the operator's own, and below `/console/as/…` an account's. */
function pagesHere(): readonly Entry[] {
  if (session.value?.kind !== 'operator') return ACCOUNT_PAGES;
  return place.value.account === null ? OPERATOR_PAGES : ACTING_PAGES;
}

/** A page that cannot be drawn says so; the frame around it stays. At another address it is tried again. */
function Drawn({ children }: { children: JSX.Element }) {
  const [failed, again] = useErrorBoundary((thrown: unknown) => reportError(thrown));
  useEffect(() => again, [place.value]);
  if (!failed) return children;
  return (
    <Page title="This page failed">
      <Empty icon="warning" title="It could not be drawn">
        <a href={location.pathname} target="_self">
          Open it without what its address asks for
        </a>
      </Empty>
    </Page>
  );
}

function Current() {
  for (const [pattern, , , Component] of pagesHere()) {
    const params = match(pattern, path.value);
    if (params) return <Drawn key={pattern} children={<Component params={params} />} />;
  }
  return <NoPage />;
}

function App() {
  if (path.value === '/setup') return <Setup />;
  // the frame of index.html stays until the session is known
  if (session.value === undefined) return <header class="bar" children={<Brand />} />;
  if (session.value === null) return <SignIn />;
  return (
    <Shell session={session.value} pages={pagesHere()}>
      <Current key={place.value.account ?? ''} />
    </Shell>
  );
}

startNavigation();
const root = document.getElementById('app');
// its frame is that of the console
if (path.value === '/setup') root?.replaceChildren();
if (root) render(<App />, root);
if (path.value !== '/setup') void resume();
// the page comes beside the session; of two at one address the session decides
const [first, ...others] = [...ACCOUNT_PAGES, ...OPERATOR_PAGES].filter(([pattern]) => match(pattern, path.value));
if (first && others.length === 0) void first[3].fetch().catch(() => undefined);
// a link that signs in once, pasted into a tab that is open
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) void resume();
});
// after the first paint: the page is readable without the font
requestAnimationFrame(() => setTimeout(() => void import('./styles/font.css')));
