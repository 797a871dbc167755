import type { JsonObject } from '../../../contract/json-object.ts';
import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import {
  blocked,
  changed,
  foreign,
  found,
  limited,
  type NotFound,
  type Outcome,
  refused,
  refusedInput,
  unreachable,
} from '../../outcome.ts';
import { listOf, objectOf, objectsOf } from '../../untyped-json.ts';
import { evidence, freeOf, reservedOf, TOO_FAST, tidy } from '../facts.ts';
import { sameDomain } from '../registries.ts';
import { isTaken } from '../status.ts';
import { findPhrase, waitMsIn } from '../whois/parse.ts';

/** Servers whose 404 is not evidence: redirectors without a registry, and bases that answer 404 to every domain. */
const NOT_A_REGISTRY = /^https?:\/\/(?:(?:www\.)?rdap\.(?:org|net|nic\.io|nic\.co)\/|rdap\.verisign\.com\/(?!\w+\/v1\/))/i;
const ZONE = '(?:tlds?|zones?|top[- ]level domains?|(?:domain )?suffix(?:es)?|domain extensions?)\\b';
/** What a server says that does not run the top-level domain. */
const NO_SERVER = new RegExp(
  [
    'bootstrap|boostrap|no (?:rdap )?server|no rdap (?:service|lookup)|no service is available|not (?:served|supported|authoritative|responsible)|unsupported|wrong (?:server|registry)',
    `\\b(?:about|for|of|serves?|manages?|supports?|hosts?|handles?|unknown|invalid|wrong|unrecogni[sz]ed|allowed) (?:(?:the|this|that|an?|any|requested|queried|given|specified) ){0,2}${ZONE}`,
    `\\b${ZONE}.{0,24}\\b(?:not|un(?:known|available|recogni[sz]ed))\\b`,
    'out(?:side)? (?:of )?(?:(?:the|our|its) )?(?:zones?|scope|authority)\\b|not (?:within|in) (?:(?:the|our|its) )?(?:scope|authority)\\b',
  ].join('|'),
  'i',
);
/** What a web framework says of an address that it does not have. "Request-URI" is in the words of RFC 2616 for anything that is not found. */
const NO_PLACE = /\bcannot (?:get|head) \/|\b(?:url|(?<!request-)uri|path|page|endpoint|routes?|handler|method|api)\b/i;

const [ERROR_OBJECT, EMPTY] = [evidence('rdap error object'), evidence('rdap empty 404')];

const isFilled = (part: unknown): boolean => listOf(part).length > 0 || Object.keys(objectOf(part) ?? {}).length > 0;
/** Members that only a record has. */
const hasData = (json: JsonObject): boolean =>
  String(json.objectClassName).toLowerCase() === 'domain' || [json.events, json.entities, json.nameservers].some(isFilled);
/** RFC 7480, 5.3 and RFC 9083, 6: a 404 is a negative answer if it is an RDAP error object, or empty and of the RDAP media type. */
function isRdapError(answer: Answer, json: JsonObject | null): boolean {
  if (json?.errorCode !== undefined && json.errorCode !== null) return Number(json.errorCode) === 404 && !hasData(json);
  if (json) return Array.isArray(json.rdapConformance) && json.objectClassName === undefined;
  return answer.body.every((byte) => byte <= 32) && /^application\/rdap\+json\b/i.test(answer.headers['content-type'] ?? '');
}

/** A registry that gives the reason in the words of WHOIS knows that the name is withheld. */
const saysReserved = (lines: readonly string[], domain: string): boolean =>
  lines.some(
    (line) => findPhrase([line], domain)?.kind === 'reserved' || LISTED.test(line) || (HELD.test(line) && !IS_NOT_SAID.test(line)),
  );
const LISTED = /\b(?:is|has been) (?:on|in|part of) (?:\w+ ){1,4}reserved (?:names? )?list\b/i;
const HELD =
  /\b(?:reserved|blocked|prohibited)(?=\W*$|[.,;:!)]| (?:by|for|from|in|due|because|or|and|domain|name|under)\b)|\bsubscribes to\b|(?<!\b(?:not|no|non)(?: an?)?[ -])\b(?:premium|platinum) (?:domain|name|string|label)\b/i;
