/** A small adapter for each reader: a recorded answer in, its fields out. Each is used as its documentation says. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { READERS } from '../src/sources/index.ts';
import type { Given } from './judge.ts';
import type { Row } from './sets.ts';

export interface Adapter {
  readonly name: string;
  readonly version: string;
  readonly kinds: readonly Row['kind'][];
  /** What must be known to read its figures; empty: nothing. */
  readonly note: string;
  /** Null: it refused the answer, or threw. */
  read(row: Row): Promise<Given | null>;
}

export const open = createRequire(join(import.meta.dirname, 'package.json'));
export const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
const textOf = ({ body }: Row): string => body.toString('utf8');
type Texts = Readonly<Record<string, unknown>>;
const first = (from: Texts, ...names: readonly string[]): unknown =>
  names.map((name) => from[name]).find((value) => value !== undefined && value !== '');
/** Of a reader that does not state availability: a record with data is of a taken name. */
const takenWithData = (fields: Omit<Given, 'available'>): Given => ({
  ...fields,
  available: [fields.registrar, fields.registeredOn, fields.expiresOn, fields.nameServers].some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '',
  )
    ? false
    : null,
});

async function sightline({ kind, body, domain, server, status }: Row): Promise<Given | null> {
  const read = await READERS[`registration/${kind}`]?.load();
  const url = kind === 'whois' ? `whois://${server}` : `https://rdap.example/domain/${domain}`;
  const outcome = read?.({ status, headers: {}, body, url, atMs: Date.UTC(2026, 10, 26) }, { domain });
  if (outcome?.tag !== 'found') return null;
  const { registrar, ...resource } = outcome.resource as unknown as Given & { readonly registrar: { readonly name: string | null } | null };
  return { ...resource, registrar: registrar?.name ?? null };
}

const { parseDomainWhois } = open('whoiser/src/parsers.js') as {
  parseDomainWhois(domain: string, text: string, ignorePrivacy: boolean): Texts;
};
async function whoiser(row: Row): Promise<Given> {
  const read = parseDomainWhois(row.domain, textOf(row), false);
  return takenWithData({
    registrar: first(read, 'Registrar'),
    registeredOn: first(read, 'Created Date'),
    expiresOn: first(read, 'Expiry Date'),
    updatedOn: first(read, 'Updated Date'),
    nameServers: first(read, 'Name Server'),
    status: first(read, 'Domain Status'),
    dnssec: first(read, 'DNSSEC'),
  });
}

