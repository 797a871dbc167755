import { USUAL_DEADLINE } from './contract/operations/define.ts';
import { OPERATIONS } from './contract/operations/index.ts';
import { isMisspelt } from './contract/parameters/misspelt.ts';
import {
  atLeast,
  cidrs,
  credential,
  defaultsOf,
  integer,
  type Kind,
  list,
  namesOf,
  number,
  numbersIn,
  oneOf,
  onOff,
  origins,
  postgresUrl,
  prices,
  privateTargets,
  redisUrl,
  smtpUrl,
  string,
  url,
} from './setting-kinds.ts';

export interface Setting<T = unknown> {
  readonly kind: Kind<T>;
  /** Null: not set. */
  readonly default: T | null;
  readonly secret: boolean;
  readonly about: string;
  readonly group: string;
}
const group = (group: string) => ({
  /** Unset by default. */
  open: <T>(kind: Kind<T>, about: string) => ({ kind, default: null, secret: false, about, group }),
  secret: <T>(kind: Kind<T>, about: string) => ({ kind, default: null, secret: true, about, group }),
  set: <T>(kind: Kind<T>, value: NoInfer<T>, about: string) => ({ kind, default: value, secret: false, about, group }),
});

const serving = group('Serving');
const store = group('Store');
const fleet = group('Fleet');
const oauth = group('OAuth');
const outside = group('Outside');
const credits = group('Credits and limits');
const lookups = group('Lookups');
const captures = group('Captures');
const traffic = group('Traffic');
const microblog = group('Microblog');
const relay = group('Relay');
const forum = group('Discussion platform');
const appmarket = group('App marketplace');
const searchengine = group('Search results');
const commandLine = group('Command line and client');
const log = group('Log and metrics');

/** `SIGHTLINE_PROTECTION`. */
const PROTECTION = {
  address: { perSecond: [1, 100_000, 100], burst: [1, 100_000, 400] },
  wrongCredentials: { perSecond: [1, 100_000, 2], burst: [1, 100_000, 60] },
  uncharged: { perSecond: [1, 100_000, 5], burst: [1, 100_000, 500] },
} as const;
/** `SIGHTLINE_DAILY_CAPS`. */
const DAILY_CAPS = {
  dataforseo: { requests: [1, 100_000_000, 2_000], usd: [0, 1_000_000, 10] },
  serpapi: { requests: [1, 100_000_000, 500], usd: [0, 1_000_000, 10], requestUsd: [0, 100, 0.015] },
  similarweb: { requests: [1, 100_000_000, 14_000], usd: [0, 1_000_000, 25], requestUsd: [0, 100, 0.01] },
  x: { requests: [1, 100_000_000, 2_000], usd: [0, 1_000_000, 25], requestUsd: [0, 100, 0.015] },
  recipe: { requests: [1, 100_000_000, 500], usd: [0, 1_000_000, 10] },
} as const;

