import type { ClientSummary, GrantSummary, KeySummary, ListedKey } from '../../contract/admin/schemas.ts';
import type { ConsoleSessions } from '../../contract/contract-view.ts';
import { operationName } from '../app/operations.ts';
import { api, contract, forget, mayManage } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { AdminAct, admin, owner } from '../parts/admin.tsx';
import { Pill, Time, Used } from '../parts/display.tsx';
import { capital, number, shortTime } from '../parts/format.ts';
import { Grid, ListPage } from '../parts/grid.tsx';
import type { Column } from '../parts/table.tsx';
import { CreateKey, limits, shownOnce } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

const CREATED = { id: 'created', name: 'Created', as: 'time', value: (row: { createdAt: string }) => row.createdAt } as const;
type Usable = { readonly lastUsedAt: string | null };
const USED = { id: 'used', name: 'Last use', as: 'time', none: 'never', value: (row: Usable) => row.lastUsedAt } as const;

const TIMES = Object.entries({ 3600000: 'hour', 86400000: 'day', 604800000: 'week' });
const GRACES = [['0', 'Revoke it now'] as const, ...TIMES.map(([ms, time]) => [ms, `Valid for another ${time}`] as const)];
const GRACE = { name: 'The old key', choices: GRACES, value: '0' };

type Cap = Readonly<{ words: string; share: number }>;
function capsOf({ creditsPerDay, spentToday, creditsPerMonth, spentThisMonth }: ListedKey): readonly Cap[] {
  const caps = [
    [creditsPerDay, spentToday, 'today'],
    [creditsPerMonth, spentThisMonth, 'this month'],
  ] as const;
  return caps.flatMap(([cap, spent, when]) =>
    cap === null || spent === null ? [] : [{ words: `${number(spent)} of ${number(cap)} credits ${when}`, share: spent / cap }],
  );
}
/** The others. */
function limitsOf(key: ListedKey): string {
  const limits = [
    key.ratePerSecond !== null && `${number(key.ratePerSecond)} requests a second`,
    key.rateBurst !== null && `${number(key.rateBurst)} at once`,
    key.addresses && `from ${key.addresses.join(', ')}`,
  ];
  return limits.filter(Boolean).join(' · ');
}
const allLimitsOf = (key: ListedKey): string =>
  [...capsOf(key).map(({ words }) => words), limitsOf(key)].filter(Boolean).join(' · ') || 'none';
const CAP_USED = 'cap used';
function keyState(key: ListedKey): string {
  const state = credentialState(key);
  return state.startsWith('active') && capsOf(key).some(({ share }) => share >= 1) ? CAP_USED : state;
}
const Limits = ({ of }: { of: ListedKey }) => (
  <div class="stack">
    {capsOf(of).map((cap) => (
      <Used key={cap.words} {...cap} />
    ))}
    {limitsOf(of) || (capsOf(of).length === 0 && 'none')}
  </div>
);

type Ending = Pick<KeySummary, 'revokedAt' | 'expiresAt'> & { readonly replacedBy?: string | null };
function credentialState({ revokedAt, expiresAt, replacedBy }: Ending): string {
  if (revokedAt !== null) return replacedBy ? 'replaced' : 'revoked';
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) <= Date.now() ? 'ended' : replacedBy ? 'replaced, works until' : 'active until';
}
const CredentialPill = ({ of }: { of: Ending }) => {
  const state = credentialState(of);
  const until = state.endsWith('until') && of.expiresAt && <Time key="at" at={of.expiresAt} />;
  return <Pill tone={state.startsWith('active') ? 'good' : 'plain'} text={[capital(state), ' ', until]} />;
};
const STATE = { id: 'state', name: 'State', value: credentialState, of: (row: Ending) => <CredentialPill of={row} /> } as const;

const KEYS: readonly Column<ListedKey>[] = [
  {
    id: 'key',
    name: 'Key',
    value: (k) => k.label || k.keyId,
    of: (k) => (
      <span class="tree" style={{ marginInlineStart: `${Math.min(k.depth, 4) * 16}px` }}>
        {k.label || 'no label'}
        <code>{k.hint}</code>
      </span>
    ),
  },
  {
    ...STATE,
    value: keyState,
    of: (k) => (keyState(k) === CAP_USED ? <Pill tone="warn" text={capital(CAP_USED)} /> : <CredentialPill of={k} />),
  },
  { id: 'may', name: 'May use', value: (k) => (k.operations === null ? 'all' : k.operations.map(operationName).join(', ') || 'none') },
  { id: 'limits', name: 'Limits', value: allLimitsOf, of: (k) => <Limits of={k} /> },
  USED,
  { id: 'rights', name: 'Rights', value: (k) => (k.manages ? 'manages keys' : 'uses'), roomy: true },
  { id: 'maker', name: 'Made by', value: (k) => k.madeBy ?? 'operator', hidden: true },
  { ...CREATED, hidden: true },
  { id: 'id', name: 'Id', as: 'code', value: (k) => k.keyId, hidden: true },
];
export function Keys() {
  const actions = (key: ListedKey, done: () => void) => {
    const own = { input: { keyId: key.keyId }, of: key.label || key.keyId, done };
    return (
      <>
        <AdminAct {...own} action="editKey" ask={limits()} given={key} />
        <AdminAct {...own} action="rerollKey" ask={{ graceMs: GRACE }} then={shownOnce} />
        <RevokeKey of={key} done={done} />
      </>
    );
  };
  return (
    <ListPage
      title="Keys"
      about="A key acts for this account. Give each program its own, with only what it needs."
      icon="key"
      none="No keys"
      columns={KEYS}
      keyOf={(k) => k.keyId}
      load={(_, signal) => admin('listKeys', owner(), signal)}
      actions={(k, done) => mayManage() && k.revokedAt === null && actions(k, done)}
      acts={(done) => mayManage() && <CreateKey done={done} />}
    />
  );
}

