export type Cell = string | number | boolean | null;
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Characters that a spreadsheet keeps of a cell. It cuts a longer one without a word. */
const MAX_CELL = 32_767;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

/** A spreadsheet would run such a text as a formula (OWASP, CSV injection), or round its digits: an apostrophe in front keeps it a text. */
const needsApostrophe = (text: string): boolean => /^[=+\-@\t\r]/.test(text) || /^\d{16,}$/.test(text);

/** The text of a cell: an instant as a spreadsheet reads it, in UTC; a text that is too long is cut where the spreadsheet would cut it, with `…`. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell).toUpperCase();
  const text = needsApostrophe(cell) ? `'${cell}` : cell.replace(INSTANT, '$1 $2');
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

const fieldOf = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One record of RFC 4180 with its line end. */
export const csvRecord = (cells: readonly Cell[], separator = ','): string =>
  `${cells.map((cell) => fieldOf(cellText(cell))).join(separator)}\r\n`;

export const csvOf = ({ columns, rows }: Table): string => [columns, ...rows].map((row) => csvRecord(row)).join('');
