import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ConsoleSession } from '../../contract/contract-view.ts';
import { Button, Chip, Dialog } from '../parts/controls.tsx';
import { number } from '../parts/format.ts';
import { Brand, Icon, type IconName } from '../parts/icons.tsx';
import { later, type PageEntry, useLoaded } from '../parts/page.tsx';
import { closeOpened, KeyHelp, listenForKeys, opened, THEMES, theme } from './keys.tsx';
import { operationIcon, operationName, workbenchAt } from './operations.ts';
import { pageAt, path, place } from './place.ts';
import { api, contract, credits, dueSoon, readCredits, readDueSoon, signOut } from './session.ts';

const Palette = later(async () => (await import('./palette.tsx')).Palette);

const MOST_ON_PHONE = 4;
/** Pages for which the bar of a phone has no room: they are in More. */
const IN_MORE: readonly string[] = ['/console/files', '/console/rankings', '/console/domains'];

const MenuLink = (props: { icon: IconName; text: string; to: string; title?: string; isHere?: boolean; count?: number | null }) => (
  <a
    href={props.to}
    title={props.title}
    aria-current={props.isHere ? 'page' : undefined}
    {...(props.to === '/docs/' && { target: '_blank', rel: 'noopener' })}
  >
    <Icon name={props.icon} />
    <span>{props.text}</span>
    {props.count ? <small>{number(props.count)}</small> : null}
  </a>
);
const Docs = () => <MenuLink icon="book" text="Docs" to="/docs/" />;

function isCurrent([to]: PageEntry): boolean {
  const base = to.replace(/\/:.*$/, '');
  // the feed and the messages belong to the watches
  const here = /^\/console\/(?:changes|messages)$/.test(path.value) ? '/console/watches' : path.value;
  return here === base || (base !== '/console' && here.startsWith(`${base}/`));
}
function PageLink({ page }: { page: PageEntry }) {
  const [to, name, icon] = page;
  const count = to === '/console/domains' ? dueSoon.value : null;
  const title = count ? `${number(count)} within 30 days, or over` : undefined;
  return (
    <MenuLink
      icon={icon ?? 'right'}
      text={name}
      to={pageAt(to.replace(':operation', 'serp'))}
      isHere={isCurrent(page)}
      {...{ count, title }}
    />
  );
}

/** The pages in the navigation, with the operations below the Workbench where that is open. */
const PageLinks = ({ pages }: { pages: readonly PageEntry[] }) => (
  <ul class="menu">
    {pages.map((page) => (
      <li key={page[0]}>
        <PageLink page={page} />
        {page[0].startsWith('/console/w/') && isCurrent(page) && (
          <nav aria-label="Operations">
            <OperationLinks />
          </nav>
        )}
      </li>
    ))}
  </ul>
);

const OperationLinks = () => (
  <ul class="menu">
    {contract.value?.operations.map(({ id, summary }) => (
      <li key={id}>
        <MenuLink
          icon={operationIcon(id)}
          text={operationName(id)}
          to={workbenchAt(id)}
          title={`${id}: ${summary.replaceAll('`', '')}`}
          isHere={path.value === `/console/w/${id}`}
        />
      </li>
    ))}
  </ul>
);

const More = () => (
  <div class="menu">
    <MenuLink icon="shield" text="Sessions" to={pageAt('/console/sessions')} />
    {THEMES.map((name) => {
      const isChosen = theme.value === name;
      const text = ['Theme: ', name, isChosen && <Icon key="chosen" name="check" />];
      return <Button key={name} icon="moon" text={text} aria-pressed={isChosen} onClick={() => (theme.value = name)} />;
    })}
    <Button icon="terminal" text="Keyboard" onClick={() => (opened.value = 'keys')} />
    <Docs />
    <Button icon="leave" text="Sign out" onClick={() => void signOut()} />
  </div>
);

function useActingName(): string | null {
  const { account } = place.value;
  const { value } = useLoaded(
    async (signal) => {
      const query = { search: account };
      const accounts = account === null ? [] : await api<readonly { accountId: string; name: string }[]>('/accounts', { query, signal });
      return accounts.find((a) => a.accountId === account)?.name;
    },
    [account],
  );
  return value ?? account;
}

/** Page frame: breadcrumb, account, balance; on phones a bar at the bottom. */
export function Shell({ session, pages, children }: { session: ConsoleSession; pages: readonly PageEntry[]; children: ComponentChildren }) {
  const shown = pages.filter(([, , icon]) => icon !== null);
  const onPhone = shown.filter(([to]) => !IN_MORE.includes(to)).slice(0, MOST_ON_PHONE);
  const { account } = place.value;
  const acting = useActingName();
  const name = acting ?? (session.kind === 'operator' ? 'Operator' : (session.name ?? session.accountId ?? ''));
  // a key is heard as soon as the page stands
  useLayoutEffect(listenForKeys, []);
  useEffect(() => {
    void readCredits();
    void readDueSoon();
  }, [account]);
  useLayoutEffect(closeOpened, [path.value]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class="frame">
        <header class="sidebar">
          <a class="brand" href={pageAt('/console')}>
            <Brand />
          </a>
          <Chip
            class="account"
            label="Account"
            value={
              <>
                <span class="initials" aria-hidden="true">
                  {name.slice(0, 2)}
                </span>
                <span class="name">{name}</span>
              </>
            }
          >
            {() => <More />}
          </Chip>
          <nav aria-label="Pages">
            <PageLinks pages={shown} />
          </nav>
          <div class="foot">
            {credits.value !== null && (
              <a class="balance" href={pageAt('/console/usage')}>
                Balance
                <span>
                  <strong>{number(credits.value)}</strong> credits
                </span>
              </a>
            )}
            <div class="menu">
              <Button icon="search" text={['Find', <kbd key="key">Ctrl K</kbd>]} onClick={() => (opened.value = 'palette')} />
              <Docs />
            </div>
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          {acting !== null && (
            <p class="acting">
              You work as {acting}. <a href="/console/accounts">Back to operator</a>
            </p>
          )}
          {children}
        </main>
      </div>
      <nav class="bottom" aria-label="Main pages">
        {onPhone.map((page) => (
          <PageLink key={page[0]} page={page} />
        ))}
        <Button icon="more" text="More" onClick={() => (opened.value = 'more')} />
      </nav>
      {opened.value === 'operations' && (
        <Dialog title="Operations" onClose={closeOpened}>
          <OperationLinks />
        </Dialog>
      )}
      {opened.value === 'more' && (
        <Dialog title="More" onClose={closeOpened}>
          <PageLinks pages={shown.filter((page) => !onPhone.includes(page))} />
          <More />
        </Dialog>
      )}
      {opened.value === 'palette' && <Palette pages={pages} />}
      {opened.value === 'keys' && <KeyHelp />}
    </>
  );
}
