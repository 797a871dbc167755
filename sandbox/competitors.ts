import { random } from './random.ts';

/** A made-up competitor. All simulated platforms use the same ones: as registrant, search result, author, developer and visited site. */
export interface Competitor {
  /** Display name. */
  readonly name: string;
  /** Registrable domain, A-label form. */
  readonly domain: string;
  /** Name used on the social platforms, in the marketplace and as a community. */
  readonly handle: string;
  readonly founded: number;
  readonly country: string;
  /** Its product, used as a keyword. */
  readonly product: string;
  /** Global rank of the domain; null if it is in no list. */
  readonly rank: number | null;
}

const NAMES: readonly (readonly [string, string, string, string])[] = [
  ['Acme Widgets', 'acme-widgets.com', 'US', 'running shoes'],
  ['Bluebird Looms', 'bluebirdlooms.com', 'US', 'linen sheets'],
  ['Cobalt Kettle', 'cobaltkettle.net', 'US', 'electric kettle'],
  ['Dunmore Cycles', 'dunmorecycles.co.uk', 'GB', 'gravel bike'],
  ['Eberhard Messer', 'eberhard-messer.de', 'DE', 'kitchen knives'],
  ['Fontaine Papeterie', 'fontaine-papeterie.fr', 'FR', 'fountain pens'],
  ['Gullholm Garn', 'gullholmgarn.se', 'SE', 'merino yarn'],
  ['Harbour Roast', 'harbourroast.io', 'US', 'coffee subscription'],
  ['Ibis Optics', 'ibisoptics.org', 'US', 'binoculars'],
  ['Jansen Fietsen', 'jansenfietsen.nl', 'NL', 'cargo bike'],
  ['Kumo Tea', 'kumotea.jp', 'JP', 'matcha powder'],
  ['Lumen & Oak', 'lumenandoak.eu', 'BE', 'desk lamp'],
  ['Müller Uhren', 'xn--mller-uhren-thb.de', 'DE', 'wall clock'],
  ['Nandu Couro', 'nanducouro.com.br', 'BR', 'leather wallet'],
  ['Orchard Supply Post', 'orchardsupply.uk.com', 'GB', 'seed boxes'],
  ['Pinewood Audio', 'pinewoodaudio.com', 'US', 'bookshelf speakers'],
  ['Quartz Fitness', 'quartzfitness.app', 'US', 'fitness tracker'],
  ['Rivermill Soap', 'rivermillsoap.co', 'US', 'soap bars'],
  ['Stella Maris Boats', 'stellamaris.it', 'IT', 'inflatable kayak'],
  ['Tundra Outfitters', 'tundraoutfitters.ca', 'CA', 'down jacket'],
  ['Umbra Tents', 'umbratents.com.au', 'AU', 'camping tent'],
  ['Violet Ledger', 'violetledger.us', 'US', 'invoice software'],
  ['Wasser & Stein', 'wasserstein.ch', 'CH', 'water filter'],
  ['Zielona Herbata', 'zielonaherbata.pl', 'PL', 'green tea'],
];

export const COMPETITORS: readonly Competitor[] = NAMES.map(([name, domain, country, product], i) => {
  const r = random(`competitor ${domain}`);
  return {
    name,
    domain,
    handle: name
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase(),
    founded: r.int(1998, 2021),
    country,
    product,
    rank: i % 8 === 7 ? null : Math.round(10 ** (2 + r.next() * 4)),
  };
});
export const competitorOf = (domain: string): Competitor | undefined => COMPETITORS.find((c) => c.domain === domain);

/** The fixed current time of simulated pages on day 0, so that they do not change: 2026-11-01T00:00:00Z in epoch ms. */
export const SANDBOX_NOW = Date.UTC(2026, 10, 1);
export const DAY_MS = 86_400_000;
