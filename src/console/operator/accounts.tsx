import type { ListedAccount } from '../../contract/admin/schemas.ts';
import { keyLabel } from '../account/key-names.tsx';
import { ENTRY_COLUMNS, entryKey } from '../account/ledger.tsx';
import { go, pageAt } from '../app/place.ts';
import { Chart } from '../charts/chart.tsx';
import { Act } from '../parts/act.tsx';
import { AdminAct, admin } from '../parts/admin.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Card, Pill, Rows, Time } from '../parts/display.tsx';
import { daysBetween, filterOf, rangeOf, Search } from '../parts/filters.tsx';
import { lasting, number, perDay, plural, share, shortDay } from '../parts/format.ts';
import { Grid, ListPage, rowsUpTo } from '../parts/grid.tsx';
import { pageOf } from '../parts/page.tsx';
import { Stats } from '../parts/stats.tsx';
import type { Column } from '../parts/table.tsx';

const DAYS = 7;
const PAGE = 200;
const LAST_ENTRIES = 10;

const daysLeft = ({ balance, lastWeek }: ListedAccount): number | null =>
  lastWeek.credits === 0 ? null : Math.floor(balance / (lastWeek.credits / DAYS));
function accountState(account: ListedAccount): string {
  if (account.suspendedAt !== null) return 'Suspended';
  if (account.balance === 0) return 'Out of credits';
  const left = daysLeft(account);
  return left !== null && left <= DAYS ? `${plural(left, 'day')} left` : account.lastUsedAt === null ? 'New' : 'Active';
}
function AccountState({ account }: { account: ListedAccount }) {
  const state = accountState(account);
  const tone = state === 'Active' ? 'good' : state === 'Out of credits' ? 'bad' : /^\d/.test(state) ? 'warn' : 'plain';
  return <Pill tone={tone} text={state} />;
}

export const ACCOUNT_COLUMNS: readonly Column<ListedAccount>[] = [
  { id: 'name', name: 'Account', value: (a) => a.name },
  { id: 'state', name: 'State', value: accountState, of: (a) => <AccountState account={a} /> },
  { id: 'balance', name: 'Balance', as: 'number', value: (a) => a.balance },
  { id: 'burn', name: 'Credits, 7 d', as: 'number', value: (a) => a.lastWeek.credits },
  { id: 'requests', name: 'Requests, 7 d', as: 'number', value: (a) => a.lastWeek.requests, roomy: true },
  { id: 'errors', name: 'Errors', as: 'share', value: ({ lastWeek: { requests, errors } }) => (requests ? errors / requests : null) },
  { id: 'keys', name: 'Keys', as: 'number', value: (a) => a.keys, roomy: true },
  { id: 'used', name: 'Last use', as: 'time', none: 'never', value: (a) => a.lastUsedAt },
  { id: 'id', name: 'Id', as: 'code', value: (a) => a.accountId, hidden: true },
  { id: 'held', name: 'Held', as: 'number', value: (a) => a.held, hidden: true },
  { id: 'created', name: 'Created', as: 'time', value: (a) => a.createdAt, hidden: true },
];
export const accountAt = ({ accountId }: { accountId: string }): string =>
  pageAt(`/console/accounts/${encodeURIComponent(accountId)}`, null);

type GrantProps = Readonly<{ account: ListedAccount; done: () => unknown; name?: string; of?: string; style?: 'quiet' }>;
function Grant({ account, ...act }: GrantProps) {
  const { accountId, name, balance } = account;
  const left = daysLeft(account);
  return (
    <AdminAct
      {...act}
      input={{ accountId }}
      action="grant"
      ask={{
        credits: { about: 'A negative number takes credits.' },
        note: { name: 'Note for the ledger', required: true },
        reference: { about: 'Optional: the same reference is applied once.' },
      }}
      title={`Credits of ${name}`}
      says={`The balance is ${number(balance)}${left === null ? '' : `, ${lasting(left)} at the pace of the last week`}. The note is written to the ledger, where the holder reads it.`}
    />
  );
}

export const Accounts = () => (
  <ListPage
    title="Accounts"
    icon="people"
    none="No account with this name or id"
    columns={ACCOUNT_COLUMNS}
    keyOf={(a) => a.accountId}
    hrefOf={accountAt}
    load={async (after = '', signal) =>
      rowsUpTo(await admin('listAccounts', { search: filterOf('_q'), after, limit: PAGE }, signal), PAGE, (a) => a.accountId)
    }
    actions={(account, reload) => <Grant account={account} done={reload} name="Grant" of={account.name} style="quiet" />}
    acts={() => (
      <AdminAct
        action="createAccount"
        askedAs="create"
        ask={{ name: 'Name', credits: { about: 'Empty: none.' } }}
        then={(one) => void go(accountAt(one))}
      />
    )}
  >
    <Search id="_q" label="Name, account id, key id or request id" />
  </ListPage>
);

