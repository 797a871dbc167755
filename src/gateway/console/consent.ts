import { type Authorization, answerUrl, readAuthorization } from '../../accounts/oauth/authorize.ts';
import type { AppSignIn, OAuth } from '../../accounts/oauth/oauth.ts';
import { actorOf, type Session } from '../../accounts/sessions/sessions.ts';
import { MAX_CREDITS } from '../../billing/bounds.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { demandAddress } from '../admission/credentials.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { searchOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { ConsoleDependencies } from '../parts.ts';
import { CONSENT_PATH } from '../routes/oauth.ts';
import { consentPage, DURATIONS, messagePage, pageHeaders, signInPage } from './consent-page.ts';
import { openSession } from './sign-in.ts';

const MAX_BODY_BYTES = 32_768;

/** Pages on which a person signs in and decides what an app may do (OAuth 2.1, 4.1). They need the session of the console. */
export function consentRoutes(dependencies: ConsoleDependencies, oauth: OAuth, { apps, grants }: AppSignIn): readonly Route[] {
  const { admission, responder, entrance, console } = dependencies;

  function writePage(
    context: RequestContext,
    status: number,
    page: string,
    redirect: string | null = null,
    more: readonly string[] = [],
  ): void {
    responder.write(context, status, [...pageHeaders(redirect), ...more], Buffer.from(page));
  }
  function goTo(context: RequestContext, location: string, more: readonly string[] = []): void {
    responder.write(context, 303, ['Location', location, 'Cache-Control', 'no-store', ...more], Buffer.alloc(0));
  }

  const route = (
    method: 'GET' | 'POST',
    path: string,
    serve: (context: RequestContext, addressKey: string, form: URLSearchParams) => Promise<void>,
  ): Route => ({
    methods: method === 'GET' ? READ : [method],
    path,
    operation: 'console',
    ...(method === 'POST' && { maxBodyBytes: MAX_BODY_BYTES }),
    async serve(context) {
      const addressKey = await admission.admitAddress(context);
      const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/i.test(context.request.headers['content-type'] ?? '');
      if (method === 'POST' && !isForm) throw invalid('Content-Type must be application/x-www-form-urlencoded.');
      const text = method === 'POST' ? await admission.readBody(context) : '';
      await serve(context, addressKey, new URLSearchParams(text));
    },
    refuse: (context, error) =>
      writePage(context, error.status, messagePage('This did not work', error.message), null, Object.entries(error.headers).flat()),
  });

  /** The session, and the request that it may decide on; null: the request is answered already. */
  async function read(context: RequestContext, query: string): Promise<{ session: Session; asks: Authorization; base: string } | null> {
    const base = oauth.baseUrl();
    if (base === null) throw new Error('the service does not know its own address yet');
    const session = await entrance.sessionOf(context.request);
    if (session === 'missing' || session === 'ended') {
      writePage(context, 200, signInPage(query, false));
      return null;
    }
    demandAddress(session.caller?.addresses, context);
    // a grant is a key that the session makes
    if (!session.manages || session.limited)
      throw new ServiceError(
        'FORBIDDEN',
        'This session may not connect apps: sign in to the console with a key without limits that manages keys, or by a link, which "sightline console" prints.',
      );
    const { owner } = session;
    const found = await readAuthorization(apps, base, new URLSearchParams(query));
    if (found.kind === 'asks') return { session, asks: found.asks, base };
    const title = 'This app cannot be connected';
    if (found.kind === 'page') writePage(context, 400, messagePage(title, found.message));
    // anybody can register an app: a browser follows its address only where a person trusted it before (RFC 9700, 4.11.2)
    else if (owner.kind === 'account' && (await grants.hasConsented(owner.accountId, found.clientId))) goTo(context, found.location);
    else writePage(context, 400, messagePage(title, found.message, found.location));
    return null;
  }

  async function decide(context: RequestContext, form: URLSearchParams): Promise<void> {
    entrance.demandOwnPage(context.request);
    const query = form.get('request') ?? '';
    const request = await read(context, query);
    if (!request) return;
    const { session, asks, base } = request;
    const { owner, name } = session;
    if (owner.kind !== 'account') throw new ServiceError('FORBIDDEN', 'The operator has no account that an app could use.');
    context.caller = session.caller;
    await admission.admitChange(context, owner.accountId);
    const decision = form.get('decision');
    if (decision !== 'allow') {
      const answer = { error: 'access_denied', error_description: 'The person refused.' };
      return goTo(context, answerUrl(asks, base, answer));
    }
    const scopes = asks.scopes.filter((scope) => form.getAll('scope').includes(scope));
    // plain decimal digits, as everywhere: `1e3` and `0x10` are slips
    const creditsPerDay = Number(/^\d{1,15}$/.exec((form.get('creditsPerDay') ?? '').trim())?.[0] ?? Number.NaN);
    const days = Number(form.get('days'));
    const fault =
      scopes.length === 0
        ? 'Choose at least one of the things that it may do, or refuse.'
        : !Number.isSafeInteger(creditsPerDay) || creditsPerDay < 1 || creditsPerDay > MAX_CREDITS
          ? `The credits a day must be a whole number from 1 to ${MAX_CREDITS}.`
          : DURATIONS.has(days)
            ? null
            : 'Choose for how long.';
    if (fault !== null) return writePage(context, 400, consentPage(asks, query, name ?? '', fault), asks.redirectUri);
    const actor = actorOf(owner.accountId, owner.keyId);
    const admin = console.adminAs(actor, owner.keyId ?? session.sessionId);
    const code = await grants
      .approve(admin, asks, { actor, accountId: owner.accountId, scopes, creditsPerDay, days })
      .catch((error: unknown) => {
        throw error instanceof ServiceError && error.status < 500 ? new ServiceError('FORBIDDEN', error.message) : error;
      });
    goTo(context, answerUrl(asks, base, { code }));
  }

  return [
    route('GET', CONSENT_PATH, async (context) => {
      const query = searchOf(context.request);
      const request = await read(context, query);
      if (!request) return;
      const { session, asks } = request;
      writePage(context, 200, consentPage(asks, query, session.name ?? '', null), asks.redirectUri);
    }),
    route('POST', CONSENT_PATH, (context, _addressKey, form) => decide(context, form)),
    route('POST', `${CONSENT_PATH}/sign-in`, async (context, addressKey, form) => {
      entrance.demandOwnPage(context.request);
      const query = form.get('request') ?? '';
      const given = form.get('credential')?.trim() ?? '';
      // a link of the console has its code in the fragment
      const value = /#code=(.+)$/.exec(given)?.[1] ?? given;
      const opened = await openSession(dependencies, context, { field: value.startsWith('sl_') ? 'apiKey' : 'code', value });
      if (opened) return goTo(context, `${CONSENT_PATH}?${new URLSearchParams(query)}`, ['Set-Cookie', opened.cookie]);
      await admission.countWrongCredentials(context, addressKey);
      writePage(context, 401, signInPage(query, true));
    }),
  ];
}
