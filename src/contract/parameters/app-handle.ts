import { bad, good, type Read } from './parameter.ts';

/** A handle as it stands in the marketplace's own addresses. */
export function readHandle(given: string): Read<string> {
  const handle = given.trim().toLowerCase();
  return /^[a-z0-9](?:[a-z0-9_.-]{0,118}[a-z0-9_-])?$/.test(handle)
    ? good(handle)
    : bad('must be a handle as in the address of its page: letters, digits, - and _');
}

/** Pages of the marketplace that stand where an app's handle would. */
const PAGES = [
  'categories',
  'partners',
  'stories',
  'collections',
  'search',
  'reviews',
  'sitemap',
  'login',
  'built-in-features',
  'compare',
  'browse',
];

/** The handle of an app, which stands alone in the address of its page. */
export function readAppHandle(given: string): Read<string> {
  const handle = readHandle(given);
  return handle.ok && PAGES.includes(handle.value) ? bad('must be the handle of an app; this is another page of the marketplace') : handle;
}
