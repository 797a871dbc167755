import { ANYWHERE, type Field, HEADINGS, IN_SECTION, type Section } from './labels.ts';
import { isRole } from './place.ts';
import { indentOf, keyOf, splitLine } from './split-line.ts';

export const SENTENCE = /^(?:(?:record|domain|entry)\s+(created|registered|expires|last updated|will expire)|(registered))\s+on:?\s+(.+)$/i;
const COLUMNS = /^([a-z][a-z ]{2,20}[a-z])(?: {2,}|\t+)(\S.*)$/i;
const IN_COLUMNS: ReadonlySet<Field> = new Set([
  'domain',
  'created',
  'expires',
  'updated',
  'status',
  'ns',
  'registrarName',
  'registrar',
  'dnssec',
]);
export const NAME_AND_STATE = /^domain\s+([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s+\(([a-z, ]+)\)$/i;
export const BRACKET = /^(?:[a-z]{1,2}\. )?\[([^\]]{1,40})\]\s*(.*)$/;
/** A host alone on its line, or before an address, a state or a record type. */
export const HOST_LINE = /^(?:-\s+)?([\w-]+(?:\.[\w-]+)+\.?)(?:\s*$|[\s,]+(?:[\d[(|<]|[a-f0-9]{0,4}:|NS\s|OK\b).*$)/i;

const COMMENT = { blank: true, body: '' } as const;
/**
 * What the first character of a line makes of it: a comment (`%`, `#`), a trailer (`>`, or escaped) and a heading between stars end a block;
 * a ruled line is nothing (null); a bullet is cut off.
 */
export function markOf(first: number, body: string): { readonly blank: boolean; readonly body: string } | null {
  if (first === 37 || first === 35 || first === 62 || (first === 38 && body.startsWith('&gt;'))) return COMMENT;
  if (first === 42) return body.startsWith('** ') ? { blank: true, body: body.slice(3).trimStart() } : null;
  if (first === 45 || first === 61) return /^-\s+\w/.test(body) ? { blank: false, body: body.replace(/^-\s+/, '') } : null;
  return { blank: false, body };
}

/** `Label    value` in columns, without a colon, where the label is a known one of the domain. */
export function columnsOf(body: string): { field: Field; value: string } | null {
  const [, label = '', value = ''] = COLUMNS.exec(body) ?? [];
  const field = label === '' ? undefined : (ANYWHERE.get(label.toLowerCase()) ?? IN_SECTION.domain.get(label.toLowerCase()));
  return field && IN_COLUMNS.has(field) ? { field, value } : null;
}

/** The section that a line of this text opens, also where `information` or the like stands behind the words. */
export const headingOf = (key: string): Section | undefined =>
  HEADINGS.get(key) ?? HEADINGS.get(key.replace(/ (?:information|info|details|data)$/, ''));

/** The section that a comment announces by its words alone ("% Registrant:"). */
export function announcedBy(comment: string): Section | null {
  const words = /^[%#]+\s*(\p{L}[\p{L} /-]{2,40}):\s*$/u.exec(comment)?.[1];
  const section = words === undefined ? undefined : headingOf(keyOf(words));
  return section !== undefined && isRole(section) ? section : null;
}

/** Whether an empty label has a block below it: deeper lines, lines without a label, or nothing yet. */
export function isBlockBelow(next: string, indent: number): boolean {
  const line = next.trimEnd();
  if (line === '') return true;
  return indentOf(line) > indent || !splitLine(line.trimStart())?.spaced;
}
