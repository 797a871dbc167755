import type { Registrar } from '../../../contract/operations/registration.ts';
import { readDate } from '../dates.ts';
import type { Facts, Role } from '../facts.ts';
import { hostName, readHost, sameDomain } from '../hosts.ts';
import { shownEmail, shownPhone, stated } from '../redaction.ts';
import { isTaken, readStatuses } from '../status.ts';
import type { Field } from './labels.ts';
import { contactsOf, newPerson, type People, type Person } from './people.ts';
import { type RegistryRules, registrarName, rulesOf, signedOf } from './registry-rules.ts';
import { UnreadValues } from './unread-values.ts';

/** Fields that only a registered domain has. */
const FIRM: ReadonlySet<Field> = new Set(['created', 'expires', 'updated', 'registrar', 'registrarName', 'ianaId', 'ns', 'handle']);

/** Values of a status line that mean "not registered" or "not allowed": phrases.ts interprets them. */
const NOT_A_STATUS =
  /^(?:free|available(?: for registration)?|no (?:object|match|data|record)s? found|(?:not|un) ?-?registered|not (?:found|assigned|exists?)|unassigned|invalid|not allowed|unassignable|libre|disponible|disponível|livre|disponibile|libero|frei|wolna|volná)[.!]*$/i;
/** `Label: date (remark)` lines of one registry: the first is the registration, the last the latest change. */
const DATED_REMARK = /\b(\d{8})\s*\((assigned|changed|registered)\)\s*$/i;

/** A WHOIS record while its lines are read. The first value of a field wins, because the domain's own object comes first. */
export class WhoisRecord {
  /** The text named the queried domain. */
  matched = false;
  /** Another domain that the text names instead. */
  other: string | null = null;
  /** The lines being read belong to another domain. */
  foreign = false;
  whoisServer: string | null = null;
  readonly #asked: string;
  readonly #rules: RegistryRules;
  #dates: Partial<Record<'created' | 'expires' | 'registrarExpires' | 'updated', string>> = {};
  #registrar: string | null = null;
  #registrarName: string | null = null;
  #registrarHandle: string | null = null;
  /** A reseller; the registrar at registries that use no other label for it. */
  #provider: string | null = null;
  #ianaId: string | null = null;
  #abuseEmail: string | null = null;
  #abusePhone: string | null = null;
  #status: string[] = [];
  #state: string[] = [];
  #ns: string[] = [];
  #dnssec: boolean | null = null;
  #signed = false;
  #people: People = { registrant: null, administrative: null, technical: null, billing: null };
  #objects = new Map<string, Person>();
  /** Registration data was read that does not belong to the domain, or not surely. */
  #foreignValues = false;
  #fields = 0;
  /** Fields read before this paragraph. */
  #earlier = 0;
  readonly unread = new UnreadValues();
  /** Lists that a second copy of the record must not extend. */
  #fixed = { status: false, ns: false };

  constructor(asked: string) {
    this.#asked = asked;
    this.#rules = rulesOf(asked);
  }

  get wide(): boolean {
    return this.#rules.wide ?? false;
  }
  person(role: Role): Person {
    const known = this.#people[role] ?? newPerson();
    this.#people[role] = known;
    return known;
  }
  object(handle: string, person: Person): void {
    if (handle !== '' && !this.#objects.has(handle.toLowerCase())) this.#objects.set(handle.toLowerCase(), person);
  }

  paragraph(): void {
    this.#earlier = this.#fields;
  }