const parseJson = open('whois-json/parse-raw-data.js') as (text: string) => Texts;
/** Repeated labels are joined by blanks. */
const words = (value: unknown): unknown => (typeof value === 'string' ? value.split(/\s+/) : value);
async function whoisJson(row: Row): Promise<Given> {
  const read = parseJson(textOf(row));
  const states = first(read, 'domainStatus', 'status', 'state');
  return takenWithData({
    registrar: first(read, 'registrar', 'registrarName', 'sponsoringRegistrar'),
    registeredOn: first(read, 'creationDate', 'created', 'createdDate', 'registered', 'registeredOn', 'registrationDate'),
    expiresOn: first(
      read,
      'registryExpiryDate',
      'registrarRegistrationExpirationDate',
      'expiryDate',
      'expirationDate',
      'expires',
      'paidTill',
    ),
    updatedOn: first(read, 'updatedDate', 'lastUpdated', 'lastModified', 'changed', 'modified', 'lastUpdate'),
    nameServers: words(first(read, 'nameServer', 'nameServers', 'nserver', 'nameserver', 'nameservers')),
    status: typeof states === 'string' && /https?:/.test(states) ? states.split(/\s*\(?https?:\S+\s*/) : words(states),
    dnssec: first(read, 'dnssec'),
  });
}

// it warns of every date form that it guesses
(open('moment') as { suppressDeprecationWarnings: boolean }).suppressDeprecationWarnings = true;
const parseParsed = open('whois-parsed/parse-raw-data.js') as (text: string, domain: string) => Texts;
async function whoisParsed(row: Row): Promise<Given> {
  const read = parseParsed(textOf(row), row.domain);
  return {
    available: typeof read.isAvailable === 'boolean' ? read.isAvailable : null,
    registrar: read.registrar,
    registeredOn: read.creationDate,
    expiresOn: read.expirationDate,
    updatedOn: read.updatedDate,
    nameServers: read.nameServers,
    status: read.status,
  };
}

interface RdapperRecord {
  readonly isRegistered: boolean;
  readonly registrar?: { readonly name?: string };
  readonly creationDate?: string;
  readonly expirationDate?: string;
  readonly updatedDate?: string;
  readonly nameservers?: readonly { readonly host: string }[];
  readonly statuses?: readonly { readonly status: string }[];
  readonly dnssec?: { readonly enabled: boolean };
}
interface Rdapper {
  lookup(domain: string, options: object): Promise<{ readonly ok: boolean; readonly record?: RdapperRecord }>;
}
/** The connection of a WHOIS server that sends a recorded answer. */
class RecordedSocket extends EventEmitter {
  constructor(body: Buffer) {
    super();
    setImmediate(() => {
      this.emit('connect');
      if (body.length > 0) this.emit('data', body);
      this.emit('end');
    });
  }
  write(): void {}
  destroy(): void {}
}
const net = open('node:net') as { createConnection: unknown };
async function rdapper(row: Row): Promise<Given | null> {
  const { lookup } = (await import(open.resolve('rdapper'))) as Rdapper;
  const tld = row.domain.slice(row.domain.indexOf('.') + 1);
  const top = row.domain.slice(row.domain.lastIndexOf('.') + 1);
  const common = { timeoutMs: 5_000 };
  const before = net.createConnection;
  net.createConnection = () => new RecordedSocket(row.body);
  syncBuiltinESMExports();
  try {
    const services = [[[tld, top], ['https://rdap.example/']]];
    const result = await lookup(
      row.domain,
      row.kind === 'whois'
        ? { ...common, whoisOnly: true, followWhoisReferral: false, whoisHints: { [tld]: row.server, [top]: row.server } }
        : {
            ...common,
            rdapOnly: true,
            rdapFollowLinks: false,
            customBootstrapData: { version: '1.0', publication: '2026-01-01T00:00:00Z', services },
            customFetch: async () =>
              new Response(row.body.length > 0 ? new Uint8Array(row.body) : null, {
                status: row.status,
                headers: { 'content-type': 'application/rdap+json' },
              }),
          },
    );
    const { record } = result;
    if (!result.ok || !record) return null;
    return {
      available: !record.isRegistered,
      registrar: record.registrar?.name,
      registeredOn: record.creationDate,
      expiresOn: record.expirationDate,
      updatedOn: record.updatedDate,
      nameServers: record.nameservers?.map(({ host }) => host),
      status: record.statuses?.map(({ status }) => status),
      dnssec: record.dnssec?.enabled,
    };
  } finally {
    net.createConnection = before;
    syncBuiltinESMExports();
  }
}

const guarded =
  (read: (row: Row) => Promise<Given | null>): Adapter['read'] =>
  async (row) => {
    try {
      return await read(row);
    } catch {
      return null; // it refuses the answer: missing, not wrong
    }
  };
export const own = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };

/** Every reader, ours first. */
export const ADAPTERS: readonly Adapter[] = [
  { name: 'Sightline', version: own.version, kinds: ['whois', 'rdap'], note: '', read: sightline },
  {
    name: 'rdapper',
    version: versionOf('rdapper'),
    kinds: ['whois', 'rdap'],
    note: 'reads `DNSSEC: unsigned` of a WHOIS answer as signed, which alone keeps most of its answers from being wholly right',
    read: guarded(rdapper),
  },
  {
    name: 'whoiser',
    version: versionOf('whoiser'),
    kinds: ['whois'],
    note: 'gives the labels of the answer, and leaves to its user whether a name is free',
    read: guarded(whoiser),
  },
  {
    name: 'whois-parsed',
    version: versionOf('whois-parsed'),
    kinds: ['whois'],
    note: 'knows the answers of some top-level domains and refuses the others; it does not read name servers or DNSSEC',
    read: guarded(whoisParsed),
  },
  {
    name: 'whois-json',
    version: versionOf('whois-json'),
    kinds: ['whois'],
    note: 'gives every label of the answer; the adapter takes the usual ones, and it leaves to its user whether a name is free',
    read: guarded(whoisJson),
  },
];
