import type { JsonObject } from '../../../contract/json-object.ts';
import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { blocked, changed, found, limited, type NotFound, type Outcome, refused, refusedInput, unreachable } from '../../outcome.ts';
import { objectsOf } from '../../untyped-json.ts';
import { evidence, freeOf, reservedOf, TOO_FAST } from '../facts.ts';
import { findPhrase, waitMsIn } from '../whois/parse.ts';

/** Servers whose 404 is not evidence: redirectors without a registry, and bases that answer 404 to every domain. */
const NOT_A_REGISTRY = /^https?:\/\/(?:(?:www\.)?rdap\.(?:org|net|nic\.io|nic\.co)\/|rdap\.verisign\.com\/(?!\w+\/v1\/))/i;
const NO_SERVER = /bootstrap|boostrap|no (?:rdap )?server|not (?:served|supported|authoritative)|unsupported|unknown tld|tld not/i;

const [ERROR_OBJECT, EMPTY] = [evidence('rdap error object'), evidence('rdap empty 404')];

/** RFC 7480, 5.3 and RFC 9083, 6: a 404 is a negative answer if it is an RDAP error object, or empty and of the RDAP media type. */
function isRdapError(answer: Answer, json: JsonObject | null): boolean {
  if (json?.errorCode !== undefined && json.errorCode !== null) return Number(json.errorCode) === 404;
  if (json) return Array.isArray(json.rdapConformance) && json.objectClassName === undefined;
  return answer.body.every((byte) => byte <= 32) && /^application\/rdap\+json\b/i.test(answer.headers['content-type'] ?? '');
}

/** A registry that gives the reason in the words of WHOIS knows that the name is withheld. */
const saysReserved = (lines: readonly string[], domain: string): boolean =>
  lines.some((line) => isReservedIn(line, domain) || (HELD.test(line) && !IS_NOT_SAID.test(line)));
const isReservedIn = (line: string, domain: string): boolean =>
  /reserv|restrict|prohibit|block|available/i.test(line) && findPhrase([line], domain)?.kind === 'reserved';
const HELD = /\b(?:reserved|blocked|prohibited)(?=\W*$|[.,;:!)]| (?:by|for|from|in|due|because|or|and|domain|name|under)\b)/i;
/** A name in one of these states is not found, and not free either; "no domain is registered" says the opposite. */
const NOT_FREE =
  /^(?!.*\b(?:no|none)\b).*(?:\b(?:not|un)[ -]?available\b|\bquarantin|\bredemption\b|\bpending[ -]?delet|\b(?:is|has been|(?:is|has) already(?: been)?) (?:registered|taken|delegated|allocated|assigned)\b|\bcannot be registered\b)/i;
/** Sentences about rights, possibilities or the client. */
const IS_NOT_SAID =
  /\b(?:rights?|not|never|may|might|could|can|if|whether|unless|access|use|usage|your|client|ip|quer(?:y|ies)|requests?)(?: \w+){0,3}? (?:reserved|blocked|prohibited)\b|\b(?:reserved|blocked|prohibited) (?:names? )?(?:policy|list)\b/i;
/** Of an error, everything but terms of use. */
function saidIn(json: JsonObject): readonly string[] {
  const notices = objectsOf([json.notices, json.remarks].flat()).filter(
    ({ title }) => !/terms|polic|\buse\b|status code|inaccura|copyright|disclaim/i.test(String(title)),
  );
  return linesIn([json, ...notices].flatMap(({ title, description }) => [title, description]));
}
const linesIn = (said: readonly unknown[]): readonly string[] =>
  said.flat().flatMap((text) => (typeof text === 'string' ? text.split('\n') : []));

/** What an error object of 404 says of a failure in its own words: it is no answer about the name. */
function outcomeOfOwnWords(own: readonly string[], domain: string): NotFound | null {
  const said = findPhrase(own, domain);
  if (said?.kind === 'limited') return limited(TOO_FAST, waitMsIn(own.join('\n')), said.line);
  if (said?.kind === 'down') return unreachable('The registry is not able to answer now.', said.line);
  if (said?.kind === 'invalid') return refusedInput('The registry does not accept this name.', said.line);
  return null;
}

/** Reads a 404, or an error object of 404 under another status. */
export function readAbsence(answer: Answer, json: JsonObject | null, domain: string): Outcome<DomainRegistration> {
  const lines = json ? saidIn(json) : [];
  const said = json ? [json.title, json.description].flat().map(String).join('\n') : '';
  if (NOT_A_REGISTRY.test(answer.url) || NO_SERVER.test(said))
    return refused('The server asked does not serve this top-level domain.', said.slice(0, 200));
  // a web server's page, a proxy's JSON or an empty body: the service may have moved, so this is not evidence
  if (!isRdapError(answer, json)) return changed('The answer of the registry is not registration data.', 'HTTP 404, no RDAP error');
  const own = json ? linesIn([json.title, json.description]) : [];
  const failure = outcomeOfOwnWords(own, domain);
  if (failure) return failure;
  const origin = { domain, source: 'authoritative', atMs: answer.atMs } as const;
  if (findPhrase(lines, domain)?.kind === 'denied') return blocked('The registry refuses to answer this service.', said.slice(0, 200));
  if (saysReserved(lines, domain)) return found(reservedOf(origin, 'reserved'));
  const doubt = own.find((line) => NOT_FREE.test(line));
  if (doubt !== undefined) return changed('The answer of the registry contradicts itself.', `HTTP 404, ${doubt.slice(0, 120)}`);
  return freeOf(json ? ERROR_OBJECT : EMPTY, origin);
}
