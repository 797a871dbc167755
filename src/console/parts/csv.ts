export type Cell = string | number | boolean | null;
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cellOf = (cell: Cell): string => {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? inert(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as CSV (RFC 4180). */
export const csvOf = ({ columns, rows }: Table): string => [columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** One row for each object; lists of texts are joined by blanks, objects are left out. */
export function tableOf(objects: readonly object[]): Table {
  const columns = Object.entries(objects[0] ?? {}).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) ? [] : [name],
  );
  const rows = objects.map((object) => {
    const fields = object as Readonly<Record<string, unknown>>;
    return columns.map((name): Cell => {
      const value = fields[name];
      if (Array.isArray(value)) return value.map(String).join(' ');
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
    });
  });
  return { columns, rows };
}
