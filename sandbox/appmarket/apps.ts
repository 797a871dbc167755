import { COMPETITORS, SANDBOX_NOW } from '../competitors.ts';
import { type Random, random } from '../random.ts';
import { type CategoryFacts, LEAVES } from './categories.ts';

export interface DeveloperFacts {
  readonly name: string;
  readonly handle: string;
  readonly address: string | null;
  readonly website: string | null;
}
export interface PlanFacts {
  readonly name: string;
  /** As shown: `$19`, `Free`. */
  readonly price: string;
  readonly period: string | null;
  readonly charges: string | null;
  readonly yearly: string | null;
  readonly trial: string | null;
  readonly features: readonly string[];
}
export interface AppFacts {
  readonly name: string;
  readonly handle: string;
  readonly developer: DeveloperFacts;
  readonly tagline: string;
  readonly description: string;
  readonly points: readonly string[];
  /** Number of reviews with five, four, three, two and one stars. */
  readonly stars: readonly [number, number, number, number, number];
  /** As shown, weighted by the platform; null without reviews. */
  readonly rating: string | null;
  readonly languages: readonly string[];
  readonly isTranslated: boolean;
  readonly worksWith: readonly string[];
  readonly categories: readonly CategoryFacts[];
  readonly priceLine: string;
  readonly cardPrice: string;
  readonly plans: readonly PlanFacts[];
  /** `YYYY-MM-DD` */
  readonly launched: string;
  readonly hasChangelog: boolean;
  readonly hasBadge: boolean;
  readonly logo: string;
}
export const reviewCountOf = (app: AppFacts): number => app.stars.reduce((sum, n) => sum + n, 0);

const slug = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const STUDIOS = [
  'North',
  'Paper',
  'Copper',
  'Signal',
  'Tidal',
  'Maple',
  'Quiet',
  'Bright',
  'Stone',
  'Velvet',
  'Amber',
  'Cedar',
  'Polar',
  'Nimble',
];
const KINDS = ['Labs', 'Apps', 'Works', 'Studio'];
const LANGUAGES = ['English', 'French', 'German', 'Chinese (Simplified)', 'Portuguese (Brazil)', 'Spanish', 'Italian', 'Japanese'];
const PARTNERS = ['Checkout', 'Shopify Flow', 'Customer accounts', 'Meta, Google & co', 'Admin', 'POS'];

const developers: DeveloperFacts[] = [
  ...COMPETITORS.map(({ name, domain, country }) => ({
    name,
    handle: slug(name),
    address: `${name.length} Harbour Street, Suite #${domain.length}, ${country}`,
    website: `https://${domain}/`,
  })),
  ...STUDIOS.flatMap((first) =>
    KINDS.map((kind, i) => ({
      name: `${first} ${kind}`,
      handle: i === 3 ? `developer-${slug(first)}b8774036` : `${slug(first)}-${slug(kind)}2`,
      address: i === 2 ? null : `${first.length}${i} Mill Road, ${first}`,
      website: i === 1 ? null : `https://${slug(first)}-${slug(kind)}.example/apps`,
    })),
  ),
];
/** A competitor without apps: its page says so. */
export const IDLE_DEVELOPER: DeveloperFacts = { name: 'Idle Hands', handle: 'idle-hands', address: null, website: null };
export const DEVELOPERS: readonly DeveloperFacts[] = [...developers, IDLE_DEVELOPER];

function plansOf(r: Random, isFree: boolean): PlanFacts[] {
  const features = (from: number) =>
    [`Up to ${from * 100} orders`, 'E-mail & chat support', `“Smart” rules, ${from} of them`].slice(0, r.int(1, 3));
  const free = { name: 'Free', price: isFree ? 'Free' : 'Free to install', period: null, yearly: null, trial: null };
  const plans: PlanFacts[] = [{ ...free, charges: isFree ? null : 'Fees per order may apply', features: features(1) }];
  for (let i = 1; i <= (isFree ? 0 : r.int(0, 3)); i++) {
    const dollars = i * r.int(4, 40);
    plans.push({
      name: ['Basic', 'Growth', 'Scale'][i - 1] ?? 'More',
      price: r.chance(0.3) ? `$${dollars}.99` : `$${dollars}`,
      period: r.chance(0.9) ? 'month' : '30 days',
      charges: r.chance(0.2) ? `$0.0${i} per extra order` : null,
      yearly: r.chance(0.5) ? `or $${dollars * 10}/year and save 17%` : null,
      trial: r.chance(0.6) ? '14-day free trial' : null,
      features: features(i + 1),
    });
  }
  return plans;
}

function starsOf(r: Random, total: number): AppFacts['stars'] {
  const [two, three, four] = [r.int(0, total >> 5), r.int(0, total >> 5), r.int(0, total >> 3)];
  const one = r.int(0, total >> 4);
  return [total - one - two - three - four, four, three, two, one];
}

