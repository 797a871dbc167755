import type { JsonObject } from '../../../contract/json-object.ts';
import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { pageText } from '../../html/markup.ts';
import {
  blocked,
  changed,
  foreign,
  found,
  limited,
  type NotFound,
  type Outcome,
  refused,
  retryAfterMs,
  unreachable,
} from '../../outcome.ts';
import { unreadByTable } from '../../tables.ts';
import { isShown, UnreadFields } from '../../unread-fields.ts';
import { flagIn, listOf, nonEmptyIn, objectOf, objectsOf, valueAt } from '../../untyped-json.ts';
import { readDate } from '../dates.ts';
import { type Facts, stated, TOO_FAST, takenOf } from '../facts.ts';
import { hostName, sameDomain } from '../registries.ts';
import { isTaken, readStatuses } from '../status.ts';
import { readAbsence } from './absence.ts';
import { contactsOf, redactedRolesOf, registrarOf } from './entities.ts';

/**
 * Parses an RDAP answer (RFC 9082, 9083) about one domain. A 404 with an RDAP error object is `available: true`, unless of a server that
 * answers so to every domain; the caller checks that the base is authoritative.
 */
export function readRdap(answer: Answer, { domain }: { domain: string }): Outcome<DomainRegistration> {
  const body = answer.body.length ? jsonOf(answer) : null;
  const blockPage = readBlockPage(answer, body);
  if (blockPage) return blockPage;
  const json = objectOf(body);
  if (answer.status === 404) return readAbsence(answer, json, domain);
  if (!json) return changed('The answer of the registry is not registration data.', `${answer.body.length} bytes, no JSON object`);
  if (json.errorCode !== undefined && json.errorCode !== null) {
    const code = Number(json.errorCode);
    if (code === 404) return readAbsence(answer, json, domain);
    return code >= 500 && code !== NOT_IMPLEMENTED
      ? unreachable('The registry is not able to answer now.')
      : refused('The registry did not accept the request.', `errorCode ${code}`);
  }
  const names = [json.ldhName, json.unicodeName].filter((name) => typeof name === 'string');
  if (json.objectClassName !== undefined && String(json.objectClassName).toLowerCase() !== 'domain')
    return changed('The answer of the registry is not about a domain.', `objectClassName ${String(json.objectClassName).slice(0, 40)}`);
  if (!names.length) return changed('The answer of the registry names no domain.');
  if (!names.some((name) => sameDomain(name, domain)))
    return changed('The registry answered for another name.', `queried ${domain}, answered ${String(names[0]).slice(0, 80)}`);
  const unread = new UnreadFields();
  const facts = factsOf(json, domain, unread);
  unread.add(unreadInFacts(facts, json));
  noteSpelled(json, facts, unread);
  const { status, registrar, dnssec, ...others } = facts;
  const isBare = dnssec === null && !isShown([...Object.values(registrar), ...Object.values(others)]);
  // a state that is not known may be "available"
  if (isBare && status.length > 0 && !status.some(isTaken))
    return changed('The answer of the registry has a state that is not known, and nothing else.', status.join().slice(0, 120));
  return found(takenOf({ domain, source: 'authoritative', atMs: answer.atMs }, facts), undefined, unread.paths);
}

/** RFC 7480, 5.5: the server does not support the query; it is not out of order. */
const NOT_IMPLEMENTED = 501;
/** Rate limits sent with a status other than 429, as worded in recorded answers. */
const QUOTA =
  /quota exceeded|(?:allowed )?quer(?:y|ies) exceeded|too (?:fast|many (?:requests|queries))|rate limit(?:ed)?\b.{0,40}\bexceeded|limit exceeded/i;

/** The outcome of a status other than 200 and 404, and of a rate limit under any status; null: parse the body. */
function readBlockPage(answer: Answer, body: unknown): NotFound | null {
  const { status } = answer;
  const isJson = typeof body === 'object' && body !== null;
  const text = isJson ? '' : pageText(answer).slice(0, 20_000);
  const why = `HTTP ${status}`;
  const wait = retryAfterMs(answer.headers, answer.atMs);
  if (status === 429 || isQuota(status, body, text)) return limited(TOO_FAST, wait, why);
  if (status === 200 || status === 404) return null;
  if (status === 403) return blocked('The registry refuses to answer this service.', why);
  // anybody may send a 451, and a name is registered or free whatever the law withholds: WHOIS is asked next
  if (status === 451)
    return foreign('The answer does not come from the registry, so it does not state whether the name is registered.', why);
  if (status >= 500 && status !== NOT_IMPLEMENTED)
    return { ...unreachable('The registry is not able to answer now.', why), ...(wait !== null && { retryAfterMs: wait }) };
  return refused('The registry did not accept the request.', why);
}

