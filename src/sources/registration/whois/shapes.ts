import { ANYWHERE, type Field, HEADINGS, type Section } from './labels.ts';
import { indentOf, splitLine } from './lines.ts';

export const SENTENCE = /^(?:(?:record|domain|entry)\s+(created|registered|expires|last updated|will expire)|(registered))\s+on:?\s+(.+)$/i;
const COLUMNS = /^([a-z][a-z ]{2,20}[a-z])(?: {2,}|\t+)(\S.*)$/i;
const IN_COLUMNS: ReadonlySet<Field> = new Set(['domain', 'created', 'expires', 'updated', 'status', 'ns', 'registrarName']);
export const NAME_AND_STATE = /^domain\s+([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s+\(([a-z, ]+)\)$/i;
export const BRACKET = /^(?:[a-z]{1,2}\. )?\[([^\]]{1,40})\]\s*(.*)$/;
/** A host alone on its line, or before an address, a state or a record type. */
export const HOST_LINE = /^(?:-\s+)?([\w-]+(?:\.[\w-]+)+\.?)(?:\s*$|[\s,]+(?:[\d[(|<]|[a-f0-9]{0,4}:|NS\s|OK\b).*$)/i;

/** `Label    value` in columns, without a colon, where the label is a known one of the domain. */
export function columnsOf(body: string): { field: Field; value: string } | null {
  const [, label = '', value = ''] = COLUMNS.exec(body) ?? [];
  const field = label === '' ? undefined : ANYWHERE.get(label.toLowerCase());
  return field && IN_COLUMNS.has(field) ? { field, value } : null;
}

/** The section that a line of this text opens, also where `information` or the like stands behind the words. */
export const headingOf = (key: string): Section | undefined =>
  HEADINGS.get(key) ?? HEADINGS.get(key.replace(/ (?:information|info|details|data)$/, ''));

/** Whether an empty label has a block below it: deeper lines, lines without a label, or nothing yet. */
export function isBlockBelow(next: string, indent: number): boolean {
  const line = next.trimEnd();
  if (line === '') return true;
  return indentOf(line) > indent || !splitLine(line.trimStart())?.spaced;
}
