import { anyCase, matching } from './parameter.ts';
import { pastedPart } from './pasted.ts';

/** Host of the platform, with or without scheme and subdomain. */
const HOST = `(?:(?:${anyCase('http')}[sS]?://)?(?:[A-Za-z]{1,6}\\.)?${anyCase('reddit.com')})?/?`;
const OF_COMMUNITY = `(?:${HOST}[rR]/)?`;
const OF_USER = `${HOST}[uU](?:${anyCase('ser')})?/`;
const NAME = '[A-Za-z0-9_]{2,21}';
const USER = '[A-Za-z0-9_-]{2,22}';
/** Names of a random community or of the visitor's own lists. */
const NO_COMMUNITY = ['random', 'randnsfw', 'friends', 'mod', 'contrib', 'me'];

function bareName(text: string): string {
  const path = text.trim().toLowerCase().replace(/\/$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return new RegExp(`^${OF_USER}`, 'u').test(path) ? `u_${name}` : name;
}

/** A community in every common form (`x`, `r/x`, `/r/x/`, `u_name`, `u/name`, its URL), as its bare name in lower case. */
export const community = {
  ...matching({
    // the platform's oldest community is the only one with a dot
    pattern: `^\\s*(?:${OF_COMMUNITY}(?:${NAME}|[uU]_${USER}|${anyCase('reddit.com')})|${OF_USER}${USER})/?\\s*$`,
    not: `^\\s*${OF_COMMUNITY}(?:${NO_COMMUNITY.map(anyCase).join('|')})/?\\s*$`,
    must: 'must be the name of one community, such as webscraping',
    value: bareName,
  }),
  pasted: pastedPart('reddit.com', /^\/r\/([^/]+)/i),
};

const inSite = pastedPart('reddit.com', /\/(?:comments|gallery)\/([a-z0-9]+)/i);
const inShortUrl = pastedPart('redd.it', /^\/([a-z0-9]+)\/?$/i);

export const forumPostId = {
  ...matching({
    pattern: '^\\s*(?:[tT]3_)?[A-Za-z0-9]{1,13}\\s*$',
    must: 'must be the id of a post, such as abc123',
    value: (text) => text.trim().toLowerCase().replace(/^t3_/, ''),
  }),
  pasted: (text: string) => inSite(text) ?? inShortUrl(text),
};

/** The `after` of the previous page: the full name of a post. */
export const forumCursor = matching({
  pattern: '^\\s*t3_[a-z0-9]{1,13}\\s*$',
  must: 'must be the `after` value of the page before',
  value: (text) => text.trim(),
});
