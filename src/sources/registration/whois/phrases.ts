import { sameDomain } from '../hosts.ts';

/**
 * What servers say instead of a record. A phrase is looked for at the start of a line, with the marks of a comment cut off where registries
 * speak in comments, never over the whole text: terms of use are full of "available", "limit" and "not found". Kinds are tried in the
 * order of `KINDS`: throttling comes before anything that sounds like "nothing found".
 */
export const KINDS = ['limited', 'down', 'denied', 'unsupported', 'invalid', 'reserved', 'free'] as const;
export type Kind = (typeof KINDS)[number];
export interface Said {
  readonly kind: Kind;
  /** The line, without the marks of a comment. */
  readonly line: string;
}

const any = (...parts: readonly string[]): RegExp => new RegExp(`^(?:${parts.join('|')})`, 'i');

const PHRASES: Readonly<Record<Exclude<Kind, 'free'>, RegExp>> = {
  limited: any(
    'too many (?:connections?|requests|queries|simultaneous)',
    '(?:error:? ?)?(?:(?:your|the|daily|hourly|whois|query|queries|request|connection|session|lookup|looup|ip) ){0,5}(?:rate[- ])?(?:limit|quota)s? (?:was |has been |have been |is )?(?:exceeded|reached)',
    '(?:your |the )?(?:ip|address|client).{0,60}(?:exceeded|has reached).{0,40}(?:limit|quota|number)',
    "(?:you (?:have|'ve) )?(?:exceeded|reached) (?:your|the|our|allowed).{0,40}(?:quota|limit|maximum|number of)",
    'the whois query quota for .{1,80} has been exceeded',
    '(?:the )?(?:maximum|max\\.?) (?:number of )?(?:quer(?:y|ies)|requests?|connections?)\\b.{0,30}(?:reached|exceeded)',
    '(?:the )?number of (?:allowed )?(?:requests|queries)\\b.{0,60}(?:exceeded|restricted)',
    'the number of requests per client per time interval is',
    'excessive quer',
    'quer(?:y|ies) rate (?:limit )?exceeded',
    '-?\\d*:? ?still in grace period',
    'please go away',
    '\\W*grace period of \\d',
    'error: ?55000000002',
    '(?:connection refused; )?access control limit',
    'query_status: 4(?:40|29)\\b',
    '4(?:40|29) (?:request denied|too many)',
    '.{0,60}daily whois-?limit',
    'request limit',
    'whois limit',
    'rate limit exceeded',
    'limit of queries',
    'quota exceeded',
    'please (?:slow down|try again (?:after|in) \\d)',
    'try again after:? \\d',
    'you have been (?:rate[- ]?limited|throttled)',
    'throttled\\b',
  ),
  down: any(
    '\\W*sorry, the whois database is currently down',
    '.{0,60}server too busy',
    "server can'?t process your request",
    '(?:error: ?)?service (?:is )?(?:temporarily )?(?:unavailable|not available)',
    '(?:the )?(?:whois |service |system |database |registry ){0,3}(?:is )?(?:temporarily|currently) (?:unavailable|down|not available|offline)',
    '(?:error: ?)?(?:internal|backend|database) (?:server )?error',
    '(?:error: ?)?timeout\\b',
    'connection (?:timed out|to .{0,40} failed)',
    'unable to (?:connect|process|query)',
  ),
  denied: any(
    'requests of this client are not permitted',
    'the ip address used to perform the query',
    'ok! you win',
    '(?:error: ?)?access (?:to .{0,40} )?(?:is |has been )?(?:denied|blocked|restricted|refused|forbidden)',
    '(?:error: ?)?permission denied',
    '(?:your|this) (?:ip|host|address|network|client)\\b.{0,60}(?:blocked|black-?listed|banned|denied|not (?:allowed|authori[sz]ed|permitted))',
    'connection refused',
  ),
  unsupported: any(
    '(?:error: ?)?(?:the )?tld (?:is )?(?:not|un)[- ]?supported',
    '(?:error: ?)?(?:unsupported|unknown|invalid) (?:tld|zone|top[- ]level domain|domain suffix|extension)',
    'no whois server\\b',
    '(?:this )?(?:tld|zone|top[- ]level domain|domain suffix)\\b.{0,40}(?:not (?:supported|served|known|found)|unknown)',
    '(?:this|the) (?:whois )?server (?:does not|is not)\\b.{0,60}(?:serve|authoritative|support|responsible)',
    "domain '[^']*' not found",
    'the registry database contains only (?!\\.?com)',
    'no such (?:tld|zone|registry)',
    'this domain cannot be found in our databases?',
  ),
  invalid: any(
    '(?:error:? ?)?(?:\\d+:? ?)?invalid (?!query or domain name not known)(?:input|quer|domain|request|pattern|parameter|name|character|syntax|object)',
    'error: ?5500000001\\d',
    'non bijective',
    '(?:domain )?status:\\s*(?:invalid|not allowed)\\b',
    '(?:%?error:? ?)?(?:10[2-9]|11\\d): ?(?:invalid|unknown)',
    '(?:error: ?)?(?:malformed|illegal|bad) (?:request|query|domain|name)',
    'the domain name (?:you requested )?(?:is|contains) (?:invalid|illegal)',
    'query_status: 5\\d\\d',
    'syntax error',
    'incorrect (?:domain|query|request)',
  ),
  reserved: any(
    'reserved by ',
    '(?:domain )?status:\\s*(?:unassignable|reserved\\b.{0,20}|restricted|prohibited|blocked)\\s*$',
    'name is restricted',
    'restricted\\s*$',
    '(?:the|this) (?:domain )?name (?:is |has been )?(?:restricted|reserved|blocked|prohibited)',
    '(?:sorry, )?the domain (?:name )?you requested is (?:prohibited|in the reserved list|not available|restricted|reserved)',
    'domain (?:name )?(?:is )?(?:not available|reserved|prohibited|blocked|unavailable)\\W*$',
    '(?:\\S+ is a )?reserved (?:domain )?(?:name|by|word|list)\\b',
    'reserved\\W*$',
    'not available for (?:second level )?registration',
    'this (?:domain )?name is (?:not available|reserved|unavailable|blocked|restricted)',
    'error (?:code: ?01044|message: .{0,60}usage restrictions)',
    '(?:this|the) domain\\b.{0,80}(?:is|has been) (?:reserved|blocked|restricted|prohibited|not available)',
    'the registration of this domain is restricted',
  ),
};