/** A name in one of these states is not found, and not free either; "no domain is registered" says the opposite. */
const NOT_FREE =
  /^(?!.*\b(?:no|none)\b).*(?:\b(?:not|un)[ -]?available\b|\bquarantin|\bredemption\b|\bpending[ -]?delet|\b(?:is|has been|(?:is|has) already(?: been)?) (?:registered|taken|delegated|allocated|assigned)\b|\b(?:can ?not|may not|must not) be registered\b|\bnot (?:yet )?(?:active|activated|delegated|connected|published|validated|verified)\b)/i;
/** The same of one name in a notice, whose words are not the error's own. */
const NOT_REGISTRABLE =
  /^(?!.*\b(?:names|domains)\b).*\b(?:(?:can ?not|may not|must not) be registered|not available for registration|(?:withheld|excluded) from registration|name collision|held by the registry)\b/i;
/** The client may not see the record, or nobody may register the name. */
const NOT_ALLOWED =
  /\bnot (?:\w+ ){0,2}?(?:(?:allowed|permitted)(?=\W*$| (?:for|to)\b)|authori[sz]ed|registrable|registerable|eligible|shown|disclosed)\b|\baccess (?:to (?:it|the \w+) )?(?:is |was |may be )?(?:restricted|denied|forbidden)\b|\bauthenticat|\bauthori[sz]ation\b|\bcredentials\b|\bpermission\b/i;
/** Sentences about rights, possibilities or the client. */
const IS_NOT_SAID =
  /\b(?:rights?|not|never|may|might|could|can|if|whether|unless|access|use|usage|your|client|ip|quer(?:y|ies)|requests?)(?: \w+){0,3}? (?:reserved|blocked|prohibited)\b|\b(?:reserved|blocked|prohibited) (?:names? )?(?:policy|list)\b|\b(?:reserved|blocked|prohibited)(?:,? (?:and |or )?(?:reserved|blocked|prohibited|restricted|premium))* (?:domain )?(?:names|domains|strings|labels|words)\b|\b(?:some|certain|many|several|all|other|such) (?:[\w-]+ ){0,2}(?:names|domains|strings|labels|words)\b/i;
/** A state between two registrations, and nothing else (CZ.NIC's title "Auction pending"). */
const isBetween = (line: string): boolean => /auction|disput|releas/i.test(line) && isTaken(line) && !/\b(?:no|not|never)\b/i.test(line);

/** Its own words, also in the members of other forms of errors. */
const ownWordsOf = (json: JsonObject): readonly string[] =>
  linesIn([json.title, json.description, json.error, json.message, json.detail].flat());
const MAX_LINES = 400;
const MAX_TEXT = 20_000;
/** Of an error, everything but terms of use. */
function saidIn(json: JsonObject): readonly string[] {
  const notices = objectsOf([json.notices, json.remarks].flat()).filter(
    ({ title }) => !/terms|polic|\buse\b|status code|inaccura|copyright|disclaim/i.test(String(title)),
  );
  return linesIn([json, ...notices].flatMap(({ title, description }) => [title, description]));
}
const linesIn = (said: readonly unknown[]): readonly string[] =>
  said
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.slice(0, MAX_TEXT).split('\n') : []))
    .slice(0, MAX_LINES);

/** What an error object of 404 says of a failure in its own words: it is no answer about the name. */
function outcomeOfOwnWords(own: readonly string[], domain: string): NotFound | null {
  const said = findPhrase(own, domain);
  if (said?.kind === 'limited') return limited(TOO_FAST, waitMsIn(own.join('\n')), said.line);
  if (said?.kind === 'down') return unreachable('The registry is not able to answer now.', said.line);
  if (said?.kind === 'invalid') return refusedInput('The registry does not accept this name.', said.line);
  return null;
}

