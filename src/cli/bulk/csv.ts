import { bad, good, type Read } from '../../contract/parameters/value-types.ts';

/** The fields of one record of RFC 4180, without its line end. */
export function fieldsOf(record: string): Read<string[]> {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    if (record[at] === '"') {
      let value = '';
      for (;;) {
        const end = record.indexOf('"', at + 1);
        if (end < 0) return bad('has a quoted field that does not end: close it with "');
        value += record.slice(at + 1, end);
        at = end + 1;
        if (record[at] !== '"') break;
        value += '"';
      }
      fields.push(value);
      if (at === record.length) return good(fields);
      if (record[at] !== ',') return bad(`has text after the closing quote of field ${fields.length}: write "" for a quote inside`);
      at++;
    } else {
      const comma = record.indexOf(',', at);
      const value = record.slice(at, comma < 0 ? undefined : comma);
      if (value.includes('"'))
        return bad(`has a quote inside field ${fields.length + 1}: quote the whole field, and write "" for the quote`);
      fields.push(value);
      if (comma < 0) return good(fields);
      at = comma + 1;
    }
  }
}

const fieldOf = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
/** One record of RFC 4180, without its line end. */
export const recordOf = (fields: readonly string[]): string => fields.map(fieldOf).join(',');
