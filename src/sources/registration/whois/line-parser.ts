import { isRole, type Role } from '../facts.ts';
import { isTaken, readStatuses } from '../status.ts';
import { type Field, type Label, type Labels, labelsOf, type Section, sharesWord } from './labels.ts';
import { inCommonForm, NAME_IS_STATE } from './line-forms.ts';
import { announcedBy, BRACKET, decoded, holdsHosts, indentOf, isBlockBelow, keyOf, markOf, splitPairs, statementOf } from './lines.ts';
import { contactTypeOf, isReachable, newPerson, OPENS_OBJECT, type Person, roleOf } from './people.ts';
import { type Block, Place } from './place.ts';
import { WhoisRecord } from './record.ts';
import { isKeyLine } from './unread-values.ts';

/**
 * Reads the lines of a WHOIS answer in one pass: labels with values, headings, and values below them. The section decides what a plain label
 * means. After a blank line the domain's section continues until a heading or the first label of an object opens another one.
 */
export function parseLines(printed: readonly string[], asked: string): WhoisRecord {
  const lines = inCommonForm(printed, asked);
  const parser = new LineParser(asked);
  for (let i = 0; i < lines.length; i++) parser.line(lines[i] ?? '', lines[i + 1] ?? '');
  return parser.record;
}

/** Fields that name a contact. */
const NAMING: ReadonlySet<string> = new Set(['name', 'organization'] satisfies Field[]);
/** Maximum characters read of a line; registration data is never further right. */
const MAX_LINE = 2000;

class LineParser {
  readonly record: WhoisRecord;
  readonly #labels: Labels;
  readonly #place = new Place();
  #person: Person = newPerson();
  #announced: Role | null = null;
  /** The label of the line, and whether the labelled line above had the same. */
  #key = '';
  #isAgain = false;
  constructor(asked: string) {
    this.record = new WhoisRecord(asked);
    this.#labels = labelsOf(asked);
  }

