import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import type { ConsoleSession } from '../../contract/console-session.ts';
import { number } from '../parts/format.ts';
import { Problem, useLoaded } from '../parts/load.tsx';
import { actingFor, api } from './api.ts';
import { credits, signOut } from './session.ts';

type Page = readonly [path: string, name: string];
const ACCOUNT_PAGES: readonly Page[] = [
  ['/console', 'Playground'],
  ['/console/usage', 'Usage'],
  ['/console/ledger', 'Ledger'],
  ['/console/requests', 'Requests'],
  ['/console/keys', 'Keys'],
  ['/console/sessions', 'Sessions'],
];
const OPERATOR_PAGES: readonly Page[] = [
  ['/console/accounts', 'Accounts'],
  ['/console/sources', 'Sources'],
  ['/console/clients', 'Clients'],
  ['/console/audit', 'Audit'],
  ['/console/fleet', 'Fleet'],
];

const isCurrent = (page: string, path: string): boolean =>
  page === '/console' ? path === page || path.startsWith('/console/playground') : path === page || path.startsWith(`${page}/`);

const Links = ({ pages, path }: { pages: readonly Page[]; path: string }) => (
  <ul>
    {pages.map(([to, name]) => (
      <li key={to}>
        <a href={to} aria-current={isCurrent(to, path) ? 'page' : undefined}>
          {name}
        </a>
      </li>
    ))}
  </ul>
);

/** The account for which the operator sends requests and reads pages. */
function AccountChoice() {
  const { loaded } = useLoaded((signal) => api<readonly { accountId: string; name: string }[]>('/accounts', { signal }), []);
  if (loaded.state === 'failed') return <Problem words={loaded.words} />;
  const accounts = loaded.state === 'here' ? loaded.value : [];
  return (
    <label class="account-choice">
      Account{' '}
      <select
        value={actingFor.value ?? ''}
        onChange={(e) => {
          actingFor.value = e.currentTarget.value || null;
          credits.value = null;
        }}
      >
        <option value="">none chosen</option>
        {accounts.map((a) => (
          <option key={a.accountId} value={a.accountId}>
            {a.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The frame of every page: where one is, the account, its credits. */
export function Shell({ session, children }: { session: ConsoleSession; children: ComponentChildren }) {
  const { path } = useLocation();
  const isOperator = session.kind === 'operator';
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <a class="brand" href="/console">
          Sightline
        </a>
        <nav aria-label="Pages">
          <Links pages={ACCOUNT_PAGES} path={path} />
          {isOperator && <Links pages={OPERATOR_PAGES} path={path} />}
        </nav>
        <div class="who">
          {isOperator ? <AccountChoice /> : <span>{session.name ?? session.accountId}</span>}
          {credits.value !== null && (
            <a class="credits" href="/console/usage">
              {number(credits.value)} credits
            </a>
          )}
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} key={actingFor.value ?? ''}>
        {children}
      </main>
    </>
  );
}
