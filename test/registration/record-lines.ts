import type { DomainRegistration } from '../../src/contract/operations/registration/operation.ts';
import { readTable } from '../../src/runtime/table.ts';
import { readDate } from '../../src/sources/registration/dates.ts';
import { stated } from '../../src/sources/registration/facts.ts';
import { readStatuses, signedOf } from '../../src/sources/registration/status.ts';
import { decoded } from '../../src/sources/registration/whois/lines.ts';
import { readWhoisText } from '../../src/sources/registration/whois/parse.ts';
import type { Recorded } from './recorded.ts';

/** A line of a WHOIS text with a value. */
export interface Line {
  /** Its index in the text. */
  readonly at: number;
  /** In lower case: what stands before the colon or in brackets; of a line without either, the label of the line that it continues. */
  readonly label: string;
  readonly value: string;
  /** The line has no label of its own. */
  readonly continues: boolean;
  /** The labels and the first line of its paragraph. */
  readonly beside: readonly string[];
}

const LABELLED = /^\s*(?:\*\* )?(?:([\p{L}\p{N}][^:[\]]{0,140}?)[\s.]*:(?=[\s.]|$)[\s.]*|(?:\w\. )?\[([^\]]{1,40})\]\s*)(.*)$/u;
/** A label and a value in columns, as `.ch` and `.il` print some. */
const COLUMNS = /^([A-Za-z][A-Za-z ]{2,24}?)(?:\t| {3,})\s*(\S.*)$/;
const COMMENT = /^\s*(?:[%#;]|>>>|&gt;&gt;|\*\*\*|[-=_*\s]+$)/;
/** Lines of a client or of a server about the query. */
const BANNER = /^\s*(?:\[ .*|\[(?:Querying|Redirected|whois\.)[^\]]*\])\s*$|^query\s*:/i;
/** With these words terms of use begin; they go on until a line that names a domain. */
const TERMS =
  /^\W*(?:terms of use|(?:whois )?disclaimer|notice|copyright|the (?:data|information|whois|registration data|registry|service)|(?:by|in) (?:submitting|using|executing)|you (?:agree|may|acknowledge)|access to|please (?:note|visit|query)|for more information|this (?:whois|registry|server|information|listing)|whois (?:information|lookup)|use of this|to contact|web-based whois|according to|if you|is is|nic whois|java whois|whois server|whois du|visit markmonitor|register your|all rights)\b/i;
const DOMAIN = /^\W*(?:(?:registry )?domain\b|nom de domaine|dominio)/i;
const words = (text: string): number => text.trim().split(/\s+/).length;

/** Terms of use and explanations: a paragraph of sentences, or a single long one. */
function isProse(paragraph: readonly string[]): boolean {
  const first = paragraph[0] ?? '';
  const labelled = paragraph.filter((line) => words(LABELLED.exec(line)?.[3] ?? line) <= MAX_WORDS && LABELLED.test(line)).length;
  return words(paragraph.join(' ')) / paragraph.length >= MIN_WORDS && labelled <= paragraph.length / 4 && !/:\s*$/.test(first);
}
const MIN_WORDS = 6;
/** A longer line is a sentence, whatever stands before its colon. */
const MAX_WORDS = 16;

/** The lines of a text that have a value and are neither comments nor prose. */
export function linesOfRecord(text: string): readonly Line[] {
  const all = text.split(/\r\n|\n|\r/);
  const lines: Line[] = [];
  let paragraph: { at: number; line: string }[] = [];
  // a heading at the end of a paragraph is about the next one
  let heading: typeof paragraph = [];
  const close = (): void => {
    if (paragraph.length === 0) return;
    if (!isProse(paragraph.map(({ line }) => line))) lines.push(...labelled([...heading, ...paragraph]));
    heading = paragraph.slice(-1).filter(({ line }) => line.trim().endsWith(':'));
    paragraph = [];
  };
  let inTerms = false;
  for (const [at, line] of all.entries()) {
    if (paragraph.length === 0) inTerms = TERMS.test(line) || (inTerms && !DOMAIN.test(line));
    if (line.trim() === '') close();
    else if (inTerms) continue;
    else if (!COMMENT.test(line) && !BANNER.test(line)) paragraph.push({ at, line });
  }
  close();
  return lines;
}

function labelled(paragraph: readonly { readonly at: number; readonly line: string }[]): readonly Line[] {
  let above = '';
  const beside = [keyOf(paragraph[0]?.line ?? ''), ...paragraph.flatMap(({ line }) => keyOf(labelOf(line) ?? ''))];
  return paragraph.flatMap(({ at, line }): Line[] => {
    const own = labelOf(line);
    const value = (own === undefined ? line : (LABELLED.exec(line)?.[3] ?? COLUMNS.exec(line)?.[2] ?? '')).trim();
    if (own !== undefined && words(value) <= MAX_WORDS) above = keyOf(own);
    return value === '' || words(value) > MAX_WORDS ? [] : [{ at, label: above, value, continues: own === undefined, beside }];
  });
}
function labelOf(line: string): string | undefined {
  const [, before, bracket] = LABELLED.exec(line) ?? [];
  return before ?? bracket ?? COLUMNS.exec(line)?.[1];
}
const keyOf = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^\*+ |[\s:.]+$/g, '');

const resourceOf = (text: string, { domain, host }: Source): DomainRegistration | null => {
  const outcome = readWhoisText(text, domain, host, 0);
  return outcome.tag === 'found' ? outcome.resource : null;
};
type Source = { readonly domain: string; readonly host: string };

/** Values of every kind of field: a line of which one of them shows in the answer is read. */
const PROBES = [
  'Probe Name',
  'probe@probe.example',
  '+1.2025550199',
  '1999-09-19',
  'ns9.probe.example',
  'clientHold',
  'yes',
  'no',
  'REDACTED',
];

/** Whether a line is read into a field: without it, or with another value, the answer is another one, or its value is in the answer already. */
function isRead(lines: readonly string[], line: Line, whole: string, source: Source): boolean {
  const { at, value } = line;
  const without = (instead: readonly string[]): string => JSON.stringify(resourceOf(lines.toSpliced(at, 1, ...instead).join('\n'), source));
  if (without([]) !== whole || isRepeated(line, whole)) return true;
  if (line.continues) return false;
  const printed = lines[at] ?? '';
  const before = printed.slice(0, printed.length - printed.trimEnd().length ? printed.lastIndexOf(value) : printed.length - value.length);
  return PROBES.some((probe) => without([`${before}${probe}`]) !== whole);
}
/** A second copy of a value: as printed, as a date, as a state or as a statement about DNSSEC. */
function isRepeated({ value, label }: Line, whole: string): boolean {
  const [host = ''] = value.split(/[\s([]/);
  const said = [value, host, host.replace(/\.$/, ''), readDate(value) ?? '', ...readStatuses(decoded(value))];
  if (said.some((one) => one !== '' && whole.toLowerCase().includes(`"${one.toLowerCase()}"`))) return true;
  return label === 'dnssec' && whole.includes(`"dnssec":${signedOf(value)}`);
}

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'iu');
/** Which labels are ignored on purpose, and why. */
export const IGNORED = readTable(new URL('./recorded/ignored-labels.tsv', import.meta.url)).map(
  ([label = '', tlds = '', beside = '', reason = '']) => ({
    label: whole(label),
    tlds: tlds.split(','),
    beside: beside === '' ? null : whole(beside),
    reason,
  }),
);
export const tldOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/** An e-mail address or a telephone number, which is no part of a postal address. */
const ADDRESS = /\S@\S|\+ ?\d[\d .()-]{6,}/;
const OF_CONTACT = /^(?:registrant|admin|tech|billing|holder|owner)/;

/** The row of the table by which the value of a line is ignored on purpose. */
export function ignoredBy({ label, value, continues, beside }: Line, tld: string): (typeof IGNORED)[number] | undefined {
  const own = continues ? [keyOf(value)] : [label];
  const said = continues && !(OF_CONTACT.test(label) && ADDRESS.test(value)) ? [...own, label, `${label} +`] : own;
  return IGNORED.find(
    (row) =>
      (row.tlds.includes('*') || row.tlds.includes(tld)) &&
      said.some((one) => row.label.test(one)) &&
      (row.beside === null || beside.some((one) => row.beside?.test(one))),
  );
}

/** The lines of a recording that are neither read into a field nor ignored on purpose. */
export function unreadLines({ text, domain, answer }: Recorded): readonly Line[] {
  const source = { domain, host: new URL(answer.url).hostname };
  const lines = text.split(/\r\n|\n|\r/);
  const resource = resourceOf(text, source);
  if (resource === null) return []; // an answer about another name
  const answered = JSON.stringify(resource);
  return linesOfRecord(text).filter(
    (line) => stated(line.value) !== null && !ignoredBy(line, tldOf(domain)) && !isRead(lines, line, answered, source),
  );
}
