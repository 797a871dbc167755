import { readDate } from '../dates.ts';
import { type Facts, type Role, registrarName, shownEmail, shownPhone, stated } from '../facts.ts';
import { hasQuirk, hostName, readHost, sameDomain } from '../registries.ts';
import { isTaken, readStatuses, signedOf } from '../status.ts';
import type { DateField, Field, OfRegistrar } from './labels.ts';
import { SEVERAL_HOSTS } from './lines.ts';
import { contactsOf, handlesIn, isNamed, isOfNext, isPart, newPerson, type Part, type People, type Person, setPart } from './people.ts';
import { isKeyRecord, UnreadValues } from './unread-values.ts';

const FIRM: ReadonlySet<Field> = new Set(['created', 'expires', 'updated', 'registrar', 'registrarName', 'ianaId', 'ns', 'handle']);

/** Values of a status line that mean "not registered" or "not allowed": the phrases interpret them. */
const NOT_A_STATUS =
  /^(?:free|available(?: for registration)?|no (?:object|match|data|record)s? found|(?:not|un) ?-?registered|not (?:found|assigned|exists?)|unassigned|invalid|not allowed|unassignable|libre|disponible|disponível|livre|disponibile|libero|frei|wolna|volná)[.!]*$/i;
/** `Label: date (remark)` lines of one registry: the first is the registration, the last the latest change. */
const DATED_REMARK = /\b(\d{8})\s*\((assigned|changed|registered)\)\s*$/i;

/** `changed: who 20251013` of RIPE's software, a line for each change; with the time at one registry, which prints `created` so, too. */
const DATED_BY = /^\S+\s+(\d{8})(?:\d{6})?$/;
/** `16/09/03` of one registry, which has names since 1988; no expiry lies before this century. */
const SHORT_YEAR = /^(\d\d\/\d\d\/)(\d\d)$/;
const withCentury = (value: string, field: DateField): string =>
  value.replace(SHORT_YEAR, (_, day: string, year: string) => `${day}${field !== 'expires' && Number(year) >= 88 ? 19 : 20}${year}`);

/** What is stated about the domain itself. `state` counts where there is no `status`. */
const newFacts = () => ({
  dates: {} as Partial<Record<DateField, string>>,
  status: [] as string[],
  state: [] as string[],
  ns: [] as string[],
  dnssec: null as boolean | null,
  hasKeys: false,
});
const newParties = () => ({
  registrar: {} as Partial<Record<OfRegistrar, string>>,
  people: {} as People,
  objects: new Map<string, Person>(),
});

/** A WHOIS record while its lines are read. The first value of a field wins, because the domain's own object comes first. */
export class WhoisRecord {
  /** The text named the queried domain. */
  matched = false;
  /** Another domain that the text names instead. */
  other: string | null = null;
  /** The lines being read belong to another domain. */
  foreign = false;
  whoisServer: string | null = null;
  /** A web page, another port or a sentence that is named in place of the registrar's server. */
  whoisPage: string | null = null;
  /** Blank lines do not end the domain's own paragraph. */
  readonly wide: boolean;
  readonly unread = new UnreadValues();
  readonly #asked: string;
  readonly #dayOrder: 'mdy' | 'dmy';
  #own = newFacts();
  #parties = newParties();
  /** Registration data was read that does not belong to the domain, or not surely. */
  #foreignValues = false;
  #fields = 0;
  #earlier = 0;
  /** Lists that a second copy of the record must not extend. */
  #fixed = { status: false, ns: false, people: false };

  constructor(asked: string) {
    this.#asked = asked;
    this.wide = hasQuirk(asked, 'one-paragraph');
    this.#dayOrder = hasQuirk(asked, 'month-first') ? 'mdy' : 'dmy';
  }