/** A phrase that means free, and the top-level domains whose registries say so; none given: software that many registries run. */
interface Free {
  readonly line: RegExp;
  readonly tlds?: string;
}
/** The name that the phrase speaks of, where it speaks of one: it must be the one asked. */
const NAME = '["\'«]?(?<name>[^\\s"\'«»]+\\.[^\\s"\'«»]*[^\\s"\'«».:])["\'»]?';
const full = (text: string): RegExp => new RegExp(`^${text}\\s*[.!]*$`, 'iu');

const FREE: readonly Free[] = [
  { line: full(`no match for (?:domain )?${NAME}`) },
  { line: full(`not found: ${NAME}`) },
  { line: full(`domain ${NAME} (?:was )?not found`) },
  { line: full(`${NAME}:? no entries found`) },
  { line: full('domain not found') },
  { line: full('not found') },
  { line: full('no data found') },
  { line: full('the queried object does not exist(?:: domain not found)?') },
  { line: full('error:\\s?101:? no entries found') },
  { line: full('no entries found for the selected source\\(?s?\\)?') },
  { line: full('no object found') },
  { line: full(`no domain records were found to match ${NAME}`), tlds: 'coop' },
  { line: full('no such domain'), tlds: 'lu' },
  { line: full('error: ?no entries found'), tlds: 'hr' },
  { line: full('no match found'), tlds: 'th xn--o3cw4h' },
  { line: /^domain name \[?\S+?\]? does not exist in database/i, tlds: 'my' },
  { line: full(`${NAME}: no existe`), tlds: 'cl' },
  { line: full('(?:domain )?status:\\s*(?:no object found|not registered)') },
  { line: full('no entries found in the afnic database'), tlds: 'fr re pm tf wf yt' },
  { line: full('(?:domain )?status:\\s*free'), tlds: 'de lv' },
  { line: full('(?:(?:domain|registration) )?status:\\s*available'), tlds: 'eu be it lt bg ca xn--e1a4c xn--qxa6a cx si gl' },
  { line: full('query_status: 220 available'), tlds: 'nz' },
  { line: full('error:\\s?103:? domain is not registered'), tlds: 'rs xn--90a3ac' },
  { line: full(`no entries found for(?: query| domain)? ${NAME}`), tlds: 'ua is st xn--j1amh' },
  { line: full('no entries found'), tlds: 'dk ir is cz sk' },
  { line: full('nothing found for this query'), tlds: 'kz xn--80ao21a' },
  { line: full('nothing found'), tlds: 'at' },
  { line: full('no match!!'), tlds: 'jp' },
  { line: full('no match'), tlds: 'jp hu no am mm fi sr name' },
  { line: full('nincs talalat / no match'), tlds: 'hu' },
  { line: /^상기 도메인이름은 등록되어 있지 않습니다/u, tlds: 'kr xn--3e0b707e' },
  { line: /^the requested domain was not found in the registry/i, tlds: 'kr xn--3e0b707e' },
  { line: full('no matching record'), tlds: 'cn xn--fiqs8s xn--fiqz9s' },
  { line: full('no found'), tlds: 'tw xn--kprw13d xn--kpry57d' },
  { line: full('no data was found to match the request criteria'), tlds: 'il xn--4dbrk0ce' },
  { line: full(`${NAME} - no match`), tlds: 'pt' },
  { line: full(`the domain ${NAME} was not found`), tlds: 'im' },
  { line: full(`the domain ${NAME} is not registered`), tlds: 'vu' },
  { line: full('available'), tlds: 'za' },
  { line: full('no information was found matching that query'), tlds: 'za' },
  { line: full(`no such domain ${NAME}`), tlds: 'uk' },
  { line: full('this query returned 0 objects'), tlds: 'int arpa' },
  { line: full(`${NAME} is free`), tlds: 'nl' },
  { line: full('this domain name has not been registered'), tlds: 'uk' },
  { line: /^no information available about domain name/i, tlds: 'pl' },
  { line: full('the domain has not been registered'), tlds: 'hk xn--j6w193g' },
  { line: full('we do not have an entry in our database matching your query'), tlds: 'ch li' },
  { line: full('el dominio no se encuentra registrado en nic argentina'), tlds: 'ar' },
  { line: full('(?:no_se_encontro_el_objeto/)?object_not_found'), tlds: 'mx lat' },
  { line: /^data not found\. this domain is available for registration/i, tlds: 'kg' },
  { line: full('object does not exist'), tlds: 'by xn--90ais' },
  { line: full('domain unknown'), tlds: 'pf' },
  { line: full(`(?:sorry, but )?domain:? ${NAME},? not found in database`), tlds: 'uz' },
  { line: full(`no match for ${NAME}`), tlds: 'md' },
  { line: full('invalid query or domain name not known in dot tk domain registry'), tlds: 'tk ml ga cf gq' },
  { line: full(`domain name ${NAME} (?:is )?not (?:found|registered)`), tlds: 'mo sm tj ug kz' },
  { line: full('no record(?:s)? found'), tlds: 'ec bo uy ve' },
];

