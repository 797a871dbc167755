import { type ActionAnswer, type ActionInput, type ActionName, ADMIN_ACTIONS } from '../../contract/admin/actions.ts';
import { type AdminAction, requestsOf } from '../../contract/admin/define.ts';
import { type Shape, shapeOf } from '../../contract/resource-fields.ts';
import { place } from '../app/place.ts';
import { type ApiRequest, api, filled, session } from '../app/session.ts';
import { Act, type ActProps, type Asked, type FormOfAct, type Said } from './act.tsx';
import { capital, words } from './format.ts';

/** Runs an action of the operator. A holder runs those on keys, for the own account. */
export function admin<Name extends ActionName>(name: Name, input: ActionInput<Name>, signal?: AbortSignal): Promise<ActionAnswer<Name>> {
  const given = input as Readonly<Record<string, unknown>>;
  const [request] = requestsOf(ADMIN_ACTIONS[name]);
  if (!request) throw new Error(`${name} has no request`);
  const { method, path, inPath } = request;
  const fields = Object.fromEntries(Object.entries(given).filter(([id]) => !inPath.includes(id)));

  return api((session.value?.kind === 'account' ? '/console/api' : '') + filled(path, given), {
    method,
    ...(method === 'GET' ? { query: fields as ApiRequest['query'] } : { body: fields }),
    signal,
  });
}

/** The account of actions on keys and clients: the one that an operator works as; a session of an account names it. */
export const owner = () => (place.value.account === null ? {} : { accountId: place.value.account });

function kindOf(name: ActionName, id: string) {
  const schema: Shape = (ADMIN_ACTIONS[name] as AdminAction).input.properties[id] ?? {};
  return { ...shapeOf(schema), isNullable: schema.anyOf !== undefined };
}

export type Ask<Name extends ActionName> = {
  readonly [Id in keyof ActionInput<Name>]?: string | Partial<Pick<Asked, 'name' | 'about' | 'required' | 'choices' | 'value' | 'isFirst'>>;
};
type Words = readonly [name: string, says: string, style?: 'primary' | 'danger' | 'quiet', confirm?: string];
/** What the button of an action is called, and what is said before it is done: what it does, to whom, whether it can be undone. */
const WORDS = {
  createAccount: ['Create account', 'An account pays for lookups with its credits; make its first key on its page.', 'primary'],
  grant: ['Grant credits', '', 'primary'],
  renameAccount: ['Rename', 'The name is shown to the holder.'],
  suspendAccount: ['Suspend', 'Its keys and clients are refused until it is resumed.', 'danger'],
  resumeAccount: ['Resume', 'Its keys and clients work again.'],
  endSessions: ['End sessions', 'Everybody who is signed in to the console as this account signs in again.'],
  createKey: ['Create a key', '', 'primary', 'Create'],
  editKey: ['Edit', '', 'quiet', 'Save'],
  rerollKey: ['Replace', 'A new key with the same rights, limits and spent credits takes its place.', 'quiet', 'Make the new key'],
  revokeKey: ['Revoke', 'It, its sessions and the keys that it made are refused from now on. This cannot be undone.', 'danger'],
  createClient: ['Create a client', '', 'primary', 'Create'],
  revokeClient: [
    'Revoke',
    'The client and all of its tokens are refused from now on, and its watches stop. This cannot be undone.',
    'danger',
  ],
  verifyLedger: ['Verify ledger', 'Compares sums and hashes of the chain of every account, which takes a while. Changes nothing.'],
  verifyAudit: ['Verify audit log', 'Compares its chain, and accounts, keys, clients and sessions with its events. Changes nothing.'],
  purgeCache: ['Purge cache', 'Its kept answers are dropped: the next lookups are charged. In a fleet use “sightline cache purge”.'],
  checkSources: [
    'Check now',
    'Asks each configured source once for a fact that holds for years, one after the other: it may take a minute.',
  ],
  removeCredentials: ['Remove', 'The source is not asked with them any more. A key that leaked is ended at its provider.', 'danger'],
  replayCaptures: ['Replay', 'At most 1,000 of the filter are parsed again by this version. Nothing is requested or charged.', 'primary'],
  eraseCapture: ['Erase', 'Its file is removed for good: it can neither be read nor replayed. The audit log keeps that.', 'danger'],
} as const satisfies { readonly [Name in ActionName]?: Words };
type Action = keyof typeof WORDS;

interface AdminActProps<Name extends Action> extends Partial<ActProps>, FormOfAct {
  readonly action: Name;
  readonly input?: Partial<ActionInput<Name>>;
  /** Fields that are asked for, with their names; the rest follows from the contract. */
  readonly ask?: Ask<Name>;
  readonly given?: object;
  readonly then?: (answer: ActionAnswer<Name>) => Said;
}

/** `datetime-local` has no zone: the console shows and reads UTC. */
const fieldText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : String(value).replace(/^(.+T\d\d:\d\d):.+Z$/, '$1');

/** A button for an action of the operator; its form follows from the fields of the contract. */
export function AdminAct<Name extends Action>({ action, input, ask = {}, given = {}, then, ...act }: AdminActProps<Name>) {
  const [name, says, style, confirm]: Words = WORDS[action];
  const before: Readonly<Record<string, unknown>> = { ...given };
  const { required } = (ADMIN_ACTIONS[action] as AdminAction).input;
  const asked = Object.entries(ask as Record<string, string | Partial<Asked>>).map(([id, own]): Asked => {
    const { type, description = '' } = kindOf(action, id);
    return {
      id,
      name: typeof own === 'string' ? own : capital(words(id)),
      about: `${capital(description.replace('null:', 'empty:'))}.${type === 'array' ? ' Separated by commas.' : ''}`,
      type: type === 'integer' ? 'number' : id.endsWith('At') ? 'datetime-local' : 'text',
      required: required.includes(id),
      value: fieldText(before[id]),
      isSeveral: type === 'array' || type === 'boolean',
      ...(typeof own === 'object' && own),
    };
  });
  const read = (id: string, form: FormData): unknown => {
    const { type, isNullable } = kindOf(action, id);
    const texts = form
      .getAll(id)
      .flatMap((text) => (type === 'array' ? String(text).split(/[\s,]+/) : String(text).trim()))
      .filter(Boolean);
    const [text = ''] = texts;
    if (type === 'boolean') return text !== '';
    // an empty field clears what was given
    if (text === '') return isNullable ? null : before[id] === undefined ? undefined : '';
    if (type === 'array') return texts;
    if (type === 'integer') return Number(text);
    return id.endsWith('At') ? new Date(`${text}Z`).toISOString() : text;
  };
  const run = async (form: FormData): Promise<Said> => {
    const values = Object.fromEntries(asked.map(({ id }) => [id, read(id, form)]));
    const answer = await admin(action, { ...input, ...values } as ActionInput<Name>);
    return then?.(answer);
  };
  return <Act {...{ name, style, says, confirm }} {...act} ask={asked} run={run} />;
}
