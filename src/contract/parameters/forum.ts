import { anyCase, matching } from './parameter.ts';
import { pastedBehind, pastedPart } from './pasted.ts';

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
  pasted(text: string) {
    const page = wanted(text) ?? text;
    const user = inUser(page);
    return inCommunity(page) ?? (user && `u_${user}`);
  },
};

/** What stands behind the page of the age check or the sign-in. */
const wanted = pastedBehind('reddit.com', /^\/(?:over18|(?:account\/)?login)\/?$/i, 'dest');
const inCommunity = pastedPart('reddit.com', /^\/r\/([^/.]+|reddit\.com)(?:\.json|\.rss)?(?:\/|$)/i);
/** Not a list of communities that a user made. */
const inUser = pastedPart('reddit.com', /^\/u(?:ser)?\/([^/]+)(?!\/m\/)(?:\/|$)/i);
/** Pages of one post, and its permalink as the platform's API states it. */
const OF_POST = '(?:(?:r|u|user)/[^/\\s]+/)?(?:comments|gallery|duplicates|related|poll|tb)/([a-z0-9]+)(?![\\w-])';
const inSite = pastedPart('reddit.com', new RegExp(`^/${OF_POST}`, 'i'));
/** A word without a digit is the name of another page. */
const inShortPath = pastedPart('reddit.com', /^\/([a-z]*\d[a-z0-9]*)\/?$/i);
/** `v.redd.it` and `i.redd.it` have ids of files. */
const inShortUrl = pastedPart('redd.it', /^\/([a-z0-9]+)\/?$/i, /^(?:www\.)?redd\.it$/);
const inPermalink = (text: string): string | null => new RegExp(`^\\s*/?${OF_POST}`, 'i').exec(text)?.[1] ?? null;

export const forumPostId = {
  ...matching({
    pattern: '^\\s*(?:[tT]3_)?[A-Za-z0-9]{1,13}\\s*$',
    must: 'must be the id of a post, such as abc123',
    value: (text) => text.trim().toLowerCase().replace(/^t3_/, ''),
  }),
  pasted(text: string) {
    const page = wanted(text) ?? text;
    return inSite(page) ?? inShortPath(page) ?? inShortUrl(page) ?? inPermalink(page);
  },
};

/** The `after` of the previous page: the full name of a post. */
export const forumCursor = matching({
  pattern: '^\\s*t3_[a-z0-9]{1,13}\\s*$',
  must: 'must be the `after` value of the page before',
  value: (text) => text.trim(),
});
