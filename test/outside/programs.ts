/** Programs of users in TypeScript 5, on the clients that two generators make of the description. Each prints what every endpoint answered. */
import { operationList } from '../../src/contract/operations/index.ts';

const START = `
declare const process: { readonly argv: readonly string[] };
const [baseUrl = '', key = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
const seen: Record<string, string> = {};
let requestId = '';
interface Answer<T> { readonly data?: T | undefined; readonly error?: unknown; readonly response?: Response | undefined }
async function ask<T>(name: string, call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  seen[name] = String(response?.status);
  requestId = response?.headers.get('x-request-id') ?? '';
  if (data === undefined) throw new Error(name + ': ' + JSON.stringify(error));
  return data;
}
`;
/** Reads a field of an answer by its type, so that a generated \`any\` or a missing field does not compile. */
const END = `
const exact = <T,>(_value: T): (<U extends T>(check: unknown extends U ? never : U) => void) => () => {};
async function typed(): Promise<void> {
  const rank: number | undefined = serp.organic[0]?.rank;
  exact(serp.organic[0]?.rank)(rank);
  // @ts-expect-error there is no such field
  serp.organics;
  const { charge } = price;
  const { access_token: bearer } = token;
  console.log(JSON.stringify({ seen, rank, charge, bearer: bearer.length > 20 }));
}
typed();
`;

const given = (place: 'path' | 'query') =>
  operationList.map(({ id, parameters }) => {
    const asked = parameters.filter((p) => p.in === place && p.required).map((p) => [p.name, p.example]);
    return [id, asked.length ? `${place}: ${JSON.stringify(Object.fromEntries(asked))}` : ''] as const;
  });
const PATHS = new Map<string, string>(given('path'));
const QUERIES = new Map<string, string>(given('query'));
const inputOf = (id: string): string => [PATHS.get(id), QUERIES.get(id)].filter(Boolean).join(', ');
const camel = (id: string): string => id.replace(/-(\w)/g, (_, c: string) => c.toUpperCase());

const PRICE = `query: { operation: 'registration', domain: 'acme-widgets.com' }`;
const TOKEN = `body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }`;

export const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-fetch': `
import createClient from 'openapi-fetch';
import type { paths } from './schema';
${START}
const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
async function main() {
${operationList.map(({ id, path }) => `const ${camel(id)} = await ask('${id}', api.GET('${path}', { params: { ${inputOf(id)} } }));`).join('\n')}
await ask('account', api.GET('/v1/account'));
await ask('account-usage', api.GET('/v1/account/usage', { params: { query: { limit: 1 } } }));
await ask('account-ledger', api.GET('/v1/account/ledger'));
await ask('account-requests', api.GET('/v1/account/requests', { params: { query: { operation: 'serp' } } }));
const price = await ask('account-price', api.GET('/v1/account/price', { params: { ${PRICE} } }));
await ask('account-request', api.GET('/v1/account/requests/{requestId}', { params: { path: { requestId } } }));
const token = await ask('token', api.POST('/v1/oauth/token', { ${TOKEN}, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }));
${END}
}
main();
`,
  'hey-api': `
import { createClient } from './hey/client';
import * as sdk from './hey';
${START}
const client = createClient({ baseUrl, auth: key });
async function main() {
${operationList.map(({ id }) => `const ${camel(id)} = await ask('${id}', sdk.${camel(id)}({ client, ${inputOf(id)} }));`).join('\n')}
await ask('account', sdk.account({ client }));
await ask('account-usage', sdk.accountUsage({ client, query: { limit: 1 } }));
await ask('account-ledger', sdk.accountLedger({ client }));
await ask('account-requests', sdk.accountRequests({ client, query: { operation: 'serp' } }));
const price = await ask('account-price', sdk.accountPrice({ client, ${PRICE} }));
await ask('account-request', sdk.accountRequest({ client, path: { requestId } }));
const token = await ask('token', sdk.oauthToken({ client: createClient({ baseUrl }), ${TOKEN} }));
${END}
}
main();
`,
};
