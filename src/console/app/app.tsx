import { LocationProvider, Route, Router } from 'preact-iso/router';
import { later } from '../parts/later.tsx';
import { Playground } from '../playground/playground.tsx';
import { session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

const Usage = later(async () => (await import('../account/usage.tsx')).Usage);
const Ledger = later(async () => (await import('../account/ledger.tsx')).Ledger);
const Requests = later(async () => (await import('../account/requests.tsx')).Requests);
const Explanation = later(async () => (await import('../account/explanation.tsx')).Explanation);
const Keys = later(async () => (await import('../account/keys.tsx')).Keys);
const Sessions = later(async () => (await import('../account/sessions.tsx')).Sessions);
const Accounts = later(async () => (await import('../operator/accounts.tsx')).Accounts);
const Account = later(async () => (await import('../operator/account.tsx')).Account);
const Sources = later(async () => (await import('../operator/sources.tsx')).Sources);
const Clients = later(async () => (await import('../operator/clients.tsx')).Clients);
const Audit = later(async () => (await import('../operator/audit.tsx')).Audit);
const Fleet = later(async () => (await import('../operator/fleet.tsx')).Fleet);

const NoPage = () => <p class="problem">There is no such page in the console.</p>;

/** A view for the operator alone; the service refuses its requests for others in any case. */
const operatorRoutes = () => [
  <Route key="accounts" path="/console/accounts" component={Accounts} />,
  <Route key="account" path="/console/accounts/:accountId" component={Account} />,
  <Route key="sources" path="/console/sources" component={Sources} />,
  <Route key="clients" path="/console/clients" component={Clients} />,
  <Route key="audit" path="/console/audit" component={Audit} />,
  <Route key="fleet" path="/console/fleet" component={Fleet} />,
];

/** Focus goes to the new page, so that screen readers read it from its beginning. */
const focusPage = (): void => document.getElementById('main')?.focus();

export function App() {
  // the frame of index.html stays until the session is known
  if (session.value === undefined)
    return (
      <header class="top">
        <span class="brand">Sightline</span>
      </header>
    );
  if (session.value === null) return <SignIn />;
  return (
    <LocationProvider scope="/console">
      <Shell session={session.value}>
        <Router onRouteChange={focusPage}>
          <Route path="/console" component={Playground} />
          <Route path="/console/playground/:operation" component={Playground} />
          <Route path="/console/usage" component={Usage} />
          <Route path="/console/ledger" component={Ledger} />
          <Route path="/console/requests" component={Requests} />
          <Route path="/console/requests/:requestId" component={Explanation} />
          <Route path="/console/keys" component={Keys} />
          <Route path="/console/sessions" component={Sessions} />
          {session.value.kind === 'operator' ? operatorRoutes() : []}
          <Route default component={NoPage} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