function isQuota(status: number, body: unknown, text: string): boolean {
  if (typeof body !== 'object' || body === null) return status !== 200 && status !== 404 && QUOTA.test(text);
  const answer = body as Record<string, unknown>;
  if (Number(answer.errorCode) === 429) return true;
  // a list of notices is the terms of use, which mention limits; a rate limit comes as a single object
  const notice = Array.isArray(answer.notices) ? [] : objectsOf([answer.notices]);
  const said = [...notice.flatMap((n) => [n.title, n.description]), answer.title, status === 200 ? '' : answer.description];
  // of a gateway, or of a server that has its own form of errors
  const other = status === 404 ? [] : [answer.error, answer.message, answer.detail].filter((text) => typeof text === 'string');
  return QUOTA.test([...said, ...other].flat().map(String).join('\n'));
}

/** The fields of a member by its letters: one that is spelled in another way ("secure_dns", "Events") is unread. */
const FIELDS_BY_LETTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['entities', ['registrar.name', 'contacts']],
  ['events', ['registeredOn', 'expiresOn', 'updatedOn']],
  ['status', ['status']],
  ['nameservers', ['nameServers']],
  ['securedns', ['dnssec']],
]);
const SPELLINGS = new Set(['entities', 'events', 'status', 'nameservers', 'nameServers', 'secureDNS', 'secureDns']);
function noteSpelled(json: JsonObject, facts: Facts, unread: UnreadFields): void {
  for (const [member, value] of Object.entries(json)) {
    if (SPELLINGS.has(member)) continue;
    const paths = FIELDS_BY_LETTERS.get(member.toLowerCase().replace(/[^a-z]/g, '')) ?? [];
    for (const path of paths) unread.of(path, valueAt(facts, ...path.split('.')), value);
  }
}
const unreadInFacts = unreadByTable(new URL('./places.tsv', import.meta.url), 'domain');

function factsOf(json: JsonObject, domain: string, unread: UnreadFields): Facts {
  return {
    registrar: registrarOf(json, isGeneric(domain), unread),
    ...datesOf(json, unread),
    status: [json.status].flat().flatMap((s) => (typeof s === 'string' ? readStatuses(s) : [])),
    nameServers: nameServersOf(json, unread),
    dnssec: dnssecOf(json, unread),
    contacts: contactsOf(json, redactedRolesOf(json), unread),
  };
}
/** Two letters are a country code; registries of IDN country codes never send IANA ids as handles. */
const isGeneric = (domain: string): boolean => (domain.split('.').at(-1) ?? '').length > 2;

/** The word of an event in any spelling ("lastChanged", "last_changed"). */
const actionOf = (text: string): string =>
  text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
/** The words of registries for the events that are read. */
const ACTIONS = {
  registeredOn: ['registration'],
  // "soft expiration" is .is's word for the day until which a domain is paid, "record expires" is .kg's
  expiresOn: ['expiration', 'soft expiration', 'record expires', 'registrar expiration'],
  // "last update of RDAP database" is about the server, not about the domain
  updatedOn: ['last changed', 'last update'],
} as const;
const READ: ReadonlySet<string> = new Set(Object.values(ACTIONS).flat());
/** Words that no registry is known to use for these events: the dates behind them are unread. */
const RENAMED: Readonly<Record<keyof typeof ACTIONS, RegExp>> = {
  registeredOn: /^(?!.*\b(?:database|enum|registrar)\b).*\b(?:registered|registration|created?|creation|activation)\b/,
  expiresOn: /^(?!.*\b(?:database|enum)\b).*\b(?:expir(?:y|es?|ed|ing|ation)|valid (?:until|to)|paid (?:until|to)|renewal)\b/,
  updatedOn: /^(?!.*\b(?:database|enum|registrar|transfer)\b).*\b(?:updated?|changed?|modified|modification)\b/,
};

