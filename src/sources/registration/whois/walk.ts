import type { Role } from '../facts.ts';
import { ANYWHERE, BRACKETED, type Field, IN_SECTION, OBJECT_LABELS, PARAGRAPH_SECTIONS, PERSONAL, type Section } from './labels.ts';
import { indentOf, keyOf, splitLine } from './lines.ts';
import { newPerson, type Person } from './people.ts';
import { isRole, Place, ROLE_OF } from './place.ts';
import { Gathered } from './record.ts';
import { type Block, BRACKET, columnsOf, HOST_LINE, headingOf, isBlockBelow, markOf, NAME_AND_STATE, SENTENCE } from './shapes.ts';

/**
 * One pass over the lines of a WHOIS answer. A line is a label with a value, a heading, or a value below one; where it stands (its section)
 * decides what a plain label means. A blank line ends a block, and after it the lines speak of the domain again until a heading or the
 * first label of an object says otherwise.
 */
export function gather(lines: readonly string[], asked: string): Gathered {
  const walk = new Walk(asked);
  for (let i = 0; i < lines.length; i++) walk.line(lines[i] ?? '', lines[i + 1] ?? '');
  return walk.record;
}

/** What stands further right on a line is no registration data. */
const MAX_LINE = 2000;

class Walk {
  readonly record: Gathered;
  readonly #place = new Place();
  #person: Person = newPerson();

  constructor(asked: string) {
    this.record = new Gathered(asked);
  }

  line(raw: string, next: string): void {
    const line = (raw.length > MAX_LINE ? raw.slice(0, MAX_LINE) : raw).trimEnd();
    if (line === '') {
      this.#blank();
      return;
    }
    const indent = indentOf(line);
    const mark = markOf(line.charCodeAt(indent), line.slice(indent));
    if (mark === null) return; // a ruled line, a banner
    if (mark.blank) this.#blank();
    if (mark.body === '') return;
    if (mark.blank) this.#enter('domain', indent);
    const { body } = mark;
    const c = body.charCodeAt(0);
    if (c === 91 || (body.charCodeAt(1) === 46 && body.charCodeAt(3) === 91)) {
      this.#bracket(body, indent);
      return;
    }
    const split = splitLine(body);
    if (split) {
      const key = keyOf(split.label);
      if (this.#labelled(key, split.value, split.spaced, indent, next)) {
        this.#place.starts = false;
        return;
      }
    }
    this.#free(body, indent);
    this.#place.starts = false;
  }

