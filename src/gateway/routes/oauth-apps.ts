import type { OAuth } from '../../accounts/oauth/oauth.ts';
import { ServiceError } from '../../contract/errors.ts';
import { hopPage, messagePage, pageHeaders } from '../console/consent-page.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { Route } from '../http/routing.ts';
import type { RouteDependencies } from './dependencies.ts';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, refusalBody } from './oauth.ts';

export const CONSENT_PATH = '/console/consent';
const MAX_BODY_BYTES = 16_384;

/** Endpoints that apps call: authorization, registration (RFC 7591) and revocation (RFC 7009). */
export function appRoutes({ admission, responder }: Pick<RouteDependencies, 'admission' | 'responder'>, oauth: OAuth): readonly Route[] {
  const { appSignIn } = oauth;
  function writeJson(context: RequestContext, status: number, body: object, more: readonly string[] = []): void {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), 'Cache-Control', 'no-store', ...more];
    responder.write(context, status, headers, bytes);
  }
  const posted = (path: string, operation: string, serve: (context: RequestContext, text: string) => Promise<void>): Route => ({
    methods: ['POST'],
    path,
    operation,
    async serve(context) {
      admission.enter();
      try {
        admission.checkArrival(context);
        const addressKey = await admission.admitAddress(context);
        // registrations and revocations write: as many an address as sign-ins
        await admission.admitChange(context, `${operation} ${addressKey}`);
        await serve(context, await admission.readBody(context, MAX_BODY_BYTES, 'A request to this endpoint is 16 kB at most.'));
      } catch (thrown) {
        const error = responder.refusalOf(context, thrown);
        writeJson(context, error.status, refusalBody(error), Object.entries(error.headers).flat());
      } finally {
        admission.leave();
      }
    },
  });

  const authorize: Route = {
    methods: ['GET'],
    path: AUTHORIZE_PATH,
    operation: 'oauth-authorize',
    async serve(context) {
      admission.enter();
      try {
        admission.checkArrival(context);
        await admission.admitAddress(context);
        const query = (context.request.url ?? '').split('?').slice(1).join('?');
        const page = appSignIn
          ? hopPage(`${CONSENT_PATH}?${query}`)
          : messagePage(
              'Apps cannot sign in here',
              'The operator switches it on by setting SIGHTLINE_PUBLIC_URL to an address with https.',
            );
        const bytes = Buffer.from(page);
        const headers = [...pageHeaders(null), 'Content-Length', String(bytes.length)];
        responder.write(context, appSignIn ? 200 : 403, headers, bytes);
      } catch (thrown) {
        responder.refuse(context, responder.refusalOf(context, thrown));
      } finally {
        admission.leave();
      }
    },
  };
  if (!appSignIn) return [authorize];
  const { apps, grants } = appSignIn;
  return [
    authorize,
    posted(REGISTER_PATH, 'oauth-register', async (context, text) => {
      const answer = await apps.register(jsonOf(text));
      if (answer.ok) writeJson(context, 201, answer.body);
      else writeJson(context, 400, { error: answer.error, error_description: answer.description });
    }),
    posted(REVOKE_PATH, 'oauth-revoke', async (context, text) => {
      const given = new URLSearchParams(text);
      const [token, clientId] = [given.get('token'), given.get('client_id')];
      if (!token || !clientId) return writeJson(context, 400, { error: 'invalid_request', error_description: 'Send token and client_id.' });
      const grant = token.startsWith('eyJ') ? await ofAccessToken(token, context.at) : await grants.findByRefreshToken(token);
      if (grant && grant.client_id !== clientId)
        return writeJson(context, 400, { error: 'invalid_grant', error_description: 'The token belongs to another client.' });
      // an unknown token is revoked already (RFC 7009, 2.2)
      if (grant) await grants.end(grant.key_id);
      writeJson(context, 200, {});
    }),
  ];

  async function ofAccessToken(token: string, nowMs: number) {
    const found = await oauth.authenticate(token, nowMs);
    return found.ok ? grants.find(found.caller.keyId) : null;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('INVALID_REQUEST', `The body is no JSON: ${(error as Error).name}.`);
  }
}
