import type { Claimed } from '../../accounts/setup.ts';
import { demandFieldNames } from '../../contract/body-fields.ts';
import type { SetupResult, SetupState } from '../../contract/contract-view.ts';
import { invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/json-object.ts';
import { instantOrNull } from '../../runtime/clock.ts';
import { type Asset, writeAsset } from '../http/assets.ts';
import { htmlPage } from '../http/html-page.ts';
import type { Route } from '../http/listener.ts';
import { demandNoUnreadBody, wantsHtml } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { ClaimingParts, ConsoleDependencies } from '../parts.ts';
import { pageHeaders } from './consent-page.ts';

const MAX_BODY_BYTES = 4_096;
const MAX_CHARACTERS = 200;
const OPERATION = 'setup';
const OWN_PAGE = 'An installation is claimed from its own page alone: open /setup in a browser, under the address of this service.';

function readClaim(body: unknown): { readonly code: string; readonly name: string } {
  if (!isObject(body)) throw invalid('The body must be a JSON object with code and name.');
  demandFieldNames(body, ['code', 'name']);
  const textOf = (field: 'code' | 'name'): string => {
    const value = body[field];
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CHARACTERS) return value;
    throw invalid(`${field} must be a text of 1 to ${MAX_CHARACTERS} characters.`);
  };
  return { code: textOf('code'), name: textOf('name') };
}

/** For its owner as well, who comes back for keys that are shown once. */
const CLAIMED = `<p>It has an owner already.</p><p><a href="/console">Sign in</a></p>
<p>A lost key is not shown again: <code>sightline keys create</code> and <code>sightline operator reroll-key</code> make new ones.</p>`;

const resultOf = ({ key, operatorKey }: Claimed, operatorUrl: string): SetupResult => ({
  accountId: key.accountId,
  keyId: key.keyId,
  apiKey: key.key,
  operatorKey: operatorKey.key,
  operatorUrl,
});

/** `/setup`, where an installation that belongs to nobody is claimed, and which is gone afterwards: with 404, and a link to the sign-in for browsers. */
export function setupRoutes(
  { admission, responder, entrance, settings }: ConsoleDependencies,
  { setup, announce, operatorUrl }: ClaimingParts,
  app: () => Promise<Asset>,
): readonly Route[] {
  const route = (
    methods: Route['methods'],
    path: string,
    serve: (context: RequestContext, addressKey: string) => Promise<void>,
    maxBodyBytes?: number,
  ): Route => ({
    methods,
    path,
    operation: OPERATION,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    serve: async (context) => serve(context, await admission.admitAddress(context)),
  });
  const stateOf = (expiresAt: number | null, over: boolean): SetupState => ({
    ...{ expiresAt: instantOrNull(expiresAt), over },
    freeCredits: settings.SIGHTLINE_FREE_CREDITS,
  });
  const claimedPage = (context: RequestContext): void =>
    responder.write(context, 404, [...pageHeaders(null), 'Vary', 'Accept'], Buffer.from(htmlPage('This service is set up', CLAIMED)));

  return [
    route(['GET', 'HEAD'], '/setup', async (context) => {
      const isPage = wantsHtml(context.request);
      if (isPage && (await setup.isClaimed())) return claimedPage(context);
      const { expiresAt, over } = await setup.state();
      if (isPage) return writeAsset(responder, context, await app());
      responder.writeJson(context, stateOf(expiresAt, over), ['Vary', 'Accept']);
    }),
    route(
      ['POST'],
      '/setup',
      async (context, address) => {
        entrance.demandOwnPage(context.request, OWN_PAGE);
        const given = readClaim(await admission.readJson(context));
        responder.writeJson(context, resultOf(await setup.claim({ ...given, address }), operatorUrl(context.request.headers.host ?? '')));
      },
      MAX_BODY_BYTES,
    ),
    route(['POST'], '/setup/code', async (context) => {
      entrance.demandOwnPage(context.request, OWN_PAGE);
      demandNoUnreadBody(context.request);
      const { code, expiresAt } = await setup.renew();
      announce(code);
      responder.writeJson(context, stateOf(expiresAt, false));
    }),
  ];
}
