import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import { readTable } from '../../../runtime/table.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { blocked, changed, found, limited, type NotFound, type Outcome, refused, refusedInput, unreachable } from '../../outcome.ts';
import { evidence, type Facts, freeOf, reservedOf, TOO_FAST, takenOf } from '../facts.ts';
import { isRegistryHost, namesDomain, namesOther, readHost, sameDomain, tldOf } from '../registries.ts';
import { parseLines } from './line-parser.ts';
import { decodeWhois, linesOf } from './lines.ts';

/**
 * Parses a WHOIS answer (RFC 3912) about one domain, in lower case and A-labels. `found` needs registration data, or a known phrase of a server
 * that is `authoritative` (by default the table of registries decides); any other text is `changed`, never "available".
 */
export function readWhois(
  answer: Answer,
  input: { readonly domain: string; readonly authoritative?: boolean },
): Outcome<DomainRegistration> {
  const { domain, authoritative } = input;
  const host = hostOf(answer.url);
  return readWhoisText(decodeWhois(answer.body, host), domain, host, answer.atMs, authoritative);
}
export const hostOf = (url: string): string => /^whois:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';

const PHRASE = evidence('whois phrase');
const ENDED = 'The registry has ended this service.';
/** Each line may be compared with every known phrase. Recorded answers, terms of use included, have at most 450 lines. */
const MAX_LINES = 2_000;

