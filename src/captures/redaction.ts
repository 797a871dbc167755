import { SETTINGS, type SettingName, type Settings } from '../settings.ts';
import type { Exchange, SentRequest } from '../upstream/ports.ts';

const namesIn = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')));
/** Request headers that a capture stores; any other may be a credential. */
const REQUEST_HEADERS = namesIn('accept accept-language cache-control content-type if-modified-since if-none-match user-agent');
/** Request headers that are neither stored nor secret. */
const PLAIN_HEADERS = namesIn('accept-encoding connection content-length host origin referer');
/** Response headers that a capture stores: those that parsers read, and those that describe the document. */
const RESPONSE_HEADERS = namesIn(
  'age cache-control cf-mitigated content-language content-type date etag expires last-modified location retry-after server x-amzn-waf-action',
  'x-rate-limit-limit x-rate-limit-remaining x-rate-limit-reset x-ratelimit-remaining x-ratelimit-reset x-ratelimit-used x-vc-bdturing-parameters',
);
/** Query parameters that carry keys, signatures of sessions or passwords. */
const SECRET_PARAMETER =
  /^(?:x[-_])?(?:api[-_]?key|app[-_]?key|key|(?:access|refresh|id|auth|bearer|session)?[-_]?token|client[-_]?secret|secret|password|passwd|pwd|auth|authorization|credentials?|session(?:[-_]?id)?|jwt)$/i;
const REMOVED = '[removed]';
/** Shorter values are not searched for: they would be found in ordinary text. */
const MIN_SECRET_LENGTH = 6;

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
];
/** Forms in which a secret may appear in a text: encoded, also twice (a URL in a parameter of a URL), or as base64. */
const formsOf = (secret: string): readonly string[] => {
  const once = ENCODINGS.map((encode) => encode(secret));
  const twice = once.flatMap((text) => ENCODINGS.map((encode) => encode(text)));
  // servers write %2f as well as %2F
  const lower = twice.map((text) => text.replace(/%[\dA-F]{2}/g, (octet) => octet.toLowerCase()));
  return [...new Set([...twice, ...lower, Buffer.from(secret).toString('base64')])];
};

/** The values of all settings that are secret, also as the parts of a URL and as Basic credentials. */
export function secretsOf(settings: Settings): readonly string[] {
  const named = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].secret);
  const values = named.map((name) => settings[name]).filter((value) => typeof value === 'string');
  const pairs = values.flatMap((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const [user = '', password = ''] = [url?.username, url?.password].map((part) => part && decodeURIComponent(part));
    return password ? [password, `${user}:${password}`] : [];
  });
  const { DATAFORSEO_LOGIN: login, REDDIT_CLIENT_ID: client } = settings;
  const basic = [
    [login, settings.DATAFORSEO_PASSWORD],
    [client, settings.REDDIT_CLIENT_SECRET],
  ].flatMap(([name, password]) => (name && password ? [`${name}:${password}`] : []));
  return [...values, ...pairs, ...basic];
}

/** Removes the credentials of a URL and the query parameters that carry keys; the rest stays as it is written. */
export function withoutKeys(url: string): string {
  const [beforeHash = ''] = url.split('#', 1);
  const mark = beforeHash.indexOf('?');
  const place = (mark < 0 ? beforeHash : beforeHash.slice(0, mark)).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
  if (mark < 0) return place;
  const parameters = beforeHash.slice(mark + 1).split('&');
  const left = parameters.filter((parameter) => !SECRET_PARAMETER.test(parameterName(parameter)));
  return left.length ? `${place}?${left.join('&')}` : place;
}
const parameterName = (parameter: string): string => new URLSearchParams(parameter).keys().next().value ?? '';

/** Values of the request's headers that are not stored, and what they consist of. */
function headerSecrets(headers: SentRequest['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (REQUEST_HEADERS.has(name) || PLAIN_HEADERS.has(name)) return [];
    if (name === 'cookie') return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    return [value, ...value.split(/\s+/)];
  });
}

export interface Redaction {
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  url(url: string): string;
}

export function createRedaction(secrets: readonly string[]): Redaction {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  // the longest first: one secret may contain another
  const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const inBytes = forms.map((form) => Buffer.from(form));
  const text = (value: string): string => forms.reduce((clean, form) => clean.replaceAll(form, REMOVED), value);
  return {
    text,
    bytes(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!inBytes.some((form) => buffer.includes(form))) return bytes;
      // latin1 maps each byte to one character and back
      const clean = inBytes.reduce((plain, form) => plain.replaceAll(form.toString('latin1'), REMOVED), buffer.toString('latin1'));
      return Buffer.from(clean, 'latin1');
    },
    url: (url) => text(withoutKeys(url)),
  };
}

const both = (first: Redaction, second: Redaction): Redaction => ({
  text: (text) => second.text(first.text(text)),
  bytes: (bytes) => second.bytes(first.bytes(bytes)),
  url: (url) => second.url(first.url(url)),
});

/** The redaction of these exchanges: of the configured secrets, and of those that the requests carry. */
export function redactionOf(exchanges: readonly Exchange[], configured: Redaction): Redaction {
  const own = exchanges.flatMap(({ secrets, sent }) => [...secrets, ...sent.flatMap(({ headers }) => headerSecrets(headers))]);
  return own.length ? both(createRedaction([...new Set(own)]), configured) : configured;
}

/** An exchange as it may be stored: without credentials, with listed headers only. */
export function redactExchange(exchange: Exchange, redaction: Redaction): Exchange {
  const clean = (name: string, value: string): string => (name === 'location' ? redaction.url(value) : redaction.text(value));
  const listed = (headers: Readonly<Record<string, string>>, names: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (names.has(name) ? [[name, clean(name, value)]] : [])));
  const request = <R extends Exchange['asked']>(asked: R): R => ({
    ...asked,
    url: redaction.url(asked.url),
    body: asked.body === null ? null : redaction.text(asked.body),
  });
  const sent = exchange.sent.map(({ answer, headers, ...rest }) => ({
    ...request(rest),
    headers: listed(headers, REQUEST_HEADERS),
    answer: answer && {
      ...answer,
      headers: listed(answer.headers, RESPONSE_HEADERS),
      url: redaction.url(answer.url),
      body: redaction.bytes(answer.body),
    },
  }));
  const { reply } = exchange;
  const failure = reply.tag === 'answer' ? null : { ...reply, ...(reply.detail !== undefined && { detail: redaction.text(reply.detail) }) };
  const last = sent.at(-1)?.answer;
  return {
    asked: request(exchange.asked),
    sent,
    reply: failure ?? (last ? { tag: 'answer', answer: last } : reply),
    shared: exchange.shared,
    secrets: [],
  };
}
