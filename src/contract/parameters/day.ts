import { bad, good, type ValueType } from './value-types.ts';

/** A calendar day, `YYYY-MM-DD`. */
export const day: ValueType<string> = {
  schema: { type: 'string', format: 'date' },
  read(text) {
    const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? good(text) : bad('must be a day, such as 2026-01-31');
  },
};
