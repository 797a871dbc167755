import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Status } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { useLoaded } from '../parts/load.tsx';
import { readWatches, watchName } from '../watches/watch.ts';
import { api } from './api.ts';
import { opened } from './keys.tsx';
import { operationIcon, operationName, watchAt, workbenchAt } from './operations.ts';
import type { PageEntry } from './pages.tsx';
import { at, go, place } from './place.ts';
import { contract, session } from './session.ts';

/** `more`: found by this too. */
type Entry = readonly [kind: string, name: string, more: string, icon: IconName, href: string];

const MOST_SHOWN = 12;

async function read(signal: AbortSignal): Promise<readonly Entry[]> {
  if (session.value?.kind === 'operator') {
    const accounts = await api<readonly { accountId: string; name: string }[]>('/accounts', { signal });
    return accounts.map(({ accountId: id, name }) => ['Account', name, id, 'people', `/console/accounts/${encodeURIComponent(id)}`]);
  }
  const [keys, watches] = await Promise.all([
    api<readonly { keyId: string; label: string }[]>('/console/api/keys', { signal }),
    readWatches(signal),
  ]);
  return [
    ...keys.map(({ keyId, label }): Entry => ['Key', label || keyId, keyId, 'key', at('/console/keys')]),
    ...watches.map((w): Entry => ['Watch', watchName(w), `${w.watchId} ${w.operation}`, operationIcon(w.operation), watchAt(w.watchId)]),
  ];
}

export function Palette({ pages }: { pages: readonly PageEntry[] }) {
  const sought = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { loaded } = useLoaded(read, []);
  const hasWorkbench = session.value?.kind === 'account' || place.value.account !== null;
  const operations = hasWorkbench ? (contract.value?.operations ?? []) : [];
  const entries: readonly Entry[] = [
    ...pages.filter((p) => !p.path.includes(':')).map((p): Entry => ['Page', p.name, '', p.icon ?? 'right', at(p.path)]),
    ...operations.map(
      (o): Entry => ['Operation', operationName(o.id), `${o.id} ${o.summary} ${o.area}`, operationIcon(o.id), workbenchAt(o.id)],
    ),
    ...(loaded.state === 'here' ? loaded.value : []),
  ];
  const terms = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ([kind, name, more]: Entry): boolean => terms.every((term) => `${name} ${more} ${kind}`.toLowerCase().includes(term));
  const found = entries.filter(isFound).slice(0, MOST_SHOWN);
  const close = (): void => {
    opened.value = null;
  };
  /** The arrows move between the input and what is found; Enter in the input opens the first. */
  const turn = (event: KeyboardEvent): void => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const here = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Enter' && here === -1 && found[0]) {
      close();
      go(found[0][4]);
    } else if (event.key === 'ArrowDown') links[Math.min(here + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (here > 0 ? links[here - 1] : input.current)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the input and the links in it */}
      <div class="stack" onKeyDown={turn}>
        <input
          ref={input}
          type="search"
          aria-label="Find a page, an operation, a watch, a key or an account"
          autocomplete="off"
          value={sought.value}
          onInput={(e) => (sought.value = e.currentTarget.value)}
        />
        <Status words={`${found.length} found`} />
        <ul ref={list} class="menu">
          {found.map(([kind, name, more, icon, href]) => (
            <li key={`${kind} ${href} ${more}`}>
              <a href={href} onClick={close}>
                <Icon name={icon} />
                {name}
                <small>{kind}</small>
              </a>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="none">Nothing is called so.</p>}
      </div>
    </Dialog>
  );
}