/** Words by which a sentence says that something is not there, in the languages of the registries. */
const NEGATION =
  /(?<!\p{L})(?:404|0|not?|notfound|none|nothing|non|nonexist\p{L}*|never|without|unable|zero|empty|null|can be registered|unknown|un(?:registered|allocated|assigned)|cannot|missing|absent|free|available|nicht|keine?|unbekannt|ne|pas|aucune?|inconnue?|introuvable|inexistante?|não|nao|nenhum|inexistente|desconocid[oa]|desconhecid[oa]|disponible|livre|libre|nessun[ao]?|sconosciut[oa]|niet|geen|nie|brak|není|neexistuje|nenalezen[ao]?|nincs|ikke|ingen|inte|inga|ei|bulunamadı|yok|tidak|không|غير|لا|لم|не|нет|нема|немає|отсутствует|відсутн\p{L}*|свобод\p{L}*|вільн\p{L}*)(?!\p{L})|n['’]t(?!\p{L})|[不没沒無无未]|ません|ない|없|않|ไม่/iu;
/** A bare label or a list of nouns says nothing of the name. */
const NOUNS =
  /^(?:(?:rdap|https?|error|status|code|response|results?|message|domain|name|object|query|lookup|request(?:ed)?|sorry|registry|service|server|the|of|for|a)\b\W*)*$/i;
const LABELLED = /^(?!.*(?:stat|reason|note))\p{L}[\p{L}\p{N} _-]{0,30}:\s*\S+$/iu;
const ELSEWHERE = /https?:\/\/|^(?:please|see|visit|contact|for (?:more|further))\b/i;
const MAX_SENTENCE = 200;
const isTelling = (line: string, domain: string): boolean =>
  line.length <= MAX_SENTENCE &&
  (line.includes(' ') || !sameDomain(line, domain)) &&
  ![NOUNS, LABELLED, ELSEWHERE].some((form) => form.test(line));

/**
 * The line of an error that says something else than that there is no record; null if it says that, or nothing. The description decides, and the
 * title where there is none: a title is often the reason phrase of the status alone.
 */
function otherWordsIn(json: JsonObject, domain: string): string | null {
  const [title = [], description = []] = [json.title, json.description].map((text) =>
    linesIn([text]).flatMap((line) => (isTelling(tidy(line), domain) ? tidy(line) : [])),
  );
  const telling = description.length > 0 ? description : title;
  const isAvailable = (line: string): boolean => /\bavailable for registration\b/i.test(line);
  if (telling.some((line) => NEGATION.test(line)) || saidIn(json).some(isAvailable)) return null;
  return telling[0] ?? null;
}

/** Reads a 404, or an error object of 404 under another status. */
export function readAbsence(answer: Answer, json: JsonObject | null, domain: string): Outcome<DomainRegistration> {
  const lines = json ? saidIn(json) : [];
  const own = json ? ownWordsOf(json) : [];
  if (NOT_A_REGISTRY.test(answer.url) || own.some((line) => NO_SERVER.test(line)))
    return refused('The server asked does not serve this top-level domain.', own.join('\n').slice(0, 200));
  // a web server's page, a proxy's JSON or an empty body: the service may have moved, so this is not evidence
  if (!isRdapError(answer, json)) return foreign('The answer of the registry is not registration data.', 'HTTP 404, no RDAP error');
  const failure = outcomeOfOwnWords(own, domain);
  if (failure) return failure;
  const origin = { domain, source: 'authoritative', atMs: answer.atMs } as const;
  if (findPhrase(lines, domain)?.kind === 'denied')
    return blocked('The registry refuses to answer this service.', own.join('\n').slice(0, 200));
  if (saysReserved(lines, domain)) return found(reservedOf(origin, 'reserved'));
  const state = own.find(isBetween);
  if (state !== undefined) return found(reservedOf(origin, tidy(state)));
  const doubt = own.find((line) => NOT_FREE.test(line)) ?? lines.find((line) => NOT_REGISTRABLE.test(line));
  if (doubt !== undefined) return changed('The answer of the registry contradicts itself.', `HTTP 404, ${doubt.slice(0, 120)}`);
  const other =
    own.find((line) => (NO_PLACE.test(line) && !ELSEWHERE.test(line)) || NOT_ALLOWED.test(line)) ?? (json && otherWordsIn(json, domain));
  if (other != null)
    return changed('The answer of the registry does not say whether the name is registered.', `HTTP 404, ${other.slice(0, 120)}`);
  return freeOf(json ? ERROR_OBJECT : EMPTY, origin);
}