/** The same for a decoded text; `atMs` is the time of the answer in epoch ms. */
export function readWhoisText(
  text: string,
  domain: string,
  host: string,
  atMs: number,
  authoritative?: boolean,
): Outcome<DomainRegistration> {
  const lines = linesOf(text);
  if (lines.length > MAX_LINES) return changed('The answer of the registry has too many lines to be read.', `${lines.length} lines`);
  const record = parseLines(lines, domain);
  const origin = { domain, source: 'fallback', atMs } as const;
  const isOwnOfRegistry = record.hasRecord && !record.hasMoreThanRegistrar && saysAvailableBelowName(lines, domain);
  if (record.hasRecord && !isOwnOfRegistry) {
    const facts = record.facts();
    const isReduced = isStateAlone(facts) && findPhrase(lines, domain)?.kind === 'limited';
    if (!isReduced) return found(takenOf(origin, facts), undefined, record.unreadIn(facts));
  }
  if (!/\S/.test(text)) return unreachable('The registry closed the connection without an answer.', host);
  const said = findPhrase(lines, domain) ?? saidAlone(lines, domain);
  if (said?.kind === 'limited') return limited(TOO_FAST, waitMsIn(text), said.line);
  if (said?.kind === 'down') return unreachable('The registry is not able to answer now.', said.line);
  if (said?.kind === 'denied') return blocked('The registry refuses to answer this service.', said.line);
  if (said?.kind === 'retired') return refused(ENDED, said.line);
  if (said?.kind === 'unsupported') return refused('The server asked does not serve this top-level domain.', said.line);
  if (said?.kind === 'invalid') return refusedInput('The registry does not accept this name.', said.line);
  const { other } = record;
  if (said && other !== null && isOfOther(said, other, domain)) return ofAnotherName(domain, other);
  if (said?.kind === 'reserved') return found(reservedOf(origin, reservedStatusOf(said.line, domain)));
  if (said?.kind === 'free') {
    const notice = noticeIn(lines, RETIRED);
    if (notice !== null) return refused(ENDED, notice);
    // a phrase beside registration data does not prove that the name is available
    if (record.hasTraces && !isOwnOfRegistry) return changed('The answer of the registry contradicts itself.', said.line);
    if (!(authoritative ?? isRegistryHost(host, domain)))
      return refused('The server asked does not speak for this top-level domain.', `${host}: ${said.line}`);
    return freeOf(PHRASE, origin);
  }
  if (other !== null) return ofAnotherName(domain, other);
  return changed('The answer of the registry is not one we know.', (lines.find((l) => /^\s*[^%#\s]/.test(l)) ?? '').slice(0, 120));
}

/** What a throttled server may leave of a record. */
const isStateAlone = ({ registrar, registeredOn, expiresOn, updatedOn, nameServers, contacts }: Facts): boolean =>
  (registrar.name ?? registeredOn ?? expiresOn ?? updatedOn) === null && nameServers.length + contacts.length === 0;

/**
 * Whether a state is that of the other name in the text: a reserved one, or one above or below the queried name. "Available" beside an
 * unrelated name is accepted, as the recorded answers free.eu and free.nz have it.
 */
function isOfOther({ kind, line }: { readonly kind: string; readonly line: string }, other: string, domain: string): boolean {
  if (namesDomain(line, domain)) return false;
  const name = readHost(other);
  return kind === 'reserved' || (kind === 'free' && name !== null && (domain.endsWith(`.${name}`) || name.endsWith(`.${domain}`)));
}
const ofAnotherName = (queried: string, answered: string): NotFound =>
  changed('The registry answered for another name.', `queried ${queried}, answered ${answered}`);
const reservedStatusOf = (line: string, asked: string): string =>
  /^(?:domain )?status:\s*(.+?)(?:\s*\([^()]*\))?$/i.exec(line)?.[1]?.trim() ?? heldAlone(line, asked)?.groups?.state ?? 'reserved';

/** The registrar's WHOIS server that a thin registry names; null if it names none, or itself; `refused` if it names a web page. */
export function registrarServer(answer: Answer, { domain }: { readonly domain: string }): string | null | NotFound {
  const host = hostOf(answer.url);
  const { whoisServer, whoisPage } = parseLines(linesOf(decodeWhois(answer.body, host)), domain);
  if (whoisServer === null && whoisPage !== null)
    return refused('The registrar has a web page in place of a server.', whoisPage.slice(0, 200));
  return whoisServer === null || whoisServer === host || isRegistryHost(whoisServer, domain) ? null : whoisServer;
}

const ROWS = readTable(new URL('./phrases.tsv', import.meta.url));
const PARTS = new Map<string, string>();
const patternsOf = (kind: string): readonly string[] =>
  ROWS.filter((row) => row[0] === kind).map(([, pattern = '']) => pattern.replace(/\{([a-z_]+)\}/g, (_, name) => PARTS.get(name) ?? ''));
for (const [kind = ''] of ROWS) if (kind.startsWith('part ')) PARTS.set(kind.slice('part '.length), patternsOf(kind)[0] ?? '');

const atStart = (kind: string): RegExp => new RegExp(`^(?:${patternsOf(kind).join('|')})`, 'i');
const KINDS = ['limited', 'down', 'denied', 'unsupported', 'invalid', 'reserved'] as const;
/** In the order in which they are tried: throttling before anything that reads like "not found". */
const OTHERS = KINDS.map((kind) => ({ kind, pattern: atStart(kind) }));
/** Matches what any of them matches: most lines match none. */
const ANY_OTHER = new RegExp(OTHERS.map(({ pattern }) => pattern.source).join('|'), 'i');
const CODE = new RegExp(`^${PARTS.get('code')}`, 'i');
const CODED = /^(?:error|sorry|\d)/i;
/** Of a name that is held or not accepted the words of a rule are those of a state ("may not be registered"). */
const [RULE, OF_NAME] = [atStart('rule'), /^(?:reserved|invalid)$/];
const FREE_SCRIPT = new RegExp(`^(?:${patternsOf('free-script').join('|')})[\\s\\p{P}]*$`, 'u');
const FREE_STATE = new RegExp(`^(?:${patternsOf('free-state').join('|')})$`, 'iu');
const wholeLine = (text: string): RegExp => new RegExp(`^${PARTS.get('before')}(?:${text})[\\s.!…]*$`, 'iu');
const FREE = patternsOf('free').map(wholeLine);
const ANY_FREE = wholeLine(patternsOf('free').join('|'));

const CANNOT = /\b(?:can|could|may|must|shall|will) not be registered\b/i;
/** Whether a line states that the queried domain is not registered. A sentence that names a domain counts only if it names the queried one. */
export function saysAvailable(line: string, asked: string): boolean {
  const isAsked = (found: RegExpExecArray | null): boolean => {
    if (found === null) return false;
    const { name, label } = found.groups ?? {};
    return label === undefined ? name === undefined || sameDomain(name, asked) : sameDomain(`${label}.${tldOf(asked)}`, asked);
  };
  if (CANNOT.test(line)) return false;
  if (FREE_SCRIPT.test(line)) return true;
  const state = FREE_STATE.exec(line);
  if (state) return isAsked(state);
  // the same sentence in two languages
  if (line.includes(' / ')) return line.split(' / ').every((half) => saysAvailable(half, asked));
  const free = ANY_FREE.exec(line);
  // where its first reading names another domain, a line may have a second one
  return free !== null && (isAsked(free) || FREE.some((phrase) => isAsked(phrase.exec(line))));
}

const COMMENT = /^[\s%#*>;-]+/;
const [PADDING, SPACES] = [/\s+(?=:(?:\s|$))/g, /\s{2,}|[^\S ]/g];
/** A longer line is prose, not a phrase. */
const MAX_PHRASE = 200;

/** Lines that are compared with the phrases; below them are terms of use. */
const MAX_PHRASE_LINES = 400;

/** The first known phrase in the lines of a text, throttling first; null if there is none. `asked`: the queried domain. */
export function findPhrase(lines: readonly string[], asked: string) {
  const said = statementsOf(lines);
  const others = said
    .flatMap((line) => [line, ...(CODED.test(line) ? [line.replace(CODE, '')] : [])])
    .filter((line) => ANY_OTHER.test(line));
  for (const { kind, pattern } of OTHERS) {
    const line = [...others, ...(kind === 'reserved' ? said.flatMap((one) => reasonsIn(one, asked)) : [])].find((other) => {
      const matched = pattern.exec(other);
      if (matched === null || servesTld(matched.groups?.only, asked) || (kind === 'reserved' && namesOther(other, asked))) return false;
      return OF_NAME.test(kind) || !RULE.test(other);
    });
    if (line !== undefined) return { kind, line };
  }
  const line = said.find((one) => saysAvailable(one, asked));
  return line === undefined ? null : { kind: 'free' as const, line };
}

const LIMIT_ALONE = new RegExp(patternsOf('limited-alone').join('|'), 'i');
const RETIRED = new RegExp(patternsOf('retired').join('|'), 'i');
const RETIRED_ALONE = new RegExp([...patternsOf('retired'), ...patternsOf('retired-alone')].join('|'), 'i');
/** A notice of several sentences may be one line. */
const MAX_NOTICE = 1_000;
const noticeIn = (lines: readonly string[], pattern: RegExp): string | null =>
  lines
    .find((line) => line.length <= MAX_NOTICE && pattern.test(line))
    ?.trim()
    .slice(0, MAX_PHRASE) ?? null;
const HELD_ALONE = patternsOf('held-alone').map((pattern) => new RegExp(`^${pattern}[\\s.!…]*$`, 'iu'));
/** An answer of more lines has a record, or terms of use. */
const FEW_LINES = 5;
/** A limit, the end of the service, or a name that cannot be registered, in words that no phrase has, where an answer says nothing else. */
function saidAlone(lines: readonly string[], asked: string) {
  const said = statementsOf(lines);
  if (said.length > FEW_LINES) return null;
  const limit = said.find((line) => LIMIT_ALONE.test(line));
  if (limit !== undefined) return { kind: 'limited' as const, line: limit };
  const notice = noticeIn(lines, RETIRED_ALONE);
  if (notice !== null) return { kind: 'retired' as const, line: notice };
  const line = said.find((one) => heldAlone(one, asked) !== null);
  return line === undefined ? null : { kind: 'reserved' as const, line };
}
function heldAlone(line: string, asked: string): RegExpExecArray | null {
  const held = HELD_ALONE.map((pattern) => pattern.exec(line)).find((found) => found !== null) ?? null;
  const name = held?.groups?.name;
  return name === undefined || sameDomain(name, asked) ? held : null;
}

/** A registry may print a registrar, its own, also where "not registered" stands directly below the name. */
const saysAvailableBelowName = (lines: readonly string[], domain: string): boolean =>
  lines.some((line, i) => namesDomain(line, domain) && saysAvailable((lines[i + 1] ?? '').replace(COMMENT, '').trim(), domain));

/** What follows "not found" on its line ("Domain not found. This name is reserved.", "The object does not exist: Prohibited String"). */
function reasonsIn(line: string, asked: string): readonly string[] {
  const [first = '', ...rest] = line.split(/(?<=[.!;]) |(?<=\bdoes not exist): /);
  return rest.length > 0 && saysAvailable(first, asked) ? rest : [];
}

/** Whether a list of top-level domains (".cc, .tv, and .jobs domains") has that of the queried domain. */
const servesTld = (list: string | undefined, asked: string): boolean =>
  list !== undefined &&
  list
    .toLowerCase()
    .match(/\.[\p{L}\p{N}-]+(?![\p{L}\p{N}.-])/gu)
    ?.includes(`.${tldOf(asked)}`) === true;

/** A single word counts only among the first lines; further down it is the end of a wrapped sentence. */
const ONE_WORD = /^\p{L}+[^\p{L}\p{N}]*$/u;
const FIRST_LINES = 12;

/** Lines at which a sentence begins; lines that continue a wrapped sentence are prose and left out. */
function statementsOf(lines: readonly string[]): readonly string[] {
  const out: { atMs: number; line: string }[] = [];
  let atMs = 0;
  let above = '';
  for (const raw of lines) {
    const line = raw.length > MAX_PHRASE ? '' : raw.replace(COMMENT, '').replace(PADDING, '').replace(SPACES, ' ').trim();
    if (line !== '' && !continues(above, line)) out.push({ atMs, line });
    if (line !== '') atMs++;
    if (out.length >= MAX_PHRASE_LINES) break;
    above = line;
  }
  return out.flatMap(({ atMs, line }) => (atMs >= FIRST_LINES && ONE_WORD.test(line) ? [] : line));
}
const continues = (above: string, line: string): boolean =>
  /\brights$/i.test(above.slice(-7)) ||
  (/^\p{Ll}/u.test(line) && /[\p{L}\p{N},]$/u.test(above.slice(-2)) && above.split(' ').length > 3 && !LABELLED.test(above));
const LABELLED = /^[\p{L}][\p{L}\p{N} _./-]{0,40}:(?: |$)/u;

const MAX_WAIT_TEXT = 4_000;

/** The wait that a throttled server states, in ms: 1 s to a day; null if it states none. */
export function waitMsIn(answer: string): number | null {
  const text = answer.slice(0, MAX_WAIT_TEXT);
  const hms = /again after:?\s*(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})(?:\.\d{1,9})?s)?/i.exec(text);
  if (hms && (hms[1] || hms[2] || hms[3]))
    return boundedWait((Number(hms[1] ?? 0) * 60 + Number(hms[2] ?? 0)) * 60_000 + Number(hms[3] ?? 0) * 1000);
  const plain = /(?<!\d)(\d{1,9}(?:\.\d{1,9})?)\s*(second|minute|hour|sec|min)s?\b/i.exec(text);
  if (!plain) return null;
  const unit = (plain[2] ?? '').toLowerCase();
  const ms = Number(plain[1]) * (unit.startsWith('h') ? 3_600_000 : unit.startsWith('m') ? 60_000 : 1000);
  return boundedWait(Math.ceil(ms));
}
const boundedWait = (ms: number): number => Math.min(Math.max(1000, ms), 24 * 3_600_000);