/** Every setting: environment variable, type, default, purpose. Checked at the start. docs/settings.md is generated from this table. */
export const SETTINGS = {
  PORT: serving.set(integer(0, 65_535), 8080, 'Port of the API; 0 takes a free one.'),
  HOST: serving.set(string, '127.0.0.1', 'Address that the API listens on. SIGHTLINE_PUBLIC_URL is required where this is not loopback.'),
  SIGHTLINE_PUBLIC_URL: serving.open(url, 'Address under which clients reach the service (issuer, resource, OpenAPI server).'),
  SIGHTLINE_TRUST_PROXY: serving.set(cidrs, [], 'CIDRs of proxies whose X-Forwarded-For is trusted.'),
  SIGHTLINE_ADMIN_PORT: serving.set(
    integer(0, 65_535),
    0,
    "Port of the admin listener (metrics, admin API, operator's console; of a worker metrics and health); 0 takes a free one.",
  ),
  SIGHTLINE_ADMIN_HOST: serving.set(
    string,
    '127.0.0.1',
    'Address that the admin listener listens on. Where it is not loopback, /metrics needs a credential too: that of the operator, which a worker does not know, or SIGHTLINE_METRICS_TOKEN.',
  ),
  SIGHTLINE_ADMIN_HOSTS: serving.set(
    list,
    [],
    'Names under which the admin listener is reached, beside localhost and addresses: a request with another Host is refused (DNS rebinding).',
  ),
  SIGHTLINE_SETUP_CODE: serving.secret(
    atLeast(20),
    'Code with which the installation is claimed at /setup, for one whose output nobody reads at the start; it does not expire. Default: a code is printed, which lives 15 minutes.',
  ),
  SIGHTLINE_PRIVATE_TARGETS: serving.set(
    privateTargets,
    [],
    'Hosts (host or host:port) and CIDRs of a private network that messages of watches may be sent to, http included; our own listeners and stores stay closed.',
  ),
  SIGHTLINE_SMTP_URL: serving.secret(
    smtpUrl,
    'Mail server for messages of watches, such as smtps://user:password@mail.example.com. Default: no mail is sent.',
  ),
  SIGHTLINE_MAIL_FROM: serving.open(string, 'Sender of mails, such as "Sightline <alerts@example.com>". Needed with SIGHTLINE_SMTP_URL.'),
  SIGHTLINE_METRICS_TOKEN: serving.secret(
    string,
    'Bearer token of /metrics, under which it is also served on the public listener; default: not served there.',
  ),
  SIGHTLINE_CORS_ORIGINS: serving.set(origins, [], 'Origins that browsers may call from; none by default.'),
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: serving.set(
    integer(5, 60_000),
    8,
    'Limit of the mean delay of the event loop. While it is exceeded and the main thread uses more than half a core, fewer concurrent requests are admitted and the others get 503. One turn of the event loop may take ten times as long.',
  ),
  SIGHTLINE_STATUS_PAGE: serving.set(
    onOff,
    false,
    'Serves /status to everybody: 90 days of each source by the checks of SIGHTLINE_CANARIES, as HTML and JSON.',
  ),
  SIGHTLINE_REQUEST_TIMEOUT_MS: serving.set(
    integer(100, 600_000),
    30_000,
    'Time until a request has arrived completely, for the first one counted from the connection; then it is answered with 400 and the connection is closed.',
  ),
  SIGHTLINE_REUSE_PORT: serving.set(
    onOff,
    false,
    'Several serve --gateway processes of one machine share PORT: the system gives each new connection to one of them.',
  ),
  SIGHTLINE_DRAIN_MS: serving.set(integer(0, 600_000), 30_000, 'How long a shutdown waits for requests in flight.'),

  SIGHTLINE_DATA_DIR: store.set(string, '.sightline', 'Folder of the embedded store and the admin socket.'),
  DATABASE_URL: store.secret(postgresUrl, 'PostgreSQL; without it the embedded store is used.'),
  REDIS_URL: store.secret(
    redisUrl,
    'Redis or Valkey that connects the processes of a fleet (docs/scaling.md); without it one process does everything.',
  ),
  SIGHTLINE_SECRET: store.secret(
    string,
    'Seals private keys, entered credentials and the targets and webhooks of watches in the store. With DATABASE_URL none of these is accepted without it, and it is required where apps can sign in or there are OAuth clients.',
  ),

  SIGHTLINE_CACHE_URL: fleet.secret(redisUrl, 'Redis or Valkey for the shared cache; default: REDIS_URL.'),
  SIGHTLINE_SHARED_CACHE_MAX_BYTES: fleet.set(
    integer(0, 1_000_000_000_000),
    268_435_456,
    'Memory limit of the shared cache; 0: no shared cache.',
  ),

  SIGHTLINE_OAUTH_ALG: oauth.set(oneOf('EdDSA', 'RS256'), 'EdDSA', 'Signature algorithm of access tokens; both algorithms are verified.'),
  SIGHTLINE_OAUTH_ISSUERS: oauth.set(
    list,
    [],
    'Other issuers whose access tokens (RFC 9068) are accepted, exactly as in their claim `iss`.',
  ),
  SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS: oauth.set(onOff, false, 'Allows such an issuer on loopback over http (tests).'),

  SIGHTLINE_CONTACT: outside.open(string, 'E-mail address or URL in the User-Agent, so that platforms can reach the operator.'),
  SIGHTLINE_SIGN_REQUESTS: outside.set(
    onOff,
    false,
    'Signs requests of page sources (Web Bot Auth, docs/signed-requests.md), so that sites can check that they come from SIGHTLINE_PUBLIC_URL, which must be an https address of a public host.',
  ),
  SIGHTLINE_HOSTS: outside.open(string, 'JSON file that maps origins to loopback addresses (tests and demos).'),
  HTTP_PROXY: outside.secret(string, 'Proxy for http requests.'),
  HTTPS_PROXY: outside.secret(string, 'Proxy for https requests.'),
  NO_PROXY: outside.set(list, [], 'Hosts that are reached without the proxy.'),
  SIGHTLINE_PACE_PER_SECOND: outside.set(number(0.01, 1000), 5, 'Requests a second per host, unless a source sets a lower rate.'),

  SIGHTLINE_FREE_CREDITS: credits.set(integer(0, 1_000_000_000), 1000, 'Credits of the account that the first start creates.'),
  SIGHTLINE_ANCHOR_FILE: credits.open(
    string,
    'File to which signed heads of all ledger and audit chains are appended; keep it on another machine.',
  ),
  SIGHTLINE_PRICES: credits.set(
    prices,
    {},
    'Credits by operation id, such as {"traffic": 5}; for serp credits for each ten results. Operations that are not listed cost 1.',
  ),
  SIGHTLINE_CHARGE_CACHE_HITS: credits.set(onOff, false, 'Answers from the cache cost their price.'),
  SIGHTLINE_RATE_PER_SECOND: credits.set(integer(1, 100_000), 50, 'Requests a second per account, sustained.'),
  SIGHTLINE_RATE_BURST: credits.set(integer(1, 100_000), 200, 'Requests per account at once.'),

  SIGHTLINE_PROTECTION: credits.set(
    numbersIn(PROTECTION),
    defaultsOf(PROTECTION),
    'Limits that answer 429: requests of one client address before authentication, wrong credentials of one address, and lookups of one account that went to a source and could not be charged (404, 502).',
  ),

  SIGHTLINE_MCP_MAX_CREDITS: credits.open(
    integer(0, 1_000_000_000),
    'Credits that one tool call over /mcp may cost at most, and a session of `sightline mcp` in all.',
  ),

  SIGHTLINE_DEADLINE_MS: lookups.set(integer(100, 600_000), USUAL_DEADLINE.ms, 'Time for a lookup.'),
  SIGHTLINE_DEADLINE_SERP_MS: lookups.set(integer(100, 600_000), OPERATIONS.serp.deadline.ms, 'Time for a search result lookup.'),
  SIGHTLINE_DEADLINE_COMMENTS_MS: lookups.set(
    integer(100, 600_000),
    OPERATIONS['forum-comments'].deadline.ms,
    'Time for a comments lookup.',
  ),
  SIGHTLINE_SOURCES_OFF: lookups.set(
    list,
    [],
    'Sources that are not asked, by their ids as `sightline sources` lists them: appmarket/page, for example.',
  ),
  SIGHTLINE_CACHE_SCOPE: lookups.set(
    oneOf('shared', 'account'),
    'shared',
    'Whether accounts share cached answers and running lookups, or each has its own (SECURITY.md).',
  ),
  SIGHTLINE_CACHE_MAX_BYTES: lookups.set(integer(0, 100_000_000_000), 67_108_864, 'Memory of the in-process cache.'),

  SIGHTLINE_CAPTURE: captures.set(
    oneOf('failures', 'all', 'off'),
    'failures',
    'Attempts whose upstream exchanges are stored as WARC files (docs/evidence.md): those that a parser did not understand, all, or none.',
  ),
  SIGHTLINE_CAPTURE_SAMPLE: captures.set(
    integer(0, 1_000_000),
    200,
    'One of so many good answers is captured beside the failures; 0: none.',
  ),
  SIGHTLINE_CAPTURE_MAX_BYTES: captures.set(
    integer(1_000_000, 1_000_000_000_000),
    268_435_456,
    'Disk space of all captures in the data folder; the oldest files are dropped.',
  ),
  SIGHTLINE_CAPTURE_KEEP: captures.set(
    integer(1, 365),
    7,
    'Days for which captures are stored; those of the discussion platform 48 hours at most.',
  ),

  SIGHTLINE_WATCHES_PER_ACCOUNT: lookups.set(integer(0, 1_000_000), 1_000, 'Watches that an account may have.'),
  SIGHTLINE_WATCH_CHECKS: lookups.set(
    integer(1, 100),
    4,
    'Checks of watches that a process makes at a time in each of the seven areas, and one more for an account that has none there; while requests wait for an answer, one instead of these.',
  ),

  SIGHTLINE_CANARIES: captures.open(
    string,
    'JSON file of lookups with facts that must hold, made once a day (docs/evidence.md). In a fleet set it for one gateway, or the same file for all.',
  ),

  SIMILARWEB_API_KEY: traffic.secret(credential, "Key of Similarweb's official API; without it visits are modelled from rank lists."),

  X_BEARER_TOKEN: microblog.secret(
    credential,
    "Bearer token of the operator's application for the X API v2. The platform bills each post read.",
  ),

  SIGHTLINE_DAILY_CAPS: outside.set(
    numbersIn(DAILY_CAPS),
    defaultsOf(DAILY_CAPS),
    'Limits of each paid source for one UTC day, over the whole fleet: requests, and cost in US dollars. `requestUsd` is the cost of one request in your plan. A lookup at Similarweb takes three requests; at X a request is a post read; `recipe` limits each provider of a recipe by itself.',
  ),

  SIGHTLINE_RELAYS: relay.open(
    string,
    "JSON file that names data providers from whom the operator buys the platforms' JSON (docs/relay.md).",
  ),
  SIGHTLINE_ROBOTS_EXEMPT: outside.set(list, [], "Hosts whose robots.txt is not read, because the operator has the platform's permission."),

  REDDIT_CLIENT_ID: forum.open(credential, "Client id of the operator's own application (type web or script)."),
  REDDIT_CLIENT_SECRET: forum.secret(credential, 'Secret of that application.'),
  REDDIT_USER_AGENT: forum.open(
    string,
    "User-Agent in the platform's form, `linux:app id:1.0 (by /u/account)`; default: made from the client id and SIGHTLINE_CONTACT.",
  ),
  SIGHTLINE_FORUM_MAX_REQUESTS: forum.set(
    integer(1, 10_000),
    200,
    'Maximum requests of one comments lookup; a discussion that needs more is answered with 502.',
  ),

  SIGHTLINE_APPMARKET_PACE_MS: appmarket.set(
    integer(100, 600_000),
    2_000,
    'Time between two requests to the marketplace, over the whole fleet.',
  ),
  SIGHTLINE_APPMARKET_SEARCH: appmarket.set(
    onOff,
    false,
    'Enables keyword search, which the robots.txt of the marketplace disallows for general agents.',
  ),
  SIGHTLINE_APPMARKET_SEARCH_DEVELOPERS: appmarket.set(
    onOff,
    false,
    'Reads the page of every ranked app for its developer: one more request per app.',
  ),

  SIGHTLINE_SERP_SOURCES: searchengine.set(
    namesOf('dataforseo', 'serpapi', 'browser', 'searxng'),
    ['dataforseo', 'serpapi', 'browser', 'searxng'],
    'Sources of search results in the order in which they are asked. One that is not listed is off.',
  ),
  DATAFORSEO_LOGIN: searchengine.open(credential, 'Login of the account at DataForSEO (paid, both engines).'),
  DATAFORSEO_PASSWORD: searchengine.secret(credential, 'API password of that account.'),
  SERPAPI_KEY: searchengine.secret(credential, 'Key of the account at SerpApi (paid, both engines).'),
  SEARXNG_URL: searchengine.open(url, "Address of the operator's own SearXNG instance, with the JSON format switched on."),
  SIGHTLINE_BROWSER_URL: searchengine.open(
    url,
    "Debugging address (CDP) of the operator's own browser, which then opens result pages; needs the package playwright-core.",
  ),

  SIGHTLINE_LOG_LEVEL: log.set(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'Lowest level that is logged.'),

  SIGHTLINE_URL: commandLine.open(
    url,
    'URL of the service that `sightline bulk` and `sightline lookup` ask, and the client `sightline/client`.',
  ),
  SIGHTLINE_API_KEY: commandLine.secret(credential, 'API key that they send. The service itself needs neither.'),
} as const;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> & { default: null } ? T | null : S extends Setting<infer T> ? T : never;
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

