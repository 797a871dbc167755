import type { Field, Labels, Section } from './labels.ts';
import { isRole } from './place.ts';
import { indentOf, keyOf, splitLine } from './split-line.ts';

const SENTENCE = /^(?:(?:record|domain|entry)\s+(created|registered|expires|last updated|will expire)|(registered))\s+on:?\s+(.+)$/i;
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
const NAME_AND_STATE = /^domain\s+([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s+\(([a-z, ]+)\)$/i;
export const BRACKET = /^(?:[a-z]{1,2}\. )?\[([^\]]{1,40})\]\s*(.*)$/;
/** A host alone on its line, or followed by an address, a status or a record type. */
export const HOST_LINE = /^(?:-\s+)?([\w-]+(?:\.[\w-]+)+\.?)(?:\s*$|[\s,]+(?:[\d[(|<]|[a-f0-9]{0,4}:|NS\s|OK\b).*$)/i;

const COMMENT = { blank: true, body: '' } as const;
/**
 * How the first character changes the meaning of a line: comments (`%`, `#`), trailers (`>`, also escaped) and headings between stars end a
 * block (`blank`); rules such as `-----` mean nothing (null); a bullet is removed from the body.
 */
export function markOf(first: number, body: string): { readonly blank: boolean; readonly body: string } | null {
  if (first === 37 || first === 35 || first === 62 || (first === 38 && body.startsWith('&gt;'))) return COMMENT;
  if (first === 42) return body.startsWith('** ') ? { blank: true, body: body.slice(3).trimStart() } : null;
  if (first === 45 || first === 61) return /^-\s+\w/.test(body) ? { blank: false, body: body.replace(/^-\s+/, '') } : null;
  return { blank: false, body };
}

/** `Label    value` in columns without a colon, if the label is a known one of the domain; else null. */
export function columnsOf(body: string, labels: Labels): { field: Field; value: string } | null {
  const [, label = '', value = ''] = COLUMNS.exec(body) ?? [];
  const field = label === '' ? undefined : (labels.anywhere.get(label.toLowerCase()) ?? labels.inSection.domain.get(label.toLowerCase()));
  return field && IN_COLUMNS.has(field) ? { field, value } : null;
}

/** The contact section that a comment announces ("% Registrant:"); else null. */
export function announcedBy(comment: string, labels: Labels): Section | null {
  const words = /^[%#]+\s*(\p{L}[\p{L} /-]{2,40}):\s*$/u.exec(comment)?.[1];
  const section = words === undefined ? undefined : labels.headings.get(keyOf(words));
  return section !== undefined && isRole(section) ? section : null;
}

/** Whether an empty label begins a block: the next line is blank, indented deeper, or has no label. */
export function isBlockBelow(next: string, indent: number): boolean {
  const line = next.trimEnd();
  if (line === '') return true;
  return indentOf(line) > indent || !splitLine(line.trimStart())?.spaced;
}

export interface Statement {
  readonly field: Field;
  readonly value: string;
  /** The domain, if the sentence names it. */
  readonly domain?: string;
}
/** A sentence that states a field: "Record created on …", "domain shop.fr (registered)"; null for other text. */
export function statementOf(body: string): Statement | null {
  const first = body.charCodeAt(0) | 32;
  if (first !== 114 && first !== 100 && first !== 101) return null; // r, d, e
  const named = NAME_AND_STATE.exec(body);
  if (named) return { field: 'status', value: named[2] ?? '', domain: named[1] ?? '' };
  const sentence = SENTENCE.exec(body);
  if (!sentence) return null;
  const verb = (sentence[1] ?? sentence[2] ?? '').toLowerCase();
  return { field: verb.includes('expire') ? 'expires' : verb.includes('update') ? 'updated' : 'created', value: sentence[3] ?? '' };
}
