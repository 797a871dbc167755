import { bad, good, type Read } from './parameter.ts';

/** What people write before a community's name: a path, or a whole address. */
const BEFORE = /^(?:(?:https?:\/\/)?(?:[a-z]{1,6}\.)?reddit\.com)?\/?(r|u|user)\//i;
/** They lead elsewhere at random, or mean the visitor's own. */
const NO_COMMUNITY = new Set(['random', 'randnsfw', 'friends', 'mod', 'contrib', 'me']);

/** A community in every form that people write (`x`, `r/x`, `/r/x/`, `u_name`, `u/name`, its address), as its bare name in lower case. */
export function readCommunity(given: string): Read<string> {
  const text = given.trim();
  const before = BEFORE.exec(text);
  const bare = text.slice(before?.[0].length ?? 0).replace(/\/$/, '');
  const name = (before && before[1]?.toLowerCase() !== 'r' ? `u_${bare}` : bare).toLowerCase();
  // the platform's oldest community is the only one with a dot
  const known = /^([a-z0-9_]{2,21}|u_[a-z0-9_-]{2,22}|reddit\.com)$/.test(name) && !NO_COMMUNITY.has(name);
  return known ? good(name) : bad('must be the name of one community, such as webscraping');
}
/** `abc123` or `t3_abc123`, as `abc123`. */
export function readForumPostId(given: string): Read<string> {
  const id = given.trim().toLowerCase().replace(/^t3_/, '');
  return /^[a-z0-9]{1,13}$/.test(id) ? good(id) : bad('must be the id of a post, such as abc123');
}
/** The `after` of the page before: only posts are paged through. */
export function readAfter(given: string): Read<string> {
  return /^t3_[a-z0-9]{1,13}$/.test(given.trim()) ? good(given.trim()) : bad('must be the `after` value of the page before');
}