async function readAccount(accountId: string, signal: AbortSignal) {
  const { from } = rangeOf('30d');
  const [found, keys, usage, ledger] = await Promise.all([
    admin('listAccounts', { search: accountId }, signal),
    admin('listKeys', { accountId }, signal),
    admin('accountUsage', { accountId, from, limit: 10_000 }, signal),
    admin('accountLedger', { accountId, by: 'lookup', limit: LAST_ENTRIES }, signal),
  ]);
  const account = found.find((each) => each.accountId === accountId);
  if (!account) throw new Error(`There is no account ${accountId}.`);
  return { account, keys, days: usage.entries, entries: ledger.entries };
}

type ReadAccount = Awaited<ReturnType<typeof readAccount>>;

function Actions({ account, reload }: { account: ListedAccount; reload: () => Promise<void> }) {
  const { accountId, name, balance } = account;
  const isSuspended = account.suspendedAt !== null;
  const own = { input: { accountId }, done: reload };
  return (
    <div class="actions">
      <LinkButton href={pageAt('/console', accountId)} text="Work as this account" />
      <AdminAct {...own} action="renameAccount" ask={{ name: { about: undefined } }} given={account} title={`Rename ${name}`} />
      <AdminAct {...own} action="endSessions" then={({ ended }) => `${plural(ended, 'session')} ended.`} title={`Sessions of ${name}`} />
      <Grant account={account} done={reload} />
      <AdminAct
        {...own}
        action={isSuspended ? 'resumeAccount' : 'suspendAccount'}
        title={`${isSuspended ? 'Resume' : 'Suspend'} ${name}`}
      />
      <Act
        name="Delete"
        style="danger"
        title={`Delete ${name}`}
        says={`Its keys and clients are revoked, its ${number(balance)} free credits and its name are removed. Ledger, audit log and usage stay. This cannot be undone.`}
        ask={[{ id: 'name', name: 'Name of the account', required: true, about: 'Type it to confirm.' }]}
        run={async (form) => {
          if (String(form.get('name')).trim() !== name) throw new Error(`Type the name of the account, ${name}, to confirm.`);
          await admin('deleteAccount', { accountId });
          go('/console/accounts');
        }}
      />
    </div>
  );
}

function Details({ data: { account, keys, days, entries }, reload }: { data: ReadAccount; reload: () => Promise<void> }) {
  const { from, to } = rangeOf('30d');
  const places = daysBetween(from, to);
  const creditsOf = (day: string): number => days.reduce((sum, each) => sum + (each.day === day ? each.credits : 0), 0);
  const left = daysLeft(account);
  const { requests, errors, credits } = account.lastWeek;
  return (
    <>
      <header class="lead">
        <p class="caption grow">
          <code>{account.accountId}</code> · since <Time at={account.createdAt} />
        </p>
        <AccountState account={account} />
        <Actions account={account} reload={reload} />
      </header>
      <Stats
        stats={[
          ['Balance', number(account.balance), `${number(account.held)} held`],
          ['Burn', perDay(credits / DAYS), 'credits a day, mean of 7 days'],
          ['Lasts', left === null ? '–' : lasting(left), left === null ? 'nothing charged in 7 days' : 'at this pace'],
          ['Errors, 7 d', requests ? share(errors / requests) : '–', `${number(errors)} of ${plural(requests, 'request')}`],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Card title="Credits by day">
            <Chart title="Credits by day" places={places} label={shortDay} series={[{ name: 'Credits', values: places.map(creditsOf) }]} />
          </Card>
          <Card title="Ledger" aside={<a href={pageAt('/console/ledger', account.accountId)}>Whole ledger</a>}>
            <Grid caption="Ledger" isExcerpt columns={ENTRY_COLUMNS.slice(0, 5)} keyOf={entryKey} rows={entries} none="No entries yet." />
          </Card>
        </div>
        <Card title="Keys" aside={<a href={pageAt('/console/keys', account.accountId)}>All keys</a>}>
          <Rows
            rows={keys.map((k) => ({
              ...{
                id: k.keyId,
                first: keyLabel(k),
                second: k.operations === null ? 'all operations' : k.operations.join(', ') || 'no operation',
              },
              aside: k.revokedAt === null ? <Pill tone="good" text="Active" /> : <Pill tone="plain" text="Revoked" />,
            }))}
          />
        </Card>
      </div>
    </>
  );
}

export const Account = pageOf(
  'accountId',
  (id) => ({ title: (read) => read.account.name, back: ['/console/accounts', 'Accounts'], load: (signal) => readAccount(id, signal) }),
  Details,
);