/** A mistake that the operator can correct: the message says what is wrong and what to do, and commands print it without a stack trace. */
export class OperatorError extends Error {}
/** An invalid setting, or one that does not fit the machine. */
export class SettingError extends OperatorError {}

type Environment = Readonly<Record<string, string | undefined>>;
const PREFIX = 'SIGHTLINE_';

const TOGETHER: readonly (readonly [SettingName, SettingName])[] = [
  ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
];

/** Reads the settings from an environment. An empty variable counts as unset. Messages never contain secrets. */
export function readSettings(environment: Environment): Settings {
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    const text = environment[name] ?? (/PROXY$/.test(name) ? environment[name.toLowerCase()] : undefined);
    if (text === undefined || text.trim() === '') {
      settings[name] = setting.default;
      continue;
    }
    const read = setting.kind.read(withoutRemoved(name, text));
    if (read.ok) settings[name] = read.value;
    else faults.push(`${name}${setting.secret ? '' : ` is ${JSON.stringify(text.slice(0, 80))}, but it`} ${read.why}`);
  }
  for (const name of unknownNames(environment)) {
    const meant = Object.keys(SETTINGS).find((setting) => isMisspelt(name, setting));
    if (meant && !REMOVED.includes(name)) faults.push(`${name} is no setting, and looks like ${meant} misspelt: correct or remove it`);
  }
  for (const pair of TOGETHER) {
    const [lacking, given] = settings[pair[0]] === null ? pair : pair.toReversed();
    if (given && lacking && settings[lacking] === null && settings[given] !== null)
      faults.push(`${given} is set without ${lacking}: set both, or neither`);
  }
  if (faults.length) throw new SettingError(faults.join('\n'));
  return settings as Settings;
}

