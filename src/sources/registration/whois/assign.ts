import type { Role } from '../facts.ts';
import { stated } from '../redaction.ts';
import type { Field } from './labels.ts';
import type { Person } from './people.ts';
import type { WhoisRecord } from './record.ts';

/** Stores a value with the open contact, the contact of a role, or the domain, depending on its field. */
export function assign(record: WhoisRecord, open: Person, field: Field, value: string, key: string): void {
  switch (field) {
    case 'handle':
      record.object(value, open);
      return;
    case 'name':
    case 'firstName':
    case 'lastName':
    case 'organization':
    case 'email':
    case 'phone':
      open[field] = filled(open[field], value);
      return;
    case 'anonymous':
      open.anonymous ||= /^y/i.test(value);
      return;
  }
  const dot = field.indexOf('.');
  if (dot < 0) {
    record.set(field, value, key);
    return;
  }
  const person = record.person(field.slice(0, dot) as Role);
  const part = field.slice(dot + 1) as 'ref' | 'name' | 'firstName' | 'lastName' | 'organization' | 'email' | 'phone';
  person[part] = filled(person[part], value);
}
/** The first value, unless it is a placeholder. */
const filled = (before: string, value: string): string => (before === '' || stated(before) === null ? value : before);
