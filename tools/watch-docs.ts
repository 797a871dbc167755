import { operationList } from '../src/contract/operations/index.ts';

const BEGIN = '<!-- npm run generate writes this table from the operations -->\n';
const END = '<!-- end of the table -->\n';

/** The fields of each operation that count by default. */
function fieldsTable(): string {
  const rows = operationList.map(({ id, watch }) => `| \`${id}\` | ${watch.fields.map((field) => `\`${field}\``).join(', ')} |`);
  return `| Operation | Fields |\n|---|---|\n${rows.join('\n')}\n`;
}

/** A page with the table between its two marks. */
export function withFieldsTable(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error('the page has no marks of the table of fields');
  return `${before}${BEGIN}\n${fieldsTable()}\n${END}${after}`;
}
