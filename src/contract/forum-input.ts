import { bad, good, type Read } from './input.ts';

/** A community in every form that people write (`x`, `r/x`, `/r/x/`, `u_name`), as its bare name. */
export function readCommunity(given: string): Read<string> {
  const name = given
    .trim()
    .replace(/^\/?r\//i, '')
    .replace(/\/$/, '');
  return /^(u_)?[A-Za-z0-9_-]{2,24}$/.test(name) ? good(name) : bad('must be the name of one community, such as webscraping');
}
/** `abc123` or `t3_abc123`, as `abc123`. */
export function readForumPostId(given: string): Read<string> {
  const id = given.trim().toLowerCase().replace(/^t3_/, '');
  return /^[a-z0-9]{1,13}$/.test(id) ? good(id) : bad('must be the id of a post, such as abc123');
}
/** The `after` of the page before. */
export function readAfter(given: string): Read<string> {
  return /^t[1-6]_[a-z0-9]{1,13}$/.test(given.trim()) ? good(given.trim()) : bad('must be the `after` value of the page before');
}