/** What earlier versions had: settings, and names in lists. The start says so, and goes on without them. */
const REMOVED = ['SIGHTLINE_SERP_PAGE'];
const REMOVED_NAMES: ReadonlyMap<string, readonly string[]> = new Map([['SIGHTLINE_SERP_SOURCES', ['dataforseo-html', 'page']]]);
const removedIn = (setting: string, text: string | undefined): string[] =>
  (text?.split(',') ?? []).map((name) => name.trim()).filter((name) => REMOVED_NAMES.get(setting)?.includes(name));
/** A list of which nothing is left stays as it is, and is refused: without it the default would be in force. */
function withoutRemoved(setting: string, text: string): string {
  if (removedIn(setting, text).length === 0) return text;
  const others = text.split(',').filter((name) => removedIn(setting, name).length === 0);
  return others.length > 0 ? others.join(',') : text;
}

const MIN_FOREIGN_LENGTH = 8;

/** Names with our prefix that are no settings. Kubernetes sets SIGHTLINE_PORT… and SIGHTLINE_SERVICE_… for a service of our name. */
const unknownNames = (environment: Environment): string[] =>
  Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !(name in SETTINGS) && !/^SIGHTLINE_(?:TEST_|PORT|SERVICE_)/.test(name),
  );

/**
 * One line for each variable that has no effect although it may be meant for this service. A misspelt one with our prefix is refused by `readSettings`.
 * `others`: variables that are read beside the settings.
 */