const COMMENT = /^[\s%#*>;-]+/;
/** A line longer than this is prose. */
const MAX_PHRASE = 200;

/** What the lines of a text say instead of a record, throttling first; null where no phrase is known. */
export function sayingOf(lines: readonly string[], asked: string): Said | null {
  const tld = asked.slice(asked.lastIndexOf('.') + 1);
  const bare = lines
    .map((line) => (line.length > MAX_PHRASE ? '' : line.replace(COMMENT, '').replace(/\s+/g, ' ').trim()))
    .filter((line) => line !== '');
  for (const kind of KINDS) {
    for (const line of bare) {
      if (kind === 'free' ? isFree(line, asked, tld) : PHRASES[kind].test(line)) return { kind, line };
    }
  }
  return null;
}

function isFree(line: string, asked: string, tld: string): boolean {
  for (const { line: phrase, tlds } of FREE) {
    if (tlds !== undefined && !tlds.split(' ').includes(tld)) continue;
    const found = phrase.exec(line);
    const name = found?.groups?.name;
    if (found && (name === undefined || sameDomain(name, asked))) return true;
  }
  return false;
}

/** How long a throttled server asks to wait, in ms; null where it does not say. */
export function waitOf(text: string): number | null {
  const hms = /again after:?\s*(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?/i.exec(text);
  if (hms && (hms[1] || hms[2] || hms[3])) return (Number(hms[1] ?? 0) * 3600 + Number(hms[2] ?? 0) * 60 + Number(hms[3] ?? 0)) * 1000;
  const plain = /(\d+(?:\.\d+)?)\s*(second|minute|hour|sec|min)s?\b/i.exec(text);
  if (!plain) return null;
  const unit = (plain[2] ?? '').toLowerCase();
  const ms = Number(plain[1]) * (unit.startsWith('h') ? 3_600_000 : unit.startsWith('m') ? 60_000 : 1000);
  return Math.min(Math.max(1000, Math.ceil(ms)), 24 * 3_600_000);
}
