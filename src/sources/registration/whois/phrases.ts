import { readTable } from '../../table.ts';
import { sameDomain } from '../hosts.ts';

/** In the order in which they are tried: throttling before anything that reads like "not found". */
const KINDS = ['limited', 'down', 'denied', 'unsupported', 'invalid', 'reserved', 'free'] as const;

const ROWS = readTable(new URL('./phrases.tsv', import.meta.url));
const PARTS = new Map<string, string>();
const patternsOf = (kind: string): readonly string[] =>
  ROWS.filter((row) => row[0] === kind).map(([, pattern = '']) => pattern.replace(/\{([a-z_]+)\}/g, (_, name) => PARTS.get(name) ?? ''));
for (const [kind = ''] of ROWS) if (kind.startsWith('part ')) PARTS.set(kind.slice('part '.length), patternsOf(kind)[0] ?? '');

const atStart = (kind: string, flags: string): RegExp => new RegExp(`^(?:${patternsOf(kind).join('|')})`, flags);
const OTHERS = new Map(KINDS.map((kind) => [kind, kind === 'free' ? null : atStart(kind, 'i')]));
const FREE_SCRIPT = atStart('free-script', 'u');
const FREE_STATE = new RegExp(`^(?:${patternsOf('free-state').join('|')})$`, 'iu');
const whole = (text: string): RegExp => new RegExp(`^${PARTS.get('before')}(?:${text})[\\s.!…]*$`, 'iu');
const FREE = patternsOf('free').map(whole);
/** Matches what any of them matches: most lines match none. */
const ANY_FREE = whole(patternsOf('free').join('|').replaceAll('(?<name>', '(?:'));

/** Whether a line states that the queried domain is not registered. A sentence that names a domain counts only if it names the queried one. */
export function saysAvailable(line: string, asked: string): boolean {
  const isAsked = (found: RegExpExecArray | null): boolean =>
    found !== null && (found.groups?.name === undefined || sameDomain(found.groups.name, asked));
  if (FREE_SCRIPT.test(line)) return true;
  const state = FREE_STATE.exec(line);
  if (state) return isAsked(state);
  // the same sentence in two languages
  const [one = '', other] = line.split(' / ');
  if (other !== undefined) return saysAvailable(one, asked) || saysAvailable(other, asked);
  return ANY_FREE.test(line) && FREE.some((phrase) => isAsked(phrase.exec(line)));
}

const COMMENT = /^[\s%#*>;-]+/;
/** A longer line is prose, not a phrase. */
const MAX_PHRASE = 200;

/** Lines that are compared with the phrases; below them are terms of use. */
const MAX_LINES = 400;

/** The first known phrase in the lines of a text, throttling first; null if there is none. `asked`: the queried domain. */
export function findPhrase(lines: readonly string[], asked: string) {
  const said = statementsOf(lines);
  for (const kind of KINDS) {
    for (const { at, line } of said) {
      if (at >= FIRST_LINES && ONE_WORD.test(line)) continue;
      if (OTHERS.get(kind)?.test(line) ?? saysAvailable(line, asked)) return { kind, line };
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