function makeApp(
  name: string,
  handle: string,
  developer: DeveloperFacts,
  category: CategoryFacts,
  given: Partial<AppFacts> = {},
): AppFacts {
  const r = random(`app ${handle}`);
  const total = r.chance(0.05) ? 0 : Math.round(10 ** (r.next() * 2.8));
  const stars = given.stars ?? starsOf(r, total);
  const count = stars.reduce((sum, n) => sum + n, 0);
  const mean = stars.reduce((sum, n, i) => sum + n * (5 - i), 0) / Math.max(1, count);
  const plans = plansOf(r, r.chance(0.15));
  const isFree = plans.length === 1 && plans[0]?.price === 'Free';
  const other = r.pick(LEAVES);
  const picture = Array.from({ length: 32 }, () => r.int(0, 15).toString(16)).join('');
  return {
    name,
    handle,
    developer,
    tagline: `${category.name} for shops that grow.`,
    description: `${name} brings ${category.name.toLowerCase()} to your shop & keeps it there.\nSet it up once; it <just> works.\n\nNo code needed.`,
    points: ['Ready in minutes', `Made for ${category.name.toLowerCase()}`, 'Cancel at any time'],
    stars,
    rating: count === 0 ? null : Math.min(5, Math.max(1, mean + 0.05)).toFixed(1),
    languages: LANGUAGES.slice(r.int(0, 3), r.int(4, 8)).slice(0, r.int(1, 5)),
    isTranslated: r.chance(0.9),
    worksWith: r.chance(0.15) ? [] : PARTNERS.slice(r.int(0, 2), r.int(3, 6)),
    categories: other === category || r.chance(0.5) ? [category] : [category, other],
    priceLine: isFree ? 'Free' : 'Free to install. Additional charges may apply.',
    cardPrice: isFree ? 'Free' : plans.length > 1 ? 'Free plan available' : 'Free to install',
    plans,
    launched: new Date(SANDBOX_NOW - r.int(100, 4000) * 86_400_000).toISOString().slice(0, 10),
    hasChangelog: r.chance(0.5),
    hasBadge: r.chance(0.3),
    logo: `https://cdn.shopify.com/app-store/listing_images/${picture}/icon/${handle}.png`,
    ...given,
  };
}

const leaf = (handle: string): CategoryFacts => LEAVES.find((c) => c.handle === handle) ?? (LEAVES[0] as CategoryFacts);
const REVIEWS = leaf('marketing-and-conversion-social-trust-product-reviews');
const acme = developers[0] as DeveloperFacts;
const noAddress: DeveloperFacts = { name: 'Newcomer', handle: 'newcomer', address: null, website: null };

/** Apps that other pages and the documentation refer to. */
const NAMED: readonly AppFacts[] = [
  makeApp('Acme Reviews: Photos & Stars', 'acme-reviews', acme, REVIEWS, { stars: [402, 61, 12, 5, 27], hasBadge: true }),
  makeApp('Brand New App', 'brand-new-app', noAddress, REVIEWS, { stars: [0, 0, 0, 0, 0], rating: null, worksWith: [] }),
  makeApp('Free Forever', 'free-forever', noAddress, REVIEWS, { plans: [], priceLine: 'Free', cardPrice: 'Free', isTranslated: false }),
  ...LEAVES.map((category) => makeApp(`Acme ${category.name}`, `acme-${slug(category.name)}-${category.handle.length}`, acme, category)),
  ...COMPETITORS.slice(1).map((c, i) =>
    makeApp(
      `${c.name} Companion`,
      `${slug(c.name)}-companion`,
      developers[i + 1] as DeveloperFacts,
      LEAVES[i % LEAVES.length] as CategoryFacts,
    ),
  ),
];
const crowd = developers.slice(COMPETITORS.length).flatMap((developer, i) =>
  Array.from({ length: 1 + ((i * 7) % 9) }, (_, n) => {
    const r = random(`crowd ${developer.handle} ${n}`);
    const category = r.chance(0.25) ? REVIEWS : r.pick(LEAVES);
    return makeApp(
      `${developer.name.split(' ')[0]} ${category.name} ${n + 1}`,
      `${developer.handle}-${slug(category.name)}-${n + 1}`,
      developer,
      category,
    );
  }),
);
export const APPS: readonly AppFacts[] = [...NAMED, ...crowd];
/** The app on a day: every day its plans cost a dollar more, and an app with reviews has one more, of five stars. */
export function appOf(handle: string, day = 0): AppFacts | undefined {
  const app = APPS.find((one) => one.handle === handle);
  if (!app || day === 0) return app;
  const plans = app.plans.map((plan) => ({ ...plan, price: plan.price.replace(/\d+/, (dollars) => String(Number(dollars) + day)) }));
  const [five, ...others] = app.stars;
  return { ...app, plans, stars: [reviewCountOf(app) > 0 ? five + day : five, ...others] };
}
export const developerOf = (handle: string): DeveloperFacts | undefined => [...DEVELOPERS, noAddress].find((d) => d.handle === handle);
export const appsOfDeveloper = (handle: string): AppFacts[] => APPS.filter((app) => app.developer.handle === handle);