  #blank(): void {
    this.#place.blank();
    this.record.paragraph();
  }
  #enter(section: Section, indent: number): void {
    this.#place.enter(section, indent);
    if (isRole(section)) this.#person = this.record.person(section);
    else if (section === 'object') this.#person = newPerson();
  }

  #bracket(body: string, indent: number): void {
    const [, label = '', value = ''] = BRACKET.exec(body) ?? [];
    const key = label.trim().toLowerCase();
    const field = BRACKETED.get(key);
    this.#place.starts = false;
    if (field && this.#place.section !== 'other') {
      this.#assign(field, value, key);
      return;
    }
    const section = value === '' ? headingOf(key) : undefined;
    if (section) this.#enter(section, indent);
  }

  /** False where the line only looks like a label. */
  #labelled(key: string, value: string, spaced: boolean, indent: number, next: string): boolean {
    if (PERSONAL.has(key)) this.#place.personal = true;
    if (OBJECT_LABELS.has(key)) this.record.passOver('handle', value);
    if (value === '') return this.#heading(key, indent, next);
    if (this.#place.starts && !this.record.foreign && this.#paragraph(key, value, indent)) return true;
    const expectsName = this.#place.open?.field === 'domain' && this.#place.open.values === 0 && key === 'name';
    const field = expectsName ? 'domain' : (ANYWHERE.get(key) ?? IN_SECTION[this.#place.section].get(key));
    if (!field) {
      if (!spaced) return false;
      if (this.#place.open && indent <= this.#place.open.indent) this.#place.open = null;
      this.#place.count++;
      return true;
    }
    this.#place.count++;
    if (field === 'dnssec' && this.#place.section === 'registrar') return true; // what the registrar is able to do
    if (!ANYWHERE.has(key) && this.#place.isSomebodys(field, this.record)) {
      this.record.passOver(field, value);
      return true;
    }
    this.#assign(field, value, key);
    this.#place.open = field === 'ns' ? { field, indent, values: 1 } : null;
    return true;
  }

  /** The first label of a paragraph may open an object of its own. */
  #paragraph(key: string, value: string, indent: number): boolean {
    if (OBJECT_LABELS.has(key)) {
      const role = ROLE_OF[value.toLowerCase()];
      this.#enter(role ?? 'object', indent);
      this.#place.count++;
      if (role) return true;
      // the same label is a handle where it opens an object, and a name below another handle
      if (key === 'contact') this.record.object(value, this.#person);
      return key === 'contact';
    }
    const section = PARAGRAPH_SECTIONS.get(key);
    if (!section) return false;
    this.#enter(section, indent);
    this.#place.open = null;
    const field = IN_SECTION.domain.get(key);
    if (field && isRole(section)) this.#assign(field, value, key);
    return false;
  }

  #heading(key: string, indent: number, next: string): boolean {
    const section = headingOf(key);
    const field = ANYWHERE.get(key) ?? IN_SECTION[this.#place.section].get(key);
    if (section && (this.#place.starts || isBlockBelow(next, indent))) {
      this.#enter(section, indent);
      if (field === 'domain') this.#place.open = { field, indent, values: 0 };
      return true;
    }
    this.#place.open = field ? { field, indent, values: 0 } : null;
    this.#place.count++;
    return true;
  }

  #free(body: string, indent: number): void {
    if (body.length < 64 && (!this.#place.open || indent <= this.#place.open.indent)) {
      const section = headingOf(keyOf(body.endsWith(':') ? body.slice(0, -1) : body));
      if (section) {
        this.#enter(section, indent);
        return;
      }
    }
    this.#place.count++;
    if (this.#place.open) {
      this.#feed(this.#place.open, body);
      return;
    }
    const columns = body.length < 100 ? columnsOf(body) : null;
    if (columns) {
      this.#assign(columns.field, columns.value, '');
      return;
    }
    const first = body.charCodeAt(0) | 32;
    if (first !== 114 && first !== 100 && first !== 101) return; // r, d, e
    const named = NAME_AND_STATE.exec(body);
    if (named) {
      this.record.domain(named[1] ?? '');
      this.#assign('status', named[2] ?? '', '');
      return;
    }
    const sentence = SENTENCE.exec(body);
    if (!sentence) return;
    const verb = (sentence[1] ?? sentence[2] ?? '').toLowerCase();
    const field = verb.includes('expire') ? 'expires' : verb.includes('update') ? 'updated' : 'created';
    this.#assign(field, sentence[3] ?? '', '');
  }

  #feed(open: Block, body: string): void {
    const { field } = open;
    if (field === 'ns') {
      const host = HOST_LINE.exec(body)?.[1];
      if (host === undefined) return;
      open.values++;
      this.#assign('ns', body.replace(/^-\s+/, ''), '');
      return;
    }
    open.values++;
    if (field === 'status') {
      this.#assign('status', body, '');
      return;
    }
    if (field) {
      if (open.values === 1) this.#assign(field, body, '');
      return;
    }
    if (this.record.foreign) return;
    if (this.#place.section === 'keys') {
      this.#assign('dsRecord', body, '');
      return;
    }
    if (this.#place.section === 'abuse') {
      this.#assign(body.includes('@') ? 'abuseEmail' : 'abusePhone', body, '');
      return;
    }
    if (isRole(this.#place.section)) this.#person.lines.push(body);
  }

  #assign(field: Field, value: string, key: string): void {
    if (field === 'domain') {
      this.#place.own = true;
      this.record.domain(value);
      return;
    }
    if (this.record.foreign) {
      this.record.passOver(field, value);
      return;
    }
    switch (field) {
      case 'handle':
        this.record.object(value, this.#person);
        return;
      case 'name':
      case 'organization':
      case 'email':
      case 'phone':
        this.#person[field] ||= value;
        return;
      case 'anonymous':
        this.#person.anonymous ||= /^y/i.test(value);
        return;
    }
    const dot = field.indexOf('.');
    if (dot < 0) {
      this.record.set(field, value, key);
      return;
    }
    const person = this.record.person(field.slice(0, dot) as Role);
    const part = field.slice(dot + 1) as 'ref' | 'name' | 'organization' | 'email' | 'phone';
    person[part] ||= value;
  }
}
