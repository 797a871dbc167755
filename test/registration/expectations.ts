import { readFileSync } from 'node:fs';

/** What a recording says about its domain; the form is explained in `recorded/whois-1.txt`. */
export interface Expected {
  readonly registrar: { name: string | null; ianaId: string | null; abuseEmail: string | null; abusePhone: string | null } | null;
  readonly registeredOn: string | null;
  readonly expiresOn: string | null;
  readonly updatedOn: string | null;
  readonly status: readonly string[];
  readonly nameServers: readonly string[];
  readonly dnssec: boolean | null;
  /** `role: name | organization | email | phone`, sorted. */
  readonly contacts: readonly string[];
  readonly unread: readonly string[];
}
export type Stated = ReadonlyMap<string, readonly string[]>;

/** The recordings of one file and their lines `key: cells`, of which one key may have several. */
export function statedIn(file: string): ReadonlyMap<string, Stated> {
  const text = readFileSync(new URL(`./recorded/${file}`, import.meta.url), 'utf8').replace(/^#.*\n/gm, '');
  return new Map(
    text
      .trim()
      .split(/\n{2,}/)
      .map((block) => {
        const [name = '', ...lines] = block.split('\n');
        const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
        return [name, new Map([...Map.groupBy(pairs, ([key]) => key)].map(([key, all]) => [key, all.map(([, cells]) => cells)]))] as const;
      }),
  );
}

const ROLES = ['registrant', 'administrative', 'technical', 'billing'];
const KEYS = new Set(['registrar', 'dates', 'status', 'servers', 'dnssec', 'unread', ...ROLES]);
const cellsOf = (line: string | undefined): readonly string[] => (line === undefined ? [] : line.split(' | ').map((cell) => cell.trim()));
const partOf = (cell: string | undefined): string | null => (cell === undefined || cell === '-' ? null : cell);

/** @throws Error if a key is unknown, or a line is referred to that the recording does not have. */
export function expectedOf(name: string, stated: Stated, recording: string): Expected {
  for (const key of stated.keys())
    if (!KEYS.has(key)) throw new Error(`${name}: "${key}" is no key of an expectation; it is one of ${[...KEYS]}`);
  const lines = recording.split(/\r\n|\n|\r/);
  const at = (cell: string, read: (value: string) => string): string =>
    cell.replace(/@(\d+)/g, (_, n: string) => {
      const value = read(valueIn(lines[Number(n) - 1] ?? ''));
      if (value === '') throw new Error(`${name}: line ${n} of the recording has no such value`);
      return value;
    });
  const one = (key: string): readonly string[] => cellsOf(stated.get(key)?.[0]);
  const [registered, expires, updated] = one('dates').map((cell) => (cell === '-' ? null : dateOf(cell)));
  const [registrar, ianaId, abuseEmail, abusePhone] = one('registrar').map(partOf);
  const [dnssec] = one('dnssec');
  return {
    registrar: stated.has('registrar')
      ? { name: registrar ?? null, ianaId: ianaId ?? null, abuseEmail: abuseEmail ?? null, abusePhone: abusePhone ?? null }
      : null,
    registeredOn: registered ?? null,
    expiresOn: expires ?? null,
    updatedOn: updated ?? null,
    status: one('status'),
    nameServers: (one('servers')[0] ?? '').split(' ').flatMap((host) => (host === '' ? [] : several(host))),
    dnssec: dnssec === undefined ? null : dnssec === 'signed',
    contacts: ROLES.flatMap((role) => (stated.get(role) ?? []).map((line) => contact(role, cellsOf(line), at))).sort(),
    unread: one('unread'),
  };
}

const EMAIL = /[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>(),;]+/;
function contact(role: string, cells: readonly string[], at: (cell: string, read: (value: string) => string) => string): string {
  const [name = '-', organization = '-', email = '-', phone = '-', redacted] = cells;
  const parts = [
    at(name, (value) => tidy(value.replace(EMAIL, ''))),
    at(organization, tidy),
    at(email, (value) => EMAIL.exec(value)?.[0] ?? ''),
    at(phone, tidy),
  ];
  return `${role}: ${parts.join(' | ')}${redacted === undefined ? '' : ' (redacted)'}`;
}
const tidy = (value: string): string => value.replace(/\s+/g, ' ').trim();

/** The value of a printed line: behind a bracket, behind a colon and its leader, or the whole line. */
const valueIn = (line: string): string => /^\s*(?:\[[^\]]*\]|[^:@\d]{1,40}:)[ \t.]*(.*)$/.exec(line)?.[1]?.trim() ?? line.trim();

/** An instant in UTC where the cell has a zone, else the day. */
const dateOf = (cell: string): string => (cell.includes('T') ? new Date(cell.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString() : cell);

/** `ns{1,2}.shop.com` means two hosts. */
function several(host: string): readonly string[] {
  const [, before = '', middle, after = ''] = /^(.*)\{([^}]*)\}(.*)$/.exec(host) ?? [];
  return middle === undefined ? [host] : middle.split(',').map((part) => `${before}${part}${after}`);
}
