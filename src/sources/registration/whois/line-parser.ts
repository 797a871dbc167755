import { isTaken, readStatuses } from '../status.ts';
import { assign } from './assign.ts';
import {
  ANYWHERE,
  BRACKETED,
  DATABASE_LABELS,
  type Field,
  IN_SECTION,
  OBJECT_LABELS,
  PARAGRAPH_SECTIONS,
  PERSONAL,
  type Section,
} from './labels.ts';
import { ROLE_LABELS } from './languages.ts';
import { newPerson, type Person } from './people.ts';
import { type Block, isRole, Place, roleOf } from './place.ts';
import { Gathered } from './record.ts';
import { announcedBy, BRACKET, columnsOf, HOST_LINE, headingOf, isBlockBelow, markOf, NAME_AND_STATE, SENTENCE } from './shapes.ts';
import { decoded, indentOf, keyOf, splitLine } from './split-line.ts';

/**
 * One pass over the lines of a WHOIS answer. A line is a label with a value, a heading, or a value below one; where it stands (its section)
 * decides what a plain label means. A blank line ends a block, and after it the lines speak of the domain again until a heading or the
 * first label of an object says otherwise.
 */
export function gather(lines: readonly string[], asked: string): Gathered {
  const parseLines = new LineParser(asked);
  for (let i = 0; i < lines.length; i++) parseLines.line(lines[i] ?? '', lines[i + 1] ?? '');
  return parseLines.record;
}

/** What stands further right on a line is no registration data. */
const MAX_LINE = 2000;

const isDomainLabel = (key: string): boolean => ANYWHERE.has(key) || IN_SECTION.domain.has(key);

class LineParser {
  readonly record: Gathered;
  readonly #place = new Place();
  #person: Person = newPerson();
  /** Whose block a comment has announced. */
  #announced: Section | null = null;

  constructor(asked: string) {
    this.record = new Gathered(asked);
  }

  line(raw: string, next: string): void {
    const line = decoded(raw.length > MAX_LINE ? raw.slice(0, MAX_LINE) : raw).trimEnd();
    if (line === '') {
      this.#blank();
      return;
    }
    const indent = indentOf(line);
    const mark = markOf(line.charCodeAt(indent), line.slice(indent));
    if (mark === null) return; // a ruled line, a banner
    if (mark.blank) this.#blank();
    if (mark.body === '') {
      this.#announced = announcedBy(line) ?? this.#announced;
      return;
    }
    if (mark.blank) this.#enter('domain', indent);
    const { body } = mark;
    const c = body.charCodeAt(0);
    if (c === 91 || (body.charCodeAt(1) === 46 && body.charCodeAt(3) === 91)) {
      this.#bracket(body, indent);
      return;
    }
    if (!this.#labels(body, indent, next)) this.#free(body, indent);
    this.#place.starts = false;
  }

  /** False where the line is no label with a value. Two may stand on one line, a tab or blanks apart. */
  #labels(body: string, indent: number, next: string): boolean {
    const split = splitLine(body);
    if (!split) return false;
    const gap = split.value.search(/\t| {3}/);
    const second = gap > 0 ? splitLine(split.value.slice(gap).trimStart()) : null;
    const known = second?.spaced && second.value !== '' && isDomainLabel(keyOf(second.label));
    const value = known ? split.value.slice(0, gap) : split.value;
    if (!this.#labelled(keyOf(split.label), value, split.spaced, indent, next)) return false;
    return known ? this.#labelled(keyOf(second.label), second.value, true, indent, next) : true;
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
    const section = value === '' ? headingOf(keyOf(label)) : undefined;
    if (!section) return;
    if (isRole(section)) this.record.passOver('handle', key);
    this.#enter(section, indent);
  }

  /** False where the line only looks like a label. */
  #labelled(key: string, value: string, spaced: boolean, indent: number, next: string): boolean {
    if (PERSONAL.has(key)) this.#place.personal = true;
    if (OBJECT_LABELS.has(key) || DATABASE_LABELS.get(key)?.test(value)) this.record.passOver('handle', value);
    if (value === '') return this.#heading(key, indent, next);
    const kind = ROLE_LABELS.has(key) && !OBJECT_LABELS.has(key) ? roleOf(value) : undefined;
    if (kind && !this.record.foreign) {
      this.#enter(kind, indent);
      this.#place.count++;
      return true;
    }
    if (this.#announced && this.#place.starts && !this.record.foreign) {
      if (IN_SECTION.registrant.has(key)) this.#enter(this.#announced, indent);
      this.#announced = null;
    } else if (this.#place.starts && !this.record.foreign && this.#paragraph(key, value, indent)) return true;
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
    const { open, section } = this.#place;
    if (field === 'ns' || field === 'status') this.#place.open = { field, indent, values: 1, behind: true };
    // lines without a label go on below labelled ones in the block of a person
    else if (!isRole(section) || open?.field !== null) this.#place.open = null;
    // a paragraph that states when the name was registered is about the name
    if (field === 'created' && section === 'domain' && !this.#place.personal) this.#place.own = true;
    return true;
  }

  /** The first label of a paragraph may open an object of its own. */
  #paragraph(key: string, value: string, indent: number): boolean {
    if (OBJECT_LABELS.has(key)) {
      // an organisation that is written out instead of a handle holds the name
      const isHolder = key === 'organisation' && /\s/.test(value) && this.record.matched;
      const role = roleOf(value);
      this.#enter(role ?? (isHolder ? 'registrant' : 'object'), indent);
      if (isHolder) return false;
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
    const { open } = this.#place;
    if (open?.apart && open.field !== 'ns' && open.values === 0 && indent <= open.indent) this.#place.open = null;
    if (this.#place.open) {
      this.#feed(this.#place.open, body, indent);
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

  #feed(open: Block, body: string, indent: number): void {
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
      // below a state that stands behind its label, only a deeper line that is a state as well
      if (open.behind && (indent <= open.indent || !readStatuses(body).every(isTaken))) return;
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
    assign(this.record, this.#person, field, value, key);
  }
}
