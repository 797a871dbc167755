/** Recorded answers of registries with what they say, from folders of three forms. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whoisServerOf } from '../src/sources/registration/registries.ts';

/** What an answer says. A field that is left out is not judged; null or an empty list: the answer does not state it. */
export interface Stated {
  /** Null: nothing may be concluded (limited, refused, empty, no such service). */
  readonly available: boolean | null;
  /** Other readings of availability that count as right. */
  readonly availableAlso?: readonly (boolean | null)[];
  readonly registrar?: readonly string[] | null;
  readonly registeredOn?: string | null;
  readonly expiresOn?: string | null;
  readonly updatedOn?: string | null;
  readonly nameServers?: readonly string[];
  readonly status?: readonly string[];
  /** States that may be given or left out. */
  readonly statusOptional?: readonly string[];
  readonly dnssec?: boolean | null;
}
export interface Row {
  readonly id: string;
  readonly kind: 'whois' | 'rdap';
  readonly domain: string;
  readonly server: string;
  readonly status: number;
  readonly body: Buffer;
  readonly stated: Stated;
}
export interface AnswerSet {
  readonly name: string;
  /** Whether Sightline was developed against it: then its figures say little. */
  readonly isDevelopedAgainst: boolean;
  readonly rows: readonly Row[];
}

type Json = Readonly<Record<string, unknown>>;
/** The objects of an NDJSON file. */
export const jsonLines = <T>(file: string): readonly T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

interface FirstForm {
  readonly kind: 'whois' | 'rdap';
  readonly domain?: string;
  readonly outcome: string;
  readonly httpStatus?: number;
  readonly available: boolean | null;
  readonly availableAlso?: readonly (boolean | null)[];
  readonly skip?: readonly string[];
  readonly registrar?: string | null;
  readonly registrarAlt?: readonly string[];
  readonly createdOn?: string | null;
  readonly expiresOn?: string | null;
  readonly updatedOn?: string | null;
  readonly nameServers?: readonly string[];
  readonly status?: readonly string[];
  readonly statusOptional?: readonly string[];
  readonly extra?: { readonly dnssec?: boolean };
}

/** `expected.json`: an object by file. */
function firstForm(folder: string): readonly Row[] {
  const all: Record<string, FirstForm> = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
  return Object.entries(all).flatMap(([file, one]) => {
    if (one.outcome === 'iana_referral' || !one.domain) return [];
    const skip = new Set(one.skip ?? []);
    const given = <T>(name: string, value: T | undefined): { [key: string]: T } =>
      value === undefined || skip.has(name) ? {} : { [name]: value };
    const names = one.registrar === undefined ? undefined : one.registrar === null ? null : [one.registrar, ...(one.registrarAlt ?? [])];
    const stated: Stated = {
      available: one.available,
      ...given('availableAlso', one.availableAlso),
      ...given('registrar', names),
      ...given('registeredOn', skip.has('createdOn') ? undefined : one.createdOn),
      ...given('expiresOn', one.expiresOn),
      ...given('updatedOn', one.updatedOn),
      ...given('nameServers', one.nameServers),
      ...given('status', one.status),
      ...given('statusOptional', one.statusOptional),
      ...given('dnssec', one.extra?.dnssec),
    };
    const server = whoisServerOf(one.domain)?.host ?? '';
    const body = readFileSync(join(folder, file));
    return skip.has('available')
      ? []
      : [{ id: file, kind: one.kind, domain: one.domain, server, status: one.httpStatus ?? 200, body, stated }];
  });
}

/** `expected.ndjson`, a row an answer, with the fields of the resource; `cases.ndjson` with `fields` by path. */
function laterForm(folder: string, file: string): readonly Row[] {
  return jsonLines<Json>(join(folder, file)).flatMap((line) => {
    const { id, reader, url, status, input, expected } = line as {
      id: string;
      reader?: string;
      url?: string;
      status?: number;
      input?: { domain?: string };
      expected: Json & { fields?: Json };
    };
    const kind = reader === 'registration/whois' ? 'whois' : reader === 'registration/rdap' ? 'rdap' : null;
    if (kind === null || !input?.domain || typeof line.file !== 'string') return [];
    const flat = { ...expected, ...expected.fields };
    const { outcome } = expected;
    const isFound = outcome === undefined || outcome === 'found' || (Array.isArray(outcome) && outcome.includes('found'));
    // a case that says nothing of availability is judged by its other fields alone
    const available = isFound ? (flat.available as boolean | undefined) : null;
    if (available === undefined) return [];
    const first = (...names: readonly string[]): unknown => names.map((name) => flat[name]).find((value) => value !== undefined);
    const registrar = first('registrar', 'registrar.name');
    const stated: Json = {
      available,
      ...(registrar !== undefined && { registrar: registrar === null ? null : [registrar] }),
      ...Object.fromEntries(
        ['registeredOn', 'expiresOn', 'updatedOn', 'nameServers', 'status', 'dnssec'].flatMap((name) =>
          flat[name] === undefined ? [] : [[name, flat[name]]],
        ),
      ),
    };
    const server = kind === 'whois' ? (url ?? '').replace('whois://', '') : '';
    const body = readFileSync(join(folder, line.file));
    return [{ id, kind, domain: input.domain, server, status: status ?? 200, body, stated: stated as unknown as Stated }];
  });
}

function rowsIn(folder: string): readonly Row[] | null {
  if (existsSync(join(folder, 'expected.json'))) return firstForm(folder);
  const file = ['expected.ndjson', 'cases.ndjson'].find((name) => existsSync(join(folder, name)));
  return file === undefined ? null : laterForm(folder, file);
}

const OWN: readonly (readonly [string, string])[] = [
  ['first recordings', '../shared/recordings/registration'],
  ['second recordings', '../shared/recordings/2026-11/registration'],
  ['cases', '../shared/cases/registration'],
];

/** The sets beside the checkout, against which Sightline was developed, and those that were given. Throws for a folder that is no set. */
export function answerSets(given: readonly string[]): readonly AnswerSet[] {
  const own = OWN.flatMap(([name, folder]) => {
    const rows = rowsIn(folder);
    return rows ? [{ name, isDevelopedAgainst: true, rows }] : [];
  });
  const others = given.map((folder) => {
    const rows = rowsIn(folder);
    if (!rows) throw new Error(`--set ${folder}: the folder has no expected.json, expected.ndjson or cases.ndjson`);
    return { name: nameOfSet(folder), isDevelopedAgainst: false, rows };
  });
  return [...own, ...others];
}
export const nameOfSet = (folder: string): string => folder.replace(/\/+$/, '').split('/').at(-1) ?? folder;
