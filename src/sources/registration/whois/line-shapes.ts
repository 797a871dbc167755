import { isRole, type Role } from '../facts.ts';
import type { Field, Labels } from './labels.ts';
import { indentOf, keyOf, splitLine } from './split-line.ts';

const SENTENCE = /^(?:(?:record|domain|entry)\s+(created|registered|expires|last updated|will expire)|(registered))\s+on:?\s+(.+)$/i;
const COLUMNS = /^([a-z][a-z ]{2,20}[a-z])(?: {2,}|\t+)(\S.*)$/i;
const IN_COLUMNS = /^(?:domain|created|expires|updated|status|ns|registrar(?:Name)?|dnssec)$/;
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

/** The contact section that a comment announces ("% Registrant:"); else null. */
export function announcedBy(comment: string, labels: Labels): Role | null {
  const section = labels.heading(keyOf(/^[%#]+\s*(\p{L}[\p{L} /-]{2,40}):\s*$/u.exec(comment)?.[1] ?? ''));
  return section && isRole(section) ? section : null;
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
  readonly domain?: string;
}
/** `Label    value` in columns with a known label of the domain, or a sentence ("Record created on …"); null for other text. */
export function statementOf(body: string, labels: Labels): Statement | null {
  const [, label = '', value = ''] = (body.length < 100 && COLUMNS.exec(body)) || [];
  const field = labels.field('any', label.toLowerCase()) ?? labels.field('domain', label.toLowerCase());
  if (field && IN_COLUMNS.test(field)) return { field, value };
  const first = body.charCodeAt(0) | 32;
  if (first !== 114 && first !== 100 && first !== 101) return null; // r, d, e
  const named = NAME_AND_STATE.exec(body);
  if (named) return { field: 'status', value: named[2] ?? '', domain: named[1] ?? '' };
  const sentence = SENTENCE.exec(body);
  if (!sentence) return null;
  const verb = (sentence[1] ?? sentence[2] ?? '').toLowerCase();
  return { field: verb.includes('expire') ? 'expires' : verb.includes('update') ? 'updated' : 'created', value: sentence[3] ?? '' };
}
