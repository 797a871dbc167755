import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { DOMAINS, SPECIAL } from '../../sandbox/registration/facts.ts';
import { RDAP_HOSTS } from '../../sandbox/registration/rdap.ts';
import { type Layout, REGISTRIES, registryOf } from '../../sandbox/registration/registries.ts';
import { recordText } from '../../sandbox/registration/whois-texts.ts';
import { splitLine } from '../../src/sources/registration/whois/lines.ts';

const FOLDER = resolve('../shared/recordings/registration');
const required = process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings');
const skip = existsSync(FOLDER) || required ? false : 'the recordings are not here';
const recorded = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8');

/** The labels and headings of a WHOIS text, as the reader sees them. */
function labelsOf(text: string): ReadonlySet<string> {
  return new Set(
    text.split('\n').flatMap((line) => {
      const body = line.trim();
      if (body === '' || /^[%#*>]/.test(body)) return [];
      const bracket = /^(?:[a-z]\. )?\[([^\]]+)\]/.exec(body);
      if (bracket) return (bracket[1] ?? '').trim().toLowerCase();
      const split = splitLine(body);
      return split?.spaced ? split.key : body.length < 40 && !/[.\d]/.test(body) ? body.toLowerCase() : [];
    }),
  );
}
/** Recorded answers of the registry whose form a layout simulates. No answer of .eu or of the long form of .de with a record is here. */
const OF_LAYOUT: Readonly<Partial<Record<Layout, readonly string[]>>> = {
  icann: ['whois/google.com.flipb2026.txt', 'whois/google.tech.flipb2026.txt'],
  nominet: ['whois/google.co.uk.flipb2026.txt'],
  afnic: ['whois/hotel.fr.flipb2026.txt'],
  sidn: ['whois/xs4all.nl.mboot2023.txt'],
  iis: ['whois/loopia.se.flipb2026.txt'],
  jprs: ['whois/meta.jp.mboot2023.txt'],
  nicit: ['whois/html.it.flipb2026.txt', 'whois/google.it.flipb2026.txt'],
};

for (const [layout, files] of Object.entries(OF_LAYOUT)) {
  test(`the simulated ${layout} text uses the labels of the recorded one`, { skip }, () => {
    const facts = [...DOMAINS.values()].find((f) => registryOf(f.domain)?.layout === layout);
    const registry = REGISTRIES.find((r) => r.layout === layout && (facts ? registryOf(facts.domain) === r : false));
    assert.ok(facts && registry, layout);
    const real = new Set(files.flatMap((file) => [...labelsOf(recorded(file))]));
    const values = new Set([facts.registrar.name, facts.registrant.organization].map((v) => v.toLowerCase()));
    const mine = [...labelsOf(recordText(facts, registry))].filter(
      (label) => !values.has(label) && !/^(?:keizersgracht|amsterdam|netherlands|and|access)/.test(label),
    );
    const known = mine.filter((label) => real.has(label));
    assert.ok(
      known.length / mine.length >= 0.9,
      `${known.length} of ${mine.length}: ${mine.filter((label) => !real.has(label)).join(', ')}`,
    );
  });
}

/** Where members stand in a JSON value; a list counts as one place, an entity by its role. */
function pathsOf(value: unknown, at = '$'): readonly string[] {
  if (Array.isArray(value)) {
    if (typeof value[0] === 'string' && at.includes('vcardArray'))
      return [`${at}[${value[0]}]`, ...value.slice(1).flatMap((v) => pathsOf(v, at))];
    return value.flatMap((v) => pathsOf(v, at));
  }
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, v]) => [`${at}.${key}`, ...pathsOf(v, `${at}.${key}`)]);
}
const READ =
  /objectClassName|ldhName|links|status|events|entities|roles|publicIds|vcardArray|secureDNS|nameservers|remarks|redacted|errorCode|handle/;
const places = (json: unknown): ReadonlySet<string> => new Set(pathsOf(json).filter((path) => READ.test(path)));

test('the simulated RDAP answers use the members of recorded ones', { skip }, async () => {
  const files = [
    'google.com.verisign-2026',
    'wikipedia.org.pir-2026',
    'google.ai.identitydigital-2026',
    'google.com.registrar-2021',
    'example.com.rfc9537',
    'cvut.cz.nic.cz-2024',
    '404-pir-2026',
    'microsoft.click.icann-2024',
    'xn--fo-5ja.example.rfc9083',
  ];
  const real = new Set(files.flatMap((file) => [...places(JSON.parse(recorded(`rdap/${file}.json`)))]));
  for (const domain of [
    'acme-widgets.com',
    'ibisoptics.org',
    'wasserstein.ch',
    SPECIAL.redacted,
    SPECIAL.redactedByRemarks,
    SPECIAL.proxied,
  ]) {
    const registry = registryOf(domain);
    const url = new URL(`${registry?.rdap}domain/${domain}`);
    const answer = await RDAP_HOSTS.find((h) => h.origins.includes(url.origin))?.answer({
      method: 'GET',
      url,
      headers: {},
      body: '',
      at: 0,
    });
    const mine = [...places(JSON.parse(String(answer?.body)))];
    const known = mine.filter((path) => real.has(path));
    assert.ok(known.length / mine.length >= 0.9, `${domain}: ${mine.filter((path) => !real.has(path)).join(' ')}`);
  }
});