  /** The contact of a role that is being read; below a heading that is repeated, another one. */
  person(role: Role, heading?: string): Person {
    const last = this.#parties.people[role]?.at(-1);
    const isNext = heading !== undefined && last?.heading === heading && isNamed(last) && !this.#fixed.people;
    if (last && !isNext) return last;
    return this.#add(newPerson(role, heading));
  }
  #add(person: Person): Person {
    if (person.role === null) return person;
    this.#parties.people[person.role] ??= [];
    this.#parties.people[person.role]?.push(person);
    return person;
  }
  object(handle: string, person: Person): void {
    const { objects } = this.#parties;
    if (handle !== '' && !objects.has(handle.toLowerCase())) objects.set(handle.toLowerCase(), person);
  }

  /** Whether a role of the domain names a value, as a handle. */
  namesHandle = (value: string): boolean => handlesIn(this.#parties.people).includes(value.toLowerCase());
  paragraph(): void {
    this.#earlier = this.#fields;
  }

  #isAsked(name: string): boolean {
    return sameDomain(name, this.#asked) || (hasQuirk(this.#asked, 'label-alone') && name.toLowerCase() === this.#asked.split('.')[0]);
  }
  domain(value: string): void {
    const name = value.replace(/^[^\p{L}\p{N}]+/u, '');
    if (name === '') return;
    if (this.#isAsked(name)) {
      if (this.matched && this.#fields > 0)
        this.#fixed = { status: this.#own.status.length > 0, ns: this.#own.ns.length > 0, people: true };
      // paragraphs before the name are not about it, except for registrant and registrar
      else if (!this.matched && this.#earlier > 0) this.#forgetFacts();
      this.matched = true;
      this.foreign = false;
      return;
    }
    // several spellings of an internationalised name may follow each other; a name after data begins another record, if it is one
    if (this.matched && (this.#fields === 0 || readHost(name) === null)) return;
    this.foreign = true;
    if (this.matched) return;
    this.other ??= name.slice(0, 80);
    this.#forgetFacts();
    this.#parties = newParties();
  }
  #forgetFacts(): void {
    this.#own = newFacts();
    this.unread.clear();
  }

  noteForeignValue(field: Field, value: string): void {
    this.#foreignValues ||= FIRM.has(field) && stated(value) !== null;
  }

  /** Stores a value with the open contact, the contact of a role, or the domain, depending on its field. The contact that is open then. */
  assign(open: Person, field: Field, value: string, key: string, isAgain = false): Person {
    const dot = field.indexOf('.');
    if (field === 'handle') this.object(value, open);
    else if (field === 'anonymous') open.anonymous ||= /^y/i.test(value);
    else if (dot >= 0) this.#setPart(this.person(field.slice(0, dot) as Role), field.slice(dot + 1) as Part, value, key, isAgain);
    else if (isPart(field)) return this.#setPart(open, field, value, key, isAgain);
    else if (value !== '' && !(key === 'dns' && hasQuirk(this.#asked, 'dns-is-name'))) {
      this.#fields++;
      this.#set(field, value);
    }
    return open;
  }
  #setPart(person: Person, part: Part, value: string, label: string, isAgain: boolean): Person {
    const isNext = person.role !== null && isOfNext(person, part, value, label, isAgain) && !this.#fixed.people;
    const one = isNext ? this.#add(newPerson(person.role, person.heading)) : person;
    one.isListed ||= isNext && isAgain && part === 'party';
    setPart(one, part, value, label);
    return one;
  }

  #set(field: Field, value: string): void {
    const own = this.#own;
    if (field === 'created' || field === 'expires' || field === 'registrarExpires' || field === 'updated') this.#date(field, value);
    else if (field === 'status') this.#states(value);
    else if (field === 'state' && hasQuirk(this.#asked, 'state-is-status')) own.state.push(...readStatuses(value));
    else if (field === 'ns') this.#nameServer(value);
    else if (field === 'registrar' || field === 'registrarName' || field === 'registrarHandle' || field === 'provider')
      this.#ofRegistrar(field, registrarName(value));
    else if (field === 'ianaId') this.#ofRegistrar(field, this.unread.of(field, value, /^\d{1,10}$/.test(value) ? value : null));
    else if (field === 'abuseEmail') this.#ofRegistrar(field, this.unread.shown(field, value, shownEmail));
    else if (field === 'abusePhone') this.#ofRegistrar(field, this.unread.shown(field, value, shownPhone));
    else if (field === 'dnssec') own.dnssec ??= this.unread.of(field, value, isKeyRecord(value) || signedOf(value));
    else if (field === 'dsRecord') own.hasKeys ||= /\w{2}/.test(value) && !/^(?:no|none|unsigned|inactive|n\/a)\b/i.test(value);
    else if (field === 'keyset') own.hasKeys ||= stated(value) !== null;
    else if (field === 'whoisServer') this.#server(value);
  }
  #server(value: string): void {
    const [, host = value, path = ''] = /^(?:[a-z]+:\/\/)?([^/\s:]+)(?::43)?\/?(\S*)$/i.exec(value) ?? [];
    this.whoisServer ??= path === '' ? hostName(host) : null;
    if (this.whoisServer === null && stated(value) !== null) this.whoisPage ??= value;
  }
  #ofRegistrar(field: OfRegistrar, value: string | null): void {
    if (value !== null) this.#parties.registrar[field] ??= value;
  }
  #date(field: DateField, value: string): void {
    const { dates } = this.#own;
    const [, remarked, remark = ''] = DATED_REMARK.exec(value) ?? [];
    if (remarked !== undefined) {
      const date = this.unread.of('created', value, readDate(remarked));
      if (date !== null && /assigned|registered/i.test(remark)) dates.created ??= date;
      else if (date !== null) dates.updated = date;
      return;
    }
    const by = field === 'updated' || field === 'created' ? DATED_BY.exec(value)?.[1] : undefined;
    if (by !== undefined && field === 'updated') {
      const date = this.unread.of(field, value, readDate(by));
      if (date !== null && date > (dates.updated ?? '')) dates.updated = date;
      return;
    }
    if (dates[field] !== undefined) return;
    const day = by ?? (hasQuirk(this.#asked, 'short-year') ? withCentury(value, field) : value);
    const date = this.unread.of(field, value, readDate(day, this.#dayOrder));
    if (date !== null) dates[field] = date;
  }
  #states(value: string): void {
    if (this.#fixed.status) return;
    const code = /^(\d{3})\s+/.exec(value);
    if (code && !/^2[01]/.test(code[1] ?? '')) return; // codes of one registry: only 20x and 21x mean that there is a record
    const [, status = '', until = /\((\d{4}\/\d{2}\/\d{2})\)\s*$/.exec(value)?.[1]] = /^(\w+)-UNTIL (\d{8})\d*$/.exec(value) ?? [];
    const bare = status || (code ? value.slice(code[0].length) : value);
    if (NOT_A_STATUS.test(bare.trim())) return;
    // "linked" ("associated") is a status of contacts and hosts (RFC 5732, 5733), which some registries print with them
    this.#own.status.push(...readStatuses(bare).filter((status) => status !== 'linked'));
    // some registries print the expiry date after the status
    if (until !== undefined) this.#date('expires', until);
  }
  #nameServer(value: string): void {
    if (this.#fixed.ns) return;
    for (const one of SEVERAL_HOSTS.test(value) ? value.split(/[\s,;]+/).filter(Boolean) : [value.replace(/^\S+\s+NS\s+/, '')]) {
      const host = this.unread.of('ns', value, readHost(one));
      if (host !== null) this.#own.ns.push(host);
    }
  }

  get hasRecord(): boolean {
    const { registrar, registrarName, provider } = this.#parties.registrar;
    const firm = registrar ?? registrarName ?? provider ?? Object.values(this.#own.dates)[0] ?? this.#own.ns[0];
    return firm === undefined ? this.matched && this.hasMoreThanRegistrar : this.other === null || this.matched;
  }
  get hasMoreThanRegistrar(): boolean {
    const { dates, ns, hasKeys } = this.#own;
    return Object.keys(dates).length + ns.length + this.#contacts().length > 0 || hasKeys || this.#isTaken;
  }
  /** Whether a value was read that only registered domains have, even if there is too little for a record. */
  get hasTraces(): boolean {
    const { abuseEmail, abusePhone, ...registrar } = this.#parties.registrar;
    return this.#foreignValues || Object.keys(registrar).length > 0 || this.hasMoreThanRegistrar;
  }
  get #isTaken(): boolean {
    return [...this.#own.status, ...this.#own.state].some(isTaken);
  }
  readonly #contacts = (): Facts['contacts'] => contactsOf(this.#parties.people, this.#parties.objects);
  unreadIn = (facts: Facts): readonly string[] => this.unread.pathsIn(facts, this.#parties.people, this.#parties.objects);
  facts(): Facts {
    const { dates, status, state, ns, dnssec, hasKeys } = this.#own;
    const { registrar, registrarName, registrarHandle, provider, ianaId, abuseEmail, abusePhone } = this.#parties.registrar;
    return {
      registrar: {
        name: registrarName ?? registrar ?? registrarHandle ?? (ianaId === undefined ? (provider ?? null) : null),
        ianaId: ianaId ?? null,
        abuseEmail: abuseEmail ?? null,
        abusePhone: abusePhone ?? null,
      },
      registeredOn: dates.created ?? null,
      expiresOn: dates.expires ?? dates.registrarExpires ?? null,
      updatedOn: dates.updated ?? null,
      status: status.length ? status : state,
      nameServers: ns,
      dnssec: hasKeys ? true : dnssec,
      contacts: this.#contacts(),
    };
  }
}
