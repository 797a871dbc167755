import { useSignal } from '@preact/signals';
import { admin } from '../parts/admin.tsx';
import { Button, Dialog, SearchInput, Status } from '../parts/controls.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { type PageEntry, useLoaded } from '../parts/page.tsx';
import { readWatches, watchName } from '../watches/watch.tsx';
import { DOCS, GUIDES } from './guides.ts';
import { closeOpened, FIND, moveBy, opened, THEMES, theme } from './keys.tsx';
import { operationIcon, operationName, watchAt, workbenchAt } from './operations.ts';
import { pageAt, place } from './place.ts';
import { contract, mayManage, session, signOut } from './session.ts';

type Entry = readonly [kind: string, name: string, more: string, icon: IconName, to: string | (() => void)];

const MOST_SHOWN = 12;

/** Other words for an operation or a page, by its id or path. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    serp: 'search results serp rank keyword seo',
    'short-video': 'tiktok short video',
    'microblog-post': 'twitter tweet microblog',
    'forum-community': 'subreddit community forum',
    'forum-search': 'subreddit mentions forum',
    'forum-comments': 'subreddit thread discussion forum',
    app: 'shopify app store',
    'app-reviews': 'shopify app store rating',
    'app-developer': 'shopify app store',
    'app-keywords': 'shopify app store rank',
    'appstore-category': 'shopify app store',
    'appstore-reviews': 'shopify app store rating',
    registration: 'whois rdap expiry',
    traffic: 'visits website',
    '/console/files': 'bulk csv list import spreadsheet excel ndjson batch many lines',
    '/console/keys': 'api token secret',
    '/console/watches': 'alert monitor track webhook',
    '/console/domains': 'expiry expires due dates calendar ics whois import registrar',
    '/console/messages': 'slack discord teams ntfy mail e-mail notify target digest test message',
    '/console/rankings': 'rank tracker keywords positions competitors rivals visibility share of voice report google bing',
    '/console/usage': 'credits cost',
    '/console/ledger': 'credits balance charge',
  }),
);

const ACTS: readonly Entry[] = [
  ...THEMES.map((name): Entry => ['Act', `Theme: ${name}`, 'mode appearance', 'moon', () => (theme.value = name)]),
  ['Act', 'Keyboard shortcuts', 'keys help', 'terminal', () => (opened.value = 'keys')],
  ['Act', 'Sign out', 'log out leave', 'leave', () => void signOut()],
  ['Docs', 'Guides and reference', 'docs documentation guide api reference openapi', 'book', DOCS],
  ...GUIDES.map(([page, name, words = '']): Entry => ['Guide', name, `${words} docs guide`, 'book', DOCS + page]),
];
type Asked = readonly [name: string, words: string, icon: IconName, path: string];
/** Of an account: the dialogs that do it, on their pages. */
const ACTS_OF_ACCOUNT: readonly Asked[] = [['Look up a file', 'upload file csv bulk', 'file', '/console/files?_do=choose']];
const ACTS_OF_MANAGER: readonly Asked[] = [
  ['Create a key', 'create key api token new', 'key', '/console/keys?_do=create'],
  ['Tell a webhook or a channel', 'webhook slack discord teams mail', 'bell', '/console/messages?_do=add'],
  ['Import domains', 'expiry registrar', 'globe', '/console/domains?_do=import'],
];
const ACTS_OF_OPERATOR: readonly Asked[] = [['Create an account', 'new customer tenant', 'people', '/console/accounts?_do=create']];

async function readEntries(signal: AbortSignal): Promise<readonly Entry[]> {
  if (session.value?.kind === 'operator') {
    const [accounts, { sources }] = await Promise.all([admin('listAccounts', {}, signal), admin('listSources', {}, signal)]);
    return [
      ...accounts.map(({ accountId: id, name }): Entry => ['Account', name, id, 'people', `/console/accounts/${encodeURIComponent(id)}`]),
      ...sources.map(({ name, operations }): Entry => {
        const words = operations.map((id) => `${operationName(id)} ${WORDS.get(id) ?? ''}`).join(' ');
        return ['Source', name, `${words} key credentials`, 'plug', `/console/sources/${encodeURIComponent(name)}`];
      }),
    ];
  }
  const [keys, watches] = await Promise.all([admin('listKeys', {}, signal), readWatches(signal)]);
  return [
    ...keys.map(({ keyId, label }): Entry => ['Key', label || keyId, keyId, 'key', pageAt('/console/keys')]),
    ...watches.map((w): Entry => ['Watch', watchName(w), `${w.watchId} ${w.operation}`, operationIcon(w.operation), watchAt(w.watchId)]),
  ];
}

export function Palette({ pages }: { pages: readonly PageEntry[] }) {
  const sought = useSignal('');
  const { value: named = [] } = useLoaded(readEntries, []);
  const hasWorkbench = session.value?.kind === 'account' || place.value.account !== null;
  const operations = hasWorkbench ? (contract.value?.operations ?? []) : [];
  const entries: readonly Entry[] = [
    ...pages.flatMap(([to, name, icon]): Entry[] =>
      to.includes(':') ? [] : [['Page', name, WORDS.get(to) ?? '', icon ?? 'right', pageAt(to)]],
    ),
    ...operations.map(
      ({ id, summary, area }): Entry => [
        'Operation',
        operationName(id),
        `${id} ${summary} ${area} ${WORDS.get(id) ?? ''}`,
        operationIcon(id),
        workbenchAt(id),
      ],
    ),
    ...(hasWorkbench ? [...ACTS_OF_ACCOUNT, ...(mayManage() ? ACTS_OF_MANAGER : [])] : ACTS_OF_OPERATOR).map(
      ([name, words, icon, path]): Entry => ['Act', name, words, icon, pageAt(path)],
    ),
    ...named,
    ...ACTS,
  ];
  const terms = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => terms.every((term) => text.toLowerCase().includes(term));
  /** What is called so itself comes first; a guide comes after what it is about. */
  const isCalled = ([kind, name]: Entry): boolean => kind !== 'Guide' && has(name);
  const found = entries
    .filter(([kind, name, more]) => has(`${name} ${more} ${kind}`))
    .toSorted((a, b) => Number(isCalled(b)) - Number(isCalled(a)))
    .slice(0, MOST_SHOWN);
  const turn = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    moveBy(event, 'input, .menu :is(a, button)', { ArrowDown: 1, ArrowUp: -1 });
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.currentTarget.querySelector<HTMLElement>('.menu :is(a, button)')?.click();
    event.preventDefault();
  };
  return (
    <Dialog title="Find" onClose={closeOpened}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the input and the links in it */}
      <div class="stack" onKeyDown={turn}>
        <SearchInput label={FIND} hint="" value={sought.value} set={(text) => (sought.value = text)} />
        <Status words={`${found.length} found`} />
        <ul class="menu">
          {found.map(([kind, name, more, icon, to]) => (
            <li key={`${kind} ${name} ${more}`}>
              {typeof to === 'string' ? (
                <a href={to} onClick={closeOpened} {...(to.startsWith(DOCS) && { target: '_blank', rel: 'noopener' })}>
                  <Icon name={icon} />
                  {name}
                  <small>{kind}</small>
                </a>
              ) : (
                <Button
                  icon={icon}
                  text={[name, <small key="kind">{kind}</small>]}
                  onClick={() => {
                    closeOpened();
                    to();
                  }}
                />
              )}
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="none">Nothing is called that. Try a platform, such as TikTok, or a page, such as Keys.</p>}
      </div>
    </Dialog>
  );
}
