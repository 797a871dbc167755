import { useSignal } from '@preact/signals';
import { admin } from '../parts/admin.tsx';
import { Dialog, SearchInput, Status } from '../parts/controls.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { type PageEntry, useLoaded } from '../parts/page.tsx';
import { readWatches, watchName } from '../watches/watch.tsx';
import { closeOpened, FIND, moveBy } from './keys.tsx';
import { operationIcon, operationName, watchAt, workbenchAt } from './operations.ts';
import { at, place } from './place.ts';
import { contract, session } from './session.ts';

type Entry = readonly [kind: string, name: string, more: string, icon: IconName, href: string];

const MOST_SHOWN = 12;

async function read(signal: AbortSignal): Promise<readonly Entry[]> {
  if (session.value?.kind === 'operator') {
    const accounts = await admin('listAccounts', {}, signal);
    return accounts.map(({ accountId: id, name }) => ['Account', name, id, 'people', `/console/accounts/${encodeURIComponent(id)}`]);
  }
  const [keys, watches] = await Promise.all([admin('listKeys', {}, signal), readWatches(signal)]);
  return [
    ...keys.map(({ keyId, label }): Entry => ['Key', label || keyId, keyId, 'key', at('/console/keys')]),
    ...watches.map((w): Entry => ['Watch', watchName(w), `${w.watchId} ${w.operation}`, operationIcon(w.operation), watchAt(w.watchId)]),
  ];
}

export function Palette({ pages }: { pages: readonly PageEntry[] }) {
  const sought = useSignal('');
  const { value: named = [] } = useLoaded(read, []);
  const hasWorkbench = session.value?.kind === 'account' || place.value.account !== null;
  const operations = hasWorkbench ? (contract.value?.operations ?? []) : [];
  const entries: readonly Entry[] = [
    ...pages.flatMap(([to, name, icon]): Entry[] => (to.includes(':') ? [] : [['Page', name, '', icon ?? 'right', at(to)]])),
    ...operations.map(
      ({ id, summary, area }): Entry => ['Operation', operationName(id), `${id} ${summary} ${area}`, operationIcon(id), workbenchAt(id)],
    ),
    ...named,
  ];
  const terms = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ([kind, name, more]: Entry): boolean => terms.every((term) => `${name} ${more} ${kind}`.toLowerCase().includes(term));
  const found = entries.filter(isFound).slice(0, MOST_SHOWN);
  const turn = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    moveBy(event, 'input, a', { ArrowDown: 1, ArrowUp: -1 });
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.currentTarget.querySelector('a')?.click();
    event.preventDefault();
  };
  return (
    <Dialog title="Find" onClose={closeOpened}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the input and the links in it */}
      <div class="stack" onKeyDown={turn}>
        <SearchInput label={FIND} hint="" value={sought.value} set={(text) => (sought.value = text)} />
        <Status words={`${found.length} found`} />
        <ul class="menu">
          {found.map(([kind, name, more, icon, href]) => (
            <li key={`${kind} ${href} ${more}`}>
              <a href={href} onClick={closeOpened}>
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