function datesOf(json: JsonObject, unread: UnreadFields): Pick<Facts, keyof typeof ACTIONS> {
  const events = objectsOf(json.events).flatMap(({ eventAction, eventDate, eventActor: _, links: __, ...others }) =>
    typeof eventAction === 'string' ? { action: actionOf(eventAction), eventDate: eventDate ?? others } : [],
  );
  // events without the members that are known
  const odd = listOf(json.events).filter((event) => isShown(event) && typeof valueAt(event, 'eventAction') !== 'string');
  const dateOf = (field: keyof typeof ACTIONS): string | null => {
    let place: unknown = null;
    for (const known of ACTIONS[field])
      for (const { action, eventDate } of events) {
        if (action !== known) continue;
        const date = typeof eventDate === 'string' ? readDate(eventDate) : null;
        if (date !== null) return date;
        // some registries state the year 9999 or a later one for a registration that does not expire
        if (!/^(?:9999(?!\d{5})|\d{5,6}-)/.test(String(eventDate)) && (typeof eventDate !== 'string' || stated(eventDate) !== null))
          place ??= eventDate;
      }
    const renamed = events.find(({ action }) => !READ.has(action) && RENAMED[field].test(action));
    return unread.of(field, null, [place, renamed?.eventDate, odd]);
  };
  return { registeredOn: dateOf('registeredOn'), expiresOn: dateOf('expiresOn'), updatedOn: dateOf('updatedOn') };
}

const nameServersOf = (json: JsonObject, unread: UnreadFields): string[] =>
  listOf(json.nameservers ?? json.nameServers).flatMap((server) => {
    const { objectClassName: _, ...fields } = objectOf(server) ?? { server };
    const name = (nonEmptyIn(server) ?? nonEmptyIn(fields.ldhName) ?? nonEmptyIn(fields.unicodeName))?.trim() ?? '';
    const host = hostName(name);
    // a name that is none, a handle without a name, or members of other names
    if (host === null && (name || Object.values(fields).some((value) => isShown(value)))) unread.note('nameServers');
    return host ?? [];
  });

const RECORD_PARTS = ['keyTag', 'digest', 'publicKey', 'algorithm', 'flags'] as const;
const wordsOrNumber = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && stated(value) !== null);
/** True with DS or key records, or with `delegationSigned`; `zoneSigned` alone does not count (RFC 9083, 5.3). */
function dnssecOf(json: JsonObject, unread: UnreadFields): boolean | null {
  // AFNIC spells it "secureDns"
  const secure = objectOf(json.secureDNS ?? json.secureDns);
  if (!secure) return null;
  const records = objectsOf([secure.dsData, secure.keyData].flat());
  if (records.some((one) => RECORD_PARTS.some((part) => wordsOrNumber(one[part])))) return true;
  const { delegationSigned, zoneSigned: _, maxSigLife: __, events: ___, links: ____, ...others } = secure;
  const place = [delegationSigned, ...Object.values(others)].map((value) => (typeof value === 'boolean' ? String(value) : value));
  return unread.of('dnssec', flagIn(delegationSigned), place);
}

/**
 * The URL of the registrar's record of the domain: the first related RDAP link; null if there is none, or if the registry has that, too. A link
 * that names a server and no record, or is not https, is `refused`: the registrar is named and cannot be asked.
 */
export function registrarLink(answer: Answer): string | null | NotFound {
  const links = objectsOf([objectOf(jsonOf(answer))?.links].flat());
  const own = URL.parse(answer.url)?.host;
  let useless: string | null = null;
  for (const rel of ['related', 'registration']) {
    for (const link of links) {
      if (String(link.rel).toLowerCase() !== rel || typeof link.href !== 'string' || !URL.canParse(link.href)) continue;
      const url = new URL(link.href);
      const isRdap = /rdap\+json/i.test(String(link.type ?? '')) || /\/domain\//i.test(url.pathname);
      if (isRdap && url.protocol === 'https:' && /\/domain\/[^/]+\/?$/i.test(url.pathname)) return url.host === own ? null : url.href;
      if (isRdap && url.host !== own) useless ??= url.href;
    }
  }
  return useless === null ? null : refused('The link to the registrar is no address of its record.', useless.slice(0, 200));
}
