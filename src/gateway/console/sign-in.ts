import { CODE_MS, type Session, type SessionOwner } from '../../accounts/sessions/sessions.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { demandAddress } from '../admission/credentials.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { ConsoleDependencies } from '../parts.ts';

/** What opens a session, by entrance. The public listener does not read the token of the admin listener. */
const FIELDS = { account: ['code', 'apiKey'], operator: ['code', 'operatorKey', 'adminToken'] } as const;
type Field = (typeof FIELDS)['account' | 'operator'][number];
const MAX_CHARACTERS = 200;

/** Reads the body of a sign-in: exactly one credential. Throws a ServiceError INVALID_REQUEST. */
export function readSignIn(kind: keyof typeof FIELDS, body: unknown): { readonly field: Field; readonly value: string } {
  const known: readonly Field[] = FIELDS[kind];
  const choice = known.join(' or ');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid(`The body must be a JSON object with ${choice}.`);
  const entries: readonly [string, unknown][] = Object.entries(body);
  const [first, ...more] = entries;
  const field = known.find((name) => name === first?.[0]);
  if (!first || more.length) throw invalid(`The body must hold one of ${choice}, and nothing else.`);
  if (!field) throw invalid(`${JSON.stringify(first[0].slice(0, 100))} is no field here: give ${choice}.`);
  const [, value] = first;
  if (typeof value !== 'string' || value === '' || value.length > MAX_CHARACTERS)
    throw invalid(`${field} must be a text of 1 to ${MAX_CHARACTERS} characters.`);
  return { field, value };
}

/** The owner of the session that a credential opens; null: it is not valid. A key is refused with 403 from an address that it may not be used from. */
async function ownerOf(
  { entrance, console, accounts }: Pick<ConsoleDependencies, 'entrance' | 'console' | 'accounts'>,
  context: RequestContext,
  { field, value }: { readonly field: Field; readonly value: string },
): Promise<SessionOwner | null> {
  if (field === 'adminToken' || field === 'operatorKey') return entrance.operatorBy(value);
  if (field === 'code') {
    const owner = await console.signInCodes.redeem(value, entrance.kind);
    if (!owner) return null;
    return owner.accountId === null ? entrance.operator : { kind: 'account', accountId: owner.accountId, keyId: null };
  }
  const authentication = await accounts.authenticate(value, context.atMs);
  // an access token has scopes, and ends within minutes: a session must not outlive it
  if (!authentication.ok || authentication.caller.scopes) return null;
  demandAddress(authentication.caller.addresses, context);
  const { accountId, keyId } = authentication.caller;
  return { kind: 'account', accountId, keyId };
}

/** Opens the session of a credential, with a new token: one that the browser brings along is never used. Null: the credential is not valid. */
export async function openSession(
  dependencies: Pick<ConsoleDependencies, 'entrance' | 'console' | 'accounts' | 'admission'>,
  context: RequestContext,
  given: { readonly field: Field; readonly value: string },
): Promise<{ readonly session: Session; readonly cookie: string } | null> {
  const { entrance, admission, console } = dependencies;
  const { sessions } = console;
  const owner = await ownerOf(dependencies, context, given);
  if (!owner) return null;
  await admission.admitChange(context, ownerName(owner));
  const before = entrance.cookie.read(context.request);
  if (before !== null) await sessions.end(before);
  const { session, token } = await sessions.open(owner);
  return session && { session, cookie: entrance.cookie.store(token) };
}
/** Whose sign-ins and changes are counted together. */
export const ownerName = (owner: SessionOwner): string => (owner.kind === 'operator' ? 'operator' : owner.accountId);

export const wrongSignIn = (field: Field): ServiceError =>
  new ServiceError(
    'UNAUTHORIZED',
    field === 'code'
      ? `The code is not valid: it opens one session within ${CODE_MS / 1000} seconds. Ask for a new link, which "sightline console" prints.`
      : `The ${field} is not valid.`,
  );
