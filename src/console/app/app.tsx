import { Empty } from '../parts/card.tsx';
import { Mark } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { ACCOUNT_PAGES, ACTING_PAGES, OPERATOR_PAGES, type PageEntry } from './pages.tsx';
import { match, path, place } from './place.ts';
import { session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

const NoPage = () => (
  <Page title="No such page">
    <Empty icon="search" title="There is no such page in the console">
      <a href="/console">Home</a>
    </Empty>
  </Page>
);

/** The pages of this session at this address: an operator's are the operator's own, and below `/console/as/…` an account's. */
function pagesHere(): readonly PageEntry[] {
  if (session.value?.kind !== 'operator') return ACCOUNT_PAGES;
  return place.value.account === null ? OPERATOR_PAGES : [...ACCOUNT_PAGES, ...ACTING_PAGES];
}

function Current() {
  for (const { path: pattern, component: Component } of pagesHere()) {
    const params = match(pattern, path.value);
    if (params) return <Component key={pattern} params={params} />;
  }
  return <NoPage />;
}

export function App() {
  // the frame of index.html stays until the session is known
  if (session.value === undefined)
    return (
      <header class="bar">
        <span class="brand">
          <Mark />
          Sightline
        </span>
      </header>
    );
  if (session.value === null) return <SignIn />;
  return (
    <Shell session={session.value} pages={pagesHere()}>
      <Current key={place.value.account ?? ''} />
    </Shell>
  );
}
