import { saysAvailable } from './availability.ts';

/**
 * Phrases that servers send instead of a record (recorded answers, docs/registration.md). A phrase is matched at the start of a line,
 * comment marks removed, never in the whole text: terms of use are full of "available", "limit" and "not found". Kinds are tried in the
 * order of `KINDS`: throttling before anything that reads like "not found".
 */
export const KINDS = ['limited', 'down', 'denied', 'unsupported', 'invalid', 'reserved', 'free'] as const;
export type Kind = (typeof KINDS)[number];
export interface Phrase {
  readonly kind: Kind;
  /** The line without comment marks. */
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
    'please (?:wait|maintain|allow|leave)\\b.{0,60}\\b(?:\\d+|few|some|several)[ -]?(?:seconds?|sec|minutes?|hours?|moments?|while)\\b',
    'please wait (?:a (?:while|moment|bit)|before|and try)',
    '(?:you are |your |the |client |ip )?(?:making |sending |issuing |sent |made )(?:too many|requests too|queries too)',
    '(?:you are |you have been )?(?:querying|requesting|asking) too (?:fast|often|frequently|many)',
    '(?:requests?|queries|lookups?|connections?) (?:are )?(?:too (?:fast|frequent|many)|(?:was|were|have been|has been) (?:throttled|rate[- ]?limited|limited)|(?:are|is) (?:being )?(?:throttled|rate[- ]?limited))',
    "(?:you (?:have|'ve) )?(?:been )?(?:temporarily )?(?:rate[- ]?limited|throttled|blocked for exceeding)",
    '(?:error: ?)?(?:(?:too many|excessive) (?:whois |dns |recent )?(?:quer|request|lookup|access|connection)|access rate|flood)',
    '(?:the )?(?:query|request|lookup|whois) (?:interval|frequency) (?:is )?too (?:short|high)',
    '(?:(?:limite|límite|quota|cota|limit) (?:de |des |di )?(?:consultas?|requêtes|consultes|richieste|zapytań|pedidos)|trop de requêtes|demasiadas consultas|muitas consultas|zu viele anfragen)',
    'whois lookup for .{1,80} (?:can|could) temporarily not be answered',
    '.{0,80}\\bcan temporarily not be answered',
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
    '(?:the |this |our )?(?:whois |registry |database |domain |system ){0,3}(?:service|server|system|database|registry)s? (?:is|are) (?:currently |temporarily |now )?(?:under(?:going)?|in|down for|closed for|off ?line for) (?:scheduled |planned |system |routine )?maintenance',
    '(?:scheduled|planned|system|server|under|ongoing|routine) maintenance\\b',
    '(?:the |this |our )?(?:whois |registry |database |domain |look-?up ){0,3}(?:service|server|system|database|registry)s? (?:is|are|has been) (?:currently |temporarily |presently |now )?(?:not (?:available|working|responding|reachable)|un(?:available|reachable)|out of (?:service|order)|off-?line|down|suspended|disabled)',
    '(?:temporar(?:y|ily)|momentarily) (?:un(?:available|able)|failure|error|out of)',
    '(?:please )?(?:try|retry|come back|query)(?: again)? later\\W*$',
    "(?:could|can) ?n[o']t (?:connect|reach|contact|open)\\b.{0,60}(?:database|server|backend|registry)",
    '(?:an? )?(?:unexpected|unknown|internal|fatal|system|sql|database) (?:error|exception|failure)\\b',
    '(?:le |el |o )?(?:service|servicio|serviço|servizio)\\b.{0,40}(?:indisponible|no disponible|indisponível|non disponibile)',
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

const COMMENT = /^[\s%#*>;-]+/;
/** A longer line is prose, not a phrase. */
const MAX_PHRASE = 200;

/** Lines that are compared with the phrases; below them are terms of use. */
const MAX_LINES = 400;

/** The first known phrase in the lines of a text, throttling first; null if there is none. `asked`: the queried domain. */
export function findPhrase(lines: readonly string[], asked: string): Phrase | null {
  const said = statementsOf(lines);
  for (const kind of KINDS) {
    for (const { at, line } of said) {
      if (at >= FIRST_LINES && ONE_WORD.test(line)) continue;
      if (kind === 'free' ? saysAvailable(line, asked) : PHRASES[kind].test(line)) return { kind, line };
    }
  }
  return null;
}

/** A single word counts only among the first lines; further down it is the end of a wrapped sentence. */
const ONE_WORD = /^[\p{L}]+\W*$/u;
const FIRST_LINES = 12;

/** Lines at which a sentence begins; lines that continue a wrapped sentence are prose and left out. */
function statementsOf(lines: readonly string[]): readonly { at: number; line: string }[] {
  const out: { at: number; line: string }[] = [];
  let at = 0;
  let above = '';
  for (const raw of lines) {
    const line = raw.length > MAX_PHRASE ? '' : raw.replace(COMMENT, '').replace(/\s+/g, ' ').trim();
    if (line !== '' && !continues(above, line)) out.push({ at, line });
    if (line !== '') at++;
    if (out.length >= MAX_LINES) break;
    above = raw.length > MAX_PHRASE ? '' : line;
  }
  return out;
}
const continues = (above: string, line: string): boolean =>
  /\brights$/i.test(above) || (/^\p{Ll}/u.test(line) && /(?:\S+ ){3}\S*[\p{L}\p{N},]$/u.test(above) && !LABELLED.test(above));
const LABELLED = /^[\p{L}][\p{L}\p{N} _./-]{0,40}:(?: |$)/u;

/** A throttled server states its wait in the first lines. */
const MAX_WAIT_TEXT = 4_000;

/** The wait that a throttled server states, in ms: 1 s to a day; null if it states none. */
export function waitMsIn(answer: string): number | null {
  const text = answer.slice(0, MAX_WAIT_TEXT);
  const hms = /again after:?\s*(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?/i.exec(text);
  if (hms && (hms[1] || hms[2] || hms[3])) return (Number(hms[1] ?? 0) * 3600 + Number(hms[2] ?? 0) * 60 + Number(hms[3] ?? 0)) * 1000;
  const plain = /(?<!\d)(\d{1,9}(?:\.\d{1,9})?)\s*(second|minute|hour|sec|min)s?\b/i.exec(text);
  if (!plain) return null;
  const unit = (plain[2] ?? '').toLowerCase();
  const ms = Number(plain[1]) * (unit.startsWith('h') ? 3_600_000 : unit.startsWith('m') ? 60_000 : 1000);
  return Math.min(Math.max(1000, Math.ceil(ms)), 24 * 3_600_000);
}