  line(raw: string, next: string): void {
    const line = decoded(raw.length > MAX_LINE ? raw.slice(0, MAX_LINE) : raw).trimEnd();
    if (line === '') return void this.#blank();
    const indent = indentOf(line);
    const mark = markOf(line.charCodeAt(indent), line.slice(indent));
    if (mark === null) return; // a rule, a banner
    if (mark.blank) this.#blank();
    if (mark.body === '') {
      this.#announced = announcedBy(line, this.#labels) ?? this.#announced;
      return;
    }
    if (mark.blank) this.#enter('domain', indent);
    const { body } = mark;
    if (body.charCodeAt(0) === 91 || (body.charCodeAt(1) === 46 && body.charCodeAt(3) === 91)) return void this.#bracket(body, indent);
    const { above } = this.#place;
    if (above && indent <= above.indent) this.#place.above = null;
    if (this.#place.section === 'keys' && this.#isKey(indent)) this.#assign('dsRecord', body, '');
    else if (!this.#pairs(body, indent, next)) this.#unlabelled(body, indent, next);
    this.#place.starts = false;
  }

  /** Whether a line below a heading of keys is one of them, whatever its labels are. */
  #isKey(indent: number): boolean {
    const { open } = this.#place;
    if (!open || open.field !== null || indent <= open.indent) return false;
    open.values++;
    this.#place.count++;
    return true;
  }
  /** False if the line is not a label with a value. */
  #pairs(body: string, indent: number, next: string): boolean {
    const [first, second] = splitPairs(body, this.#labels);
    if (!first || !this.#labelled(first.key, first.value, first.spaced, indent, next)) return false;
    return second ? this.#labelled(second.key, second.value, true, indent, next) : true;
  }

  readonly #meaningOf = ({ fields }: Label): Field | undefined => fields.any ?? fields[this.#place.section];

  #blank(): void {
    this.#place.blank();
    this.record.paragraph();
  }
  #enter(section: Section, indent: number, heading = ''): void {
    this.#place.enter(section, indent, heading);
    if (isRole(section)) this.#person = this.record.person(section, heading);
    else if (section === 'object') this.#person = newPerson();
  }
  /** Below a blank line and still deeper than the heading of a contact: the next one under it. */
  #enterNext(isNext: (role: Role) => boolean): void {
    const { above } = this.#place;
    if (!above || !isRole(above.section) || !isNext(above.section)) return;
    this.#enter(above.section, above.indent, above.name);
    this.#place.starts = false;
  }

  #bracket(body: string, indent: number): void {
    const [, label = '', value = ''] = BRACKET.exec(body) ?? [];
    const key = label.trim().toLowerCase();
    const field = this.#labels(key).fields.bracket;
    this.#place.starts = false;
    if (field && this.#place.section !== 'other') return void this.#assign(field, value, key);
    const section = value === '' ? this.#labels(keyOf(label)).heading : undefined;
    if (!section) return;
    if (isRole(section)) this.record.noteForeignValue('handle', key);
    this.#enter(section, indent, key);
  }

  /** False if the text before the colon is not a label. */
  #labelled(key: string, value: string, spaced: boolean, indent: number, next: string): boolean {
    const label = this.#labels(key);
    this.#isAgain = key === this.#key;
    // "Admin Street1:1 High Street" below "Admin Organization:"
    const isLabel = spaced || (sharesWord(key, this.#key) && !value.startsWith('//'));
    this.#key = key;
    if (value !== '') this.#enterNext((role) => NAMING.has(label.fields[role] ?? ''));
    if (label.isPersonal) this.#place.personal = true;
    if (label.paragraph === 'object' || label.database?.test(value)) this.record.noteForeignValue('handle', value);
    if (value === '') return this.#heading(label, key, indent, next);
    const kind = label.fields.any === 'role' ? contactTypeOf(value) : undefined;
    if (kind && !this.record.foreign) {
      this.#enter(kind, indent, key);
      this.#place.count++;
      return true;
    }
    if (this.#announced && this.#place.starts && !this.record.foreign) {
      if (label.fields.registrant) this.#enter(this.#announced, indent);
      this.#announced = null;
    } else if ((this.#place.starts || this.#opensObject(key, value)) && !this.record.foreign && this.#paragraph(label, key, value, indent))
      return true;
    const expectsName = this.#place.open?.field === 'domain' && this.#place.open.values === 0 && key === 'name';
    const field = expectsName ? 'domain' : this.#meaningOf(label);
    if (!field || field === 'other' || field === 'role') {
      if (!isLabel) return false;
      if (!field) this.#unknown(key, value);
      if (this.#place.open && indent <= this.#place.open.indent) this.#place.open = null;
      if (this.#place.open) this.#place.open.isLabelled = true;
      this.#place.count++;
      return true;
    }
    this.#place.count++;
    if (field === 'dnssec' && this.#place.section === 'registrar') return true; // whether the registrar supports DNSSEC, not whether the domain is signed
    if (field === 'ns' && isRole(this.#place.section)) this.#enter('domain', indent); // a contact has no name servers
    if (!label.fields.any && this.#place.belongsToContact(field, this.record)) {
      this.record.noteForeignValue(field, value);
      return true;
    }
    this.#assign(field, value, key);
    const { open, section } = this.#place;
    if (field === 'ns' || field === 'status') this.#place.open = { field, indent, values: 1, behind: true };
    // in a contact's block, lines without a label continue the labelled one
    else if (isRole(section) && open?.field === null) open.isLabelled = true;
    else this.#place.open = null;
    // a paragraph with a registration date is about the domain
    if (field === 'created' && section === 'domain' && !this.#place.personal) this.#place.own = true;
    return true;
  }

  /** A value under a label that the table does not have: it is never assigned, but what it may be is unread. */
  #unknown(key: string, value: string): void {
    const { section, personal } = this.#place;
    if (this.record.foreign || (section !== 'domain' && !isRole(section))) return;
    const ofDomain = section === 'domain' && !personal;
    if (section === 'domain' && isKeyLine(key, value)) this.#assign('dsRecord', value, key);
    else this.record.unread.unknown(key, value, ofDomain, ofDomain || section === 'registrant');
  }
  /** Without a blank line above it, the object of a handle begins where its handle is printed again. */
  #opensObject = (key: string, value: string): boolean =>
    OPENS_OBJECT.test(key) && (this.#place.heading.name === key || this.record.namesHandle(value));
  /** The first label of a paragraph may open an object; true if the line is then fully read. */
  #paragraph({ paragraph: opened, fields }: Label, key: string, value: string, indent: number): boolean {
    if (!opened) return false;
    if (opened === 'object') {
      // an organisation given by name instead of a handle is the registrant
      const isHolder = key === 'organisation' && /\s/.test(value) && this.record.matched;
      const role = roleOf(value);
      this.#enter(role ?? (isHolder ? 'registrant' : 'object'), indent, key);
      if (isHolder) return false;
      this.#place.count++;
      if (role) return true;
      // `contact` is a handle where it opens an object, and a name below another handle
      if (key === 'contact') this.record.object(value, this.#person);
      return key === 'contact';
    }
    this.#enter(opened, indent, key);
    this.#place.open = null;
    if (fields.domain && isRole(opened)) this.#assign(fields.domain, value, key);
    return false;
  }

  #heading(label: Label, key: string, indent: number, next: string): boolean {
    const field = this.#meaningOf(label);
    const section = label.heading ?? (!field && isKeyLine(key, next.trim()) ? 'keys' : undefined);
    if (section && ((this.#place.starts && section !== 'other') || isBlockBelow(next, indent))) {
      this.#enter(section, indent, key);
      if (field === 'domain') this.#place.open = { field, indent, values: 0 };
      return true;
    }
    // the contact of a company may begin with an empty name
    const isNameless = label.paragraph === 'object' && NAMING.has(label.fields.registrant ?? '') && this.#place.starts;
    if (isNameless && !this.record.foreign) this.#enter('object', indent, key);
    if (!section && !field && !this.record.foreign) this.record.unread.heading(key);
    this.#place.open = field ? { field, indent, values: 0 } : null;
    this.#place.count++;
    return true;
  }

  #unlabelled(body: string, indent: number, next: string): void {
    this.#enterNext(() => isReachable(next.trim()) && this.#person.lines.some(isReachable));
    if (body.length < 64 && (!this.#place.open || indent <= this.#place.open.indent)) {
      const section = this.#labels(keyOf(body.endsWith(':') ? body.slice(0, -1) : body)).heading;
      if (section) return void this.#enter(section, indent, body);
    }
    this.#place.count++;
    const { section } = this.#place;
    if (this.#place.leavesBlock(indent) && isRole(section) && !this.record.foreign) this.record.unread.note(`${section}.name`, body);
    if (this.#place.open) this.#addToBlock(this.#place.open, body, indent);
    else {
      const statement = statementOf(body, this.#labels);
      if (statement?.domain !== undefined) this.record.domain(statement.domain);
      if (statement) this.#assign(statement.field, statement.value, '');
      // a host alone, below a heading that the table does not have
      else if (this.#place.section === 'domain' && !this.record.foreign && holdsHosts(body)) this.record.unread.note('ns', body);
    }
  }

  #addToBlock(open: Block, body: string, indent: number): void {
    const { field } = open;
    if (field === 'ns' && !holdsHosts(body)) return;
    open.values++;
    // after `Status: value`, a line continues the list only if it is indented deeper and a known status itself
    if (field === 'status' && open.behind && (indent <= open.indent || !readStatuses(body).every(isTaken))) return;
    const { section } = this.#place;
    if (field === 'ns' || field === 'status' || (field && open.values === 1)) this.#assign(field, body, '');
    else if (field || this.record.foreign) return;
    else if (section === 'keys') this.#assign('dsRecord', body, '');
    else if (open.isLabelled && !isReachable(body)) return;
    else if (section === 'abuse') this.#assign(body.includes('@') ? 'abuseEmail' : 'abusePhone', body, '');
    else if (isRole(section)) this.#person.lines.push(body);
  }

  #assign(field: Field, value: string, key: string): void {
    if (field === 'domain') {
      this.#place.own = true;
      const [, name = value, state] = NAME_IS_STATE.exec(value) ?? [];
      this.record.domain(name);
      if (state !== undefined && !this.record.foreign) this.record.assign(this.#person, 'status', state, key, false);
    } else if (this.record.foreign) this.record.noteForeignValue(field, value);
    else this.#person = this.record.assign(this.#person, field, value, key, this.#isAgain);
  }
}