export function settingWarnings(environment: Environment, others: readonly string[] = []): string[] {
  // shorter names are near to too many others
  const foreign = [...Object.keys(SETTINGS), ...others].filter(
    (name) => !name.startsWith(PREFIX) && name.length >= MIN_FOREIGN_LENGTH && !/PROXY$/.test(name),
  );
  const misspelt = Object.keys(environment)
    .filter((name) => !name.startsWith(PREFIX) && !foreign.includes(name))
    .flatMap((name) => {
      const meant = foreign.find((one) => !environment[one] && isMisspelt(name, one));
      return meant ? [`${name} has no effect here, and looks like ${meant} misspelt`] : [];
    });
  const unknown = unknownNames(environment)
    .filter((name) => !REMOVED.includes(name) && !Object.keys(SETTINGS).some((setting) => isMisspelt(name, setting)))
    .map((name) => `${name} is no setting of this version and has no effect: see docs/settings.md, or remove it`);
  const bare = Object.keys(SETTINGS)
    .filter((name) => name.startsWith(PREFIX) && !environment[name] && environment[name.slice(PREFIX.length)])
    .map((name) => `${name.slice(PREFIX.length)} has no effect here: the setting is called ${name}`);
  // Kubernetes sets it to an address
  if (/^\d+$/.test(environment.SIGHTLINE_PORT ?? '')) bare.push('SIGHTLINE_PORT has no effect here: the setting is called PORT');
  const removed = [
    ...REMOVED.filter((name) => environment[name]).map((name) => `${name} was removed with its source and has no effect: remove it`),
    ...[...REMOVED_NAMES.keys()].flatMap((setting) =>
      removedIn(setting, environment[setting]).map((name) => `${setting} names ${name}, a source that was removed: leave it out`),
    ),
  ];
  return [...unknown, ...removed, ...bare, ...misspelt];
}