const CLIENTS: readonly Column<ClientSummary>[] = [
  { id: 'label', name: 'Client', value: (c) => c.label || c.clientId },
  STATE,
  { id: 'scopes', name: 'Scopes', value: (c) => c.scopes?.join(', ') ?? 'all' },
  USED,
  { id: 'id', name: 'Id', as: 'code', value: (c) => c.clientId },
  { ...CREATED, hidden: true },
];
const GRANTS: readonly Column<GrantSummary>[] = [
  { id: 'label', name: 'App', value: (g) => g.label || g.clientId },
  STATE,
  { id: 'scopes', name: 'Scopes', value: (g) => g.scopes.join(', ') },
  { id: 'cap', name: 'Credits a day', as: 'number', none: 'no cap', value: (g) => g.creditsPerDay },
  { ...CREATED, name: 'Granted' },
  { id: 'redirect', name: 'Answers go to', value: (g) => g.redirectUri, hidden: true },
];

const Grants = () => (
  <>
    <h2>Grants to apps</h2>
    <Grid
      caption="Grants to apps"
      name="grant"
      columns={GRANTS}
      keyOf={(g) => g.keyId}
      load={(_, signal) => admin('listGrants', owner(), signal)}
      none="Nobody granted an app access to this account."
      actions={({ label, keyId, revokedAt }, done) =>
        revokedAt === null && (
          <AdminAct
            action="revokeKey"
            input={{ keyId, stopWatches: true }}
            name="End"
            of={`the grant to ${label}`}
            says="The app is refused from now on and its watches stop; the holder may grant access again."
            done={done}
          />
        )
      }
    />
  </>
);

export function Clients() {
  const scopes = [...(contract.value?.areas ?? []), { id: 'account' }, { id: 'watches' }].map(({ id }) => [id, id] as const);
  return (
    <ListPage
      title="OAuth clients"
      icon="grid"
      none="No OAuth clients"
      columns={CLIENTS}
      keyOf={(c) => c.clientId}
      load={(_, signal) => admin('listClients', owner(), signal)}
      actions={({ label, clientId, revokedAt }, done) =>
        revokedAt === null && <AdminAct action="revokeClient" input={{ clientId, stopWatches: true }} of={label || clientId} done={done} />
      }
      acts={(done) => (
        <AdminAct
          action="createClient"
          input={owner()}
          ask={{ label: 'Label', scopes: { name: 'Scopes; none chosen: all', choices: scopes } }}
          then={({ clientSecret: secret }) => ({ secret })}
          done={done}
        />
      )}
      below={<Grants />}
    />
  );
}

const SESSIONS = '/console/api/sessions';
type Session = ConsoleSessions['sessions'][number];
const whereOf = ({ current }: Session): string => (current ? 'this browser' : 'elsewhere');
const COLUMNS: readonly Column<Session>[] = [
  { id: 'created', name: 'Signed in', as: 'time', value: (s) => s.createdAt },
  { id: 'used', name: 'Last used', as: 'time', value: (s) => s.lastUsedAt },
  { id: 'ends', name: 'Ends at the latest', as: 'time', value: (s) => s.expiresAt },
  { id: 'here', name: 'Where', value: whereOf, of: (s) => (s.current ? <Pill tone="good" text="This browser" /> : whereOf(s)) },
];

const end = async (path: string, isOwn: boolean): Promise<void> => {
  await api(path, { method: 'DELETE' });
  if (isOwn) forget();
};

export const Sessions = () => (
  <ListPage
    title="Sessions"
    icon="shield"
    none="No sessions"
    columns={COLUMNS}
    keyOf={(s) => s.sessionId}
    load={async (_, signal) => (await api<ConsoleSessions>(SESSIONS, { signal })).sessions}
    actions={(s, done) => (
      <Act
        name="Sign out"
        of={`the session of ${shortTime(s.createdAt)}`}
        style="quiet"
        says={s.current ? 'You sign in again to work here.' : 'The other browser is signed out with its next request.'}
        run={() => end(`${SESSIONS}/${encodeURIComponent(s.sessionId)}`, s.current)}
        done={done}
      />
    )}
    acts={() => <Act name="Sign out everywhere" says="All of these sessions end now, this one included." run={() => end(SESSIONS, true)} />}
  />
);
