/**
 * Writes src/sources/registration/data/registries.tsv: the registry of each top-level domain, used until IANA's lists are loaded.
 *   node tools/registries.ts FOLDER    (FOLDER: recordings/registration)
 * Facts only, from: IANA's RDAP bootstrap, zonedb (ODbL, see the file's head), the server list of Debian's whois, and
 * tools/registries-by-hand.tsv, which takes precedence.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';

const folder = process.argv[2] ?? '../shared/recordings/registration';
const rows = (name: string): string[][] =>
  readFileSync(join(folder, 'reference', name), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'));

/** Registries added to IANA's list since the recorded copy. */
const LISTED_SINCE = new Set(['ai', 'pl', 'nl', 'ua', 'tw', 'th', 'sg', 'gov', 'in', 'au', 'si', 'xn--o3cw4h', 'xn--kpry57d']);

interface Bootstrap {
  readonly publication: string;
  readonly services: readonly (readonly [readonly string[], readonly string[]])[];
}
const bootstrap = JSON.parse(readFileSync(join(folder, 'iana', 'dns.2024-02-07.json'), 'utf8')) as Bootstrap;
const listed = new Set(bootstrap.services.flatMap(([tlds]) => tlds));

const manual = readFileSync('tools/registries-by-hand.tsv', 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t'));
/** Read from `whois co.za`: entries of the lists for the same domain are left out. */
const replaced = new Set(
  manual.flatMap(([kind = '', , names = '']) => names.split(' ').map((name) => `${kind === 'proven' ? 'unlisted' : kind} ${name}`)),
);

const groups = new Map<string, string[]>();
const put = (kind: string, what: string, tld: string) => {
  const key = `${kind}\t${what}`;
  groups.set(key, [...(groups.get(key) ?? []), tld]);
};
const add = (kind: string, what: string, tld: string) => {
  if (!replaced.has(`${kind} ${tld}`)) put(kind, what, tld);
};
for (const [kind = '', what = '', names = ''] of manual) for (const name of names.split(' ')) put(kind, what, name);
const debian = new Map(
  rows('debian-whois-tld_serv_list-2026-02-16.txt')
    .map((cells) => cells.join(' ').split(/\s+/))
    .flatMap((words) => {
      const host = words.slice(1).find((w) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(w));
      return words[0]?.startsWith('.') && host ? ([[words[0].slice(1), host]] as const) : [];
    }),
);
for (const [tld = '', base = '', whois = ''] of rows('zonedb-2026-07-01-endpoints.tsv')) {
  const kind = listed.has(tld) || LISTED_SINCE.has(tld) ? 'rdap' : 'unlisted';
  if (base) add(kind, `${base.replace(/\/$/, '')}/`.replace(`//rdap.nic.${tld}/`, '//rdap.nic.*/'), tld);
  const host = domainToASCII(debian.get(tld) ?? whois);
  if (host) add('whois', host === `whois.nic.${tld}` ? 'whois.nic.*' : host, tld);
}
for (const [suffix, host] of debian) if (suffix.includes('.')) add('whois', host, suffix);

const head = [
  '# What registries and their servers are. Made by tools/registries.ts; kind, value, and the suffixes or servers for which it holds.',
  "# Facts from IANA's RDAP bootstrap of 2024-02-07, from zonedb of 2026-07-01 (https://github.com/zonedb/zonedb, data under ODbL 1.0)",
  "# from the server list of Debian's whois of 2026-02-16, and by hand from recorded answers (tools/registries-by-hand.tsv).",
  '# Of suffixes (`*` in an address stands for the suffix):',
  "# rdap: base that IANA lists; unlisted: not in IANA's bootstrap, so its 404 proves nothing; proven: not there either, but its 404 is evidence.",
  '# whois: the server to ask; host: another WHOIS host of the registry; former: one that the registry left, whose answers are out of date.',
  '# quirk: month-first (of dates), one-paragraph (blank lines do not end the record), state-is-status (`state:` is a status of the domain, not',
  '# part of an address), dns-is-name (`DNS:` repeats the name itself), label-alone (the name may stand without its suffix),',
  '# short-year (a date ends with a year of two digits).',
  '# spelling: the same top-level domain in another script.',
  '# whois-only: a field that the registry states by WHOIS and not by RDAP.',
  '# Of servers:',
  '# query: form of the query, `*` stands for the domain. charset: where it is not UTF-8. pace: milliseconds between requests and burst; where',
  '# there is a second limit, requests and seconds of its window.',
];
const lines = [...groups].map(([key, tlds]) => `${key}\t${tlds.sort().join(' ')}`).sort();
writeFileSync('src/sources/registration/data/registries.tsv', `${[...head, ...lines].join('\n')}\n`);
console.log(`${groups.size} groups, ${[...groups.values()].flat().length} entries`);
