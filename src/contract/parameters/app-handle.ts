import { anyCase, matching } from './parameter.ts';
import { pastedPart } from './pasted.ts';

const HANDLE = '[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,118}[A-Za-z0-9_-])?';
const FORM = {
  pattern: `^\\s*${HANDLE}\\s*$`,
  must: 'must be a handle as in the address of its page: letters, digits, - and _',
  value: (text: string): string => text.trim().toLowerCase(),
};

const SITE = 'apps.shopify.com';

export const handleIn = (folder: 'partners' | 'categories') => ({
  ...matching(FORM),
  pasted: pastedPart(SITE, new RegExp(`^/${folder}/([^/]+)`)),
});

/** Pages of the marketplace whose paths have the form of an app's. */
const PAGES = 'categories partners stories collections search reviews sitemap login built-in-features compare browse'.split(' ');

/** The handle of an app: the whole path of its page. */
export const appHandle = {
  ...matching({
    ...FORM,
    not: `^\\s*(?:${PAGES.map(anyCase).join('|')})\\s*$`,
    mustNot: 'must be the handle of an app; this is another page of the marketplace',
  }),
  pasted: pastedPart(SITE, /^\/([^/]+)(?:\/reviews)?\/?$/),
};
