import { random } from '../random.ts';
import { APPS, type AppFacts, appsOfDeveloper, reviewCountOf } from './apps.ts';
import type { CategoryFacts } from './categories.ts';

export const PAGE = 24;
export interface ListFacts {
  readonly ads: readonly AppFacts[];
  /** Built-in features of the platform, shown before the apps. */
  readonly features: readonly string[];
  readonly apps: readonly AppFacts[];
  /** Rank of the first app across all pages. */
  readonly from: number;
  readonly total: number;
  readonly pages: number;
}

function pageOf(all: readonly AppFacts[], page: number, key: string, features: readonly string[] = []): ListFacts {
  const r = random(`ads ${key}`);
  const ads = page === 1 && all.length > 6 ? Array.from({ length: r.int(1, 3) }, () => r.pick(all)) : [];
  const apps = all.slice((page - 1) * PAGE, page * PAGE);
  const pages = Math.max(1, Math.ceil(all.length / PAGE));
  return { ads, features: page === 1 ? features : [], apps, from: (page - 1) * PAGE + 1, total: all.length, pages };
}
const byFame = (a: AppFacts, b: AppFacts): number => reviewCountOf(b) - reviewCountOf(a);

export function searchList(keyword: string, page: number): ListFacts {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (app: AppFacts): string => `${app.name} ${app.tagline} ${app.categories.map((c) => c.name).join(' ')}`.toLowerCase();
  const all = APPS.filter((app) => words.every((word) => textOf(app).includes(word))).sort(byFame);
  return pageOf(all, page, keyword, words.includes('reviews') || words.includes('forms') ? ['forms'] : []);
}
export const categoryList = (category: CategoryFacts, page: number): ListFacts =>
  pageOf(APPS.filter((app) => app.categories.includes(category)).sort(byFame), page, category.handle);
export const developerList = (handle: string, page: number): ListFacts => ({ ...pageOf(appsOfDeveloper(handle), page, handle), ads: [] });