  domain(value: string): void {
    const name = value.replace(/^\W+(?=\w)/, '');
    if (name === '') return;
    if (sameDomain(name, this.#asked)) {
      if (this.matched && this.#fields > 0) this.#fixed = { status: this.#status.length > 0, ns: this.#ns.length > 0 };
      // paragraphs before the name are not about it, except for registrant and registrar
      else if (!this.matched && this.#earlier > 0) this.#forget({ keepsParties: true });
      this.matched = true;
      this.foreign = false;
      return;
    }
    // several spellings of an internationalised name may follow each other; a name after data begins another record
    if (this.matched && this.#fields === 0) return;
    this.foreign = true;
    if (!this.matched) {
      this.other ??= name.slice(0, 80);
      this.#forget({ keepsParties: false });
    }
  }
  #forget({ keepsParties }: { keepsParties: boolean }): void {
    this.#dates = {};
    this.#status = [];
    this.#ns = [];
    this.#state = [];
    this.#dnssec = null;
    this.#signed = false;
    this.unread.clear();
    if (keepsParties) return;
    this.#registrar = this.#registrarName = this.#registrarHandle = this.#provider = this.#ianaId = null;
    this.#abuseEmail = this.#abusePhone = null;
    this.#people = { registrant: null, administrative: null, technical: null, billing: null };
    this.#objects = new Map();
  }

  /** Notes a value that does not belong to the domain, or not surely. */
  noteForeignValue(field: Field, value: string): void {
    this.#foreignValues ||= FIRM.has(field) && stated(value) !== null;
  }

  /** Sets a field of the domain; a value of another form is ignored. */
  set(field: Field, value: string, key: string): void {
    if (value === '' || key === this.#rules.skip) return;
    this.#fields++;
    switch (field) {
      case 'created':
      case 'expires':
      case 'registrarExpires':
      case 'updated':
        this.#date(field, value);
        return;
      case 'status':
        this.#states(value);
        return;
      case 'state':
        if (this.#rules.state) this.#state.push(...readStatuses(value));
        return;
      case 'ns':
        this.#nameServer(value);
        return;
      case 'registrar':
        this.#registrar ??= registrarName(value);
        return;
      case 'registrarName':
        this.#registrarName ??= registrarName(value);
        return;
      case 'registrarHandle':
        this.#registrarHandle ??= registrarName(value);
        return;
      case 'provider':
        this.#provider ??= registrarName(value);
        return;
      case 'ianaId':
        if (/^\d{1,10}$/.test(value)) this.#ianaId ??= value;
        else this.unread.note(field, value);
        return;
      case 'abuseEmail':
        this.#abuseEmail ??= this.unread.shown(field, value, shownEmail);
        return;
      case 'abusePhone':
        this.#abusePhone ??= this.unread.shown(field, value, shownPhone);
        return;
      case 'dnssec':
        this.#dnssec ??= signedOf(value);
        if (this.#dnssec === null) this.unread.note(field, value);
        return;
      case 'dsRecord':
        if (/\w{2}/.test(value) && !/^(?:no|none|unsigned|inactive|n\/a)\b/i.test(value)) this.#signed = true;
        return;
      case 'keyset':
        this.#signed ||= stated(value) !== null;
        return;
      case 'whoisServer':
        this.whoisServer ??= hostName(value);
        return;
    }
  }

  #date(field: keyof WhoisRecord['dates'], value: string): void {
    const remark = DATED_REMARK.exec(value);
    if (remark) {
      const date = readDate(remark[1] ?? '');
      if (date === null) this.unread.note('created', value);
      else if (/assigned|registered/i.test(remark[2] ?? '')) this.#dates.created ??= date;
      else this.#dates.updated = date;
      return;
    }
    if (this.#dates[field] !== undefined) return;
    const date = readDate(value, this.#rules.order);
    if (date === null) this.unread.note(field, value);
    else this.#dates[field] = date;
  }
  get dates() {
    return this.#dates;
  }
  #states(value: string): void {
    if (this.#fixed.status) return;
    const code = /^(\d{3})\s+/.exec(value);
    if (code && !/^2[01]/.test(code[1] ?? '')) return; // codes of one registry: only 20x and 21x mean that there is a record
    const bare = code ? value.slice(code[0].length) : value;
    if (NOT_A_STATUS.test(bare.trim())) return;
    // "linked" ("associated") is a status of contacts and hosts (RFC 5732, 5733), which some registries print with them
    this.#status.push(...readStatuses(bare).filter((status) => status !== 'linked'));
    // one registry prints the expiry date after the status
    const until = /\((\d{4}\/\d{2}\/\d{2})\)\s*$/.exec(bare)?.[1];
    if (until !== undefined) this.#date('expires', until);
  }
  #nameServer(value: string): void {
    if (this.#fixed.ns) return;
    const host = readHost(value.replace(/^\S+\s+NS\s+/, ''));
    if (host === null) this.unread.note('ns', value);
    else this.#ns.push(host);
  }

  /** Whether the values read are sufficient to report the domain as registered. */
  get hasRecord(): boolean {
    const firm = this.#registrar ?? this.#registrarName ?? this.#provider ?? Object.values(this.#dates)[0] ?? this.#ns[0];
    if (firm !== undefined && firm !== null) return this.other === null || this.matched;
    return this.matched && ([...this.#status, ...this.#state].some(isTaken) || this.#signed || this.#contacts.length > 0);
  }
  /** Whether a value was read that only registered domains have, even if there is too little for a record. */
  get hasTraces(): boolean {
    const { dates } = this;
    return (
      this.#foreignValues ||
      Object.keys(dates).length + this.#ns.length + this.#contacts.length > 0 ||
      (this.#registrar ?? this.#registrarName ?? this.#registrarHandle ?? this.#provider ?? this.#ianaId) !== null ||
      [...this.#status, ...this.#state].some(isTaken)
    );
  }
  get #contacts(): Facts['contacts'] {
    return contactsOf(this.#people, this.#objects);
  }
  unreadIn = (facts: Facts): readonly string[] => this.unread.pathsIn(facts, this.#people, this.#objects);
  facts(): Facts {
    const { created, expires, registrarExpires, updated } = this.#dates;
    const registrar: Registrar = {
      name: this.#registrarName ?? this.#registrar ?? this.#registrarHandle ?? (this.#ianaId === null ? this.#provider : null),
      ianaId: this.#ianaId,
      abuseEmail: this.#abuseEmail,
      abusePhone: this.#abusePhone,
    };
    return {
      registrar,
      registeredOn: created ?? null,
      expiresOn: expires ?? registrarExpires ?? null,
      updatedOn: updated ?? null,
      status: this.#status.length ? this.#status : this.#state,
      nameServers: this.#ns,
      dnssec: this.#signed ? true : this.#dnssec,
      contacts: contactsOf(this.#people, this.#objects),
    };
  }
}
