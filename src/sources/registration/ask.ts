import type { DomainRegistration } from '../../contract/operations/registration/operation.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import type { Reply } from '../../upstream/answer.ts';
import type { PaceRule } from '../../upstream/ports.ts';
import { type Found, incomplete, limited, type NotFound, type Outcome, timeout, withUnread } from '../outcome.ts';
import { type Attempt, type Ports, parse, parsersIn } from '../source.ts';
import { TOO_FAST } from './facts.ts';
import { isStatedByWhoisAlone, type Paces, pacesOf, queryFor, whoisServerOf } from './registries.ts';

const inWhois = parsersIn<typeof import('./whois/parse.ts')>(new URL('./whois/parse.ts', import.meta.url));

export const TIMEOUT_MS = 8_000;
const REFERRAL_TIMEOUT_MS = 4_000;
/** Part of the attempt's time that a further request must not use. */
const LEAST_LEFT_MS = 1_500;
const REST_MS = 30_000;

export interface RegistryReply {
  readonly outcome: Outcome<DomainRegistration>;
  readonly reply: Reply;
}
export type Read = (reply: Reply) => Promise<Outcome<DomainRegistration>>;

/** Asks a server at its pace. After a rate limit the server is not asked again before the time that it states, at most a day later. */
export async function askServer(
  ports: Ports,
  attempt: Attempt,
  paces: Paces,
  send: (pace: PaceRule) => Promise<Reply>,
  read: Read,
): Promise<RegistryReply> {
  const { pace, long } = paces;
  const waitMs = long ? await ports.pace.take(long, 0, attempt.signal) : 0;
  const reply: Reply = waitMs > 0 ? { ...limited(TOO_FAST, waitMs), counts: false } : await send(pace);
  const outcome = await read(reply);
  if (reply.tag === 'answer' && outcome.tag === 'limited')
    await ports.pace.rest(pace.key, Math.min(outcome.retryAfterMs ?? REST_MS, DAY_MS));
  return { outcome, reply };
}

type Registered = Found<DomainRegistration>;
const isRegistered = (outcome: Outcome<DomainRegistration>): outcome is Registered =>
  outcome.tag === 'found' && !outcome.resource.available;

/** Asks a further server for fields that the record lacks. null: it did not bring them, and they are unread in `lacking`. */
async function askFurther(
  ports: Ports,
  attempt: Attempt,
  { record, fields }: { readonly record: Registered; readonly fields: readonly string[] },
  ask: (timeoutMs: number) => Promise<RegistryReply>,
): Promise<{ readonly record: Registered; readonly further: DomainRegistration | null }> {
  const leftMs = attempt.deadlineMs - ports.clock.now() - LEAST_LEFT_MS;
  const outcome =
    leftMs > 0 ? (await ask(Math.min(REFERRAL_TIMEOUT_MS, leftMs))).outcome : timeout('No time was left for a further request.');
  if (isRegistered(outcome)) {
    const unread = (outcome.unread ?? []).filter((path) => fields.some((field) => path === field || path.startsWith(`${field}.`)));
    return { record: withUnread(record, unread), further: outcome.resource };
  }
  const { tag, detail = null, retryAfterMs = null } = { detail: undefined, retryAfterMs: undefined, ...outcome };
  ports.log('info', 'a further request about the domain failed', { tag, detail, fields: fields.join() });
  return { record: incomplete(record, fields, retryAfterMs), further: null };
}

/** Where the registry names the registrar (`find`) and no contacts, the registrar's values fill gaps. */
export async function withRegistrar(
  ports: Ports,
  { outcome, reply }: RegistryReply,
  attempt: Attempt,
  find: (reply: Reply) => Promise<string | null | NotFound>,
  ask: (server: string, timeoutMs: number) => Promise<RegistryReply>,
): Promise<Outcome<DomainRegistration>> {
  if (!isRegistered(outcome) || outcome.resource.contacts.length > 0) return outcome;
  const server = await find(reply);
  if (server === null) return outcome;
  const own = outcome.resource.registrar;
  const fields = ['contacts', ...ABUSE.filter((name) => !own?.[name]).map((name) => `registrar.${name}`)];
  if (typeof server !== 'string') return incomplete(outcome, fields);
  const { record, further } = await askFurther(ports, attempt, { record: outcome, fields }, (timeoutMs) => ask(server, timeoutMs));
  if (!further) return record;
  const its = further.registrar;
  const abuse = { abuseEmail: own?.abuseEmail ?? its?.abuseEmail ?? null, abusePhone: own?.abusePhone ?? its?.abusePhone ?? null };
  return { ...record, resource: { ...record.resource, registrar: own && { ...own, ...abuse }, contacts: further.contacts } };
}
const ABUSE = ['abuseEmail', 'abusePhone'] as const;

/** Dates that the registry states by WHOIS alone are asked for there. */
export async function withDates(
  ports: Ports,
  outcome: Outcome<DomainRegistration>,
  attempt: Attempt,
  domain: string,
): Promise<Outcome<DomainRegistration>> {
  const host = whoisServerOf(domain)?.host;
  if (!isRegistered(outcome) || host === undefined) return outcome;
  const fields = DATES.filter((field) => outcome.resource[field] === null && isStatedByWhoisAlone(domain, field));
  if (fields.length === 0) return outcome;
  const asked = { record: outcome, fields };
  const { record, further } = await askFurther(ports, attempt, asked, (timeoutMs) =>
    askWhois(ports, host, domain, attempt, true, timeoutMs),
  );
  if (!further) return record;
  const dates = Object.fromEntries(fields.map((field) => [field, further[field]]));
  return { ...record, resource: { ...record.resource, ...dates } };
}
const DATES = ['registeredOn', 'expiresOn', 'updatedOn'] as const;

export function askWhois(
  ports: Ports,
  host: string,
  domain: string,
  attempt: Attempt,
  authoritative: boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<RegistryReply> {
  const request = { host, query: queryFor(host, domain), maxBytes: 1_000_000, timeoutMs, attempt };
  const read: Read = (reply) => parse(ports, inWhois('readWhois'), reply, { domain, authoritative }, attempt);
  return askServer(ports, attempt, pacesOf('whois', host), (pace) => ports.whois.ask({ ...request, pace }), read);
}
