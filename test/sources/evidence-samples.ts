/** One recorded or documented answer for each row of the tables of evidence. `reader`: its public name, of the operation's input `input`. */
export interface EvidenceSample {
  readonly table: string;
  readonly name: string;
  readonly reader: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly body: string;
  readonly input?: object;
}

const POST_ID = '1801234567890123456';
const problem = (type: string, detail: string): string =>
  JSON.stringify({ errors: [{ title: 'x', detail, type: `https://api.twitter.com/2/problems/${type}` }] });
const tombstone = (text: string): string => JSON.stringify({ __typename: 'TweetTombstone', tombstone: { text: { text } } });
const unavailable = (reason: string): string =>
  JSON.stringify({ data: { tweetResult: { result: { __typename: 'TweetUnavailable', reason } } } });
const embedError = (code: number, message: string): string => JSON.stringify({ errors: [{ code, message }] });
const video = (statusCode: number, statusMsg: string): string => JSON.stringify({ statusCode, statusMsg });
const forumError = (error: number, reason?: string): string => JSON.stringify({ message: 'x', error, reason });
const listing = '{"kind":"Listing","data":{"children":[],"after":null}}';
const store = (main: string): string => `<html><head><title>Shopify App Store</title></head><body><main>${main}</main></body></html>`;
const stars = [5, 4, 3, 2, 1];
const reviews = (total: number): string =>
  store(
    `<section id="arp-reviews"><h1>Acme</h1>${stars
      .map((n) => `<a href="?ratings%5B%5D=${n}" aria-label="${n === 5 ? total : 0} total reviews">${n}</a>`)
      .join('')}</section>`,
  );
const category = `<html><head><link rel="canonical" href="https://apps.shopify.com/categories/marketing/all"></head><body><main><h1>Marketing apps</h1><ol><li itemprop="itemListElement"><span itemprop="name">Marketing</span></li></ol><div id="app-count">30 apps</div></main></body></html>`;

const of = (table: string, samples: readonly Omit<EvidenceSample, 'table'>[]): readonly EvidenceSample[] =>
  samples.map((sample) => ({ table, ...sample }));

export const EVIDENCE_SAMPLES: readonly EvidenceSample[] = [
  ...of('microblog', [
    { name: 'tombstone suspended', reader: 'microblog/syndication', body: tombstone('This Post is from a suspended account. Learn more') },
    {
      name: 'tombstone protected',
      reader: 'microblog/syndication',
      body: tombstone('This account owner limits who can view their Posts.'),
    },
    {
      name: 'tombstone account gone',
      reader: 'microblog/syndication',
      body: tombstone('This Post is from an account that no longer exists.'),
    },
    {
      name: 'tombstone withheld',
      reader: 'microblog/syndication',
      body: tombstone('This Post from @acme has been withheld in response to a report from the copyright holder.'),
    },
    { name: 'tombstone rules', reader: 'microblog/syndication', body: tombstone('This Post violated the X Rules. Learn more') },
    { name: 'tombstone deleted', reader: 'microblog/syndication', body: tombstone('This Post was deleted by the Post author.') },
    { name: 'unavailable suspended', reader: 'microblog/graphql', body: unavailable('Suspended') },
    { name: 'unavailable protected', reader: 'microblog/graphql', body: unavailable('Protected') },
    { name: 'unavailable withheld', reader: 'microblog/graphql', body: unavailable('LegalDemandWithheld') },
    { name: 'unavailable deleted', reader: 'microblog/graphql', body: unavailable('Deleted') },
    { name: 'embed code 144', reader: 'microblog/oembed', status: 404, body: embedError(144, 'No status found with that ID.') },
    {
      name: 'embed code 179',
      reader: 'microblog/syndication',
      status: 403,
      body: embedError(179, 'Sorry, you are not authorized to see this status.'),
    },
    { name: 'embed code 63', reader: 'microblog/oembed', status: 403, body: embedError(63, 'User has been suspended.') },
    { name: 'api suspended', reader: 'microblog/api', body: problem('resource-not-found', 'User has been suspended: [1].') },
    { name: 'api not found', reader: 'microblog/api', body: problem('resource-not-found', 'Could not find tweet with id: [1].') },
    { name: 'api protected', reader: 'microblog/api', body: problem('not-authorized-for-resource', 'Sorry, you are not authorized.') },
    {
      name: 'api withheld',
      reader: 'microblog/api',
      body: JSON.stringify({ data: { id: POST_ID, text: 'x', withheld: { country_codes: ['XX'] } } }),
    },
    { name: 'graphql code 144', reader: 'microblog/graphql', body: embedError(144, '_Missing: No status found with that ID.') },
    { name: 'graphql empty result', reader: 'microblog/graphql', body: '{"data":{"tweetResult":{}}}' },
    {
      name: 'short link elsewhere',
      reader: 'short link',
      url: 'https://t.co/abcdefghij',
      status: 301,
      headers: { location: 'https://www.example.com/a' },
      body: '',
    },
  ]),
  ...of('shortvideo', [
    { name: 'code no author', reader: 'shortvideo/page', body: video(10202, '') },
    { name: 'code private', reader: 'shortvideo/page', body: video(10216, '') },
    { name: 'code deleted', reader: 'shortvideo/page', body: video(10217, '') },
    { name: 'code private account', reader: 'shortvideo/page', body: video(10222, '') },
    { name: 'message deleted', reader: 'shortvideo/page', body: video(10204, 'status_deleted') },
    { name: 'message private', reader: 'shortvideo/page', body: video(10204, 'author_status,status_self_see') },
    { name: 'oembed', reader: 'shortvideo/oembed', status: 400, body: '{"code":400,"message":"Something went wrong"}' },
    {
      name: 'short link dead',
      reader: 'short link',
      url: 'https://vm.tiktok.com/ZMabc123/',
      status: 301,
      headers: { location: 'https://www.tiktok.com/?_r=1' },
      body: '',
    },
    {
      name: 'short link elsewhere',
      reader: 'short link',
      url: 'https://vm.tiktok.com/ZMabc123/',
      status: 301,
      headers: { location: 'https://www.tiktok.com/@ann.example?_r=1' },
      body: '',
    },
  ]),
  ...of('forum/api', [
    { name: 'not found', reader: 'forum/thread', status: 404, body: forumError(404) },
    { name: 'closed', reader: 'forum/listing', status: 403, body: forumError(403, 'private') },
    { name: 'withheld by law', reader: 'forum/thread', status: 451, body: forumError(451, 'legal') },
    {
      name: 'redirect to the search of communities',
      reader: 'forum/listing',
      url: 'https://oauth.reddit.com/r/pics/hot',
      status: 302,
      headers: { location: '/subreddits/search?q=pics' },
      body: '',
    },
    { name: 'empty listing of the post', reader: 'forum/thread', body: `[${listing},${listing}]` },
    { name: 'listing without posts', reader: 'forum/search', body: listing },
  ]),
  ...of('appmarket/page', [
    {
      name: 'own page not found',
      reader: 'appmarket/app',
      status: 404,
      body: '<title>404 | Shopify App Store</title><main><h1>Sorry, we couldn’t find that page</h1></main>',
    },
    { name: 'redirect to the front page', reader: 'appmarket/app', status: 301, headers: { location: '/' }, body: '' },
    {
      name: 'notice of the app',
      reader: 'appmarket/app',
      body: store(
        '<section id="adp-banners"><p>This app is not currently available on the Shopify App Store.</p></section><section id="adp-hero"><h1>Acme</h1></section>',
      ),
    },
    {
      name: 'no results',
      reader: 'appmarket/search',
      body: store('<turbo-frame id="search_page"><h1>0 results for “zz”</h1></turbo-frame>'),
    },
    { name: 'no reviews', reader: 'appmarket/reviews', body: reviews(0) },
    { name: 'past the last review', reader: 'appmarket/reviews', body: reviews(15), input: { handle: 'acme', page: 3, sort: 'relevance' } },
    { name: 'past the last app', reader: 'appmarket/category', body: category, input: { handle: 'marketing', page: 3 } },
    {
      name: 'no apps',
      reader: 'appmarket/developer',
      url: 'https://apps.shopify.com/partners/acme',
      body: store('<h1>Acme Inc.</h1><p>0 apps</p>'),
    },
  ]),
  ...of('traffic', [
    {
      name: 'panel data not found',
      reader: 'traffic/similarweb-v5',
      status: 401,
      body: '{"meta":{"status":"Error","error_code":401,"error_message":"Data not found"}}',
    },
    {
      name: 'panel without values',
      reader: 'traffic/similarweb-v5',
      body: '{"meta":{"status":"Success","request":{"domain":"acme-widgets.com"}},"data":[{"date":"2026-10-01","visits":0}]}',
    },
    { name: 'tranco without ranks', reader: 'traffic/tranco', body: '{"domain":"acme-widgets.com","ranks":[]}' },
    { name: 'crux without the domain', reader: 'traffic/crux', body: 'origin,rank\nhttps://other.example,1000\n' },
  ]),
  ...of('registration', [
    { name: 'rdap error object', reader: 'registration/rdap', status: 404, body: '{"errorCode":404}' },
    { name: 'rdap empty 404', reader: 'registration/rdap', status: 404, headers: { 'content-type': 'application/rdap+json' }, body: '' },
    {
      name: 'whois phrase',
      reader: 'registration/whois',
      url: 'whois://whois.verisign-grs.com',
      body: 'No match for domain "ACME-WIDGETS.COM".\r\n',
    },
    { name: 'no top-level domain', reader: 'iana', body: '% This query returned 0 objects.\n', input: { domain: 'example.zzzz' } },
  ]),
  ...of('searchengine', [
    {
      name: 'google nothing found',
      reader: 'serp/google-page',
      headers: { 'content-type': 'text/html' },
      body: '<html><body><div id="rcnt"><div id="topstuff"><p>Your search - tea - did not match any documents.</p></div></div></body></html>',
    },
    {
      name: 'dataforseo nothing found',
      reader: 'serp/dataforseo',
      body: '{"status_code":20000,"cost":0.002,"tasks":[{"status_code":40102,"status_message":"No Search Results.","cost":0.002,"result":null}]}',
    },
    {
      name: 'serpapi nothing found',
      reader: 'serp/serpapi',
      body: '{"search_metadata":{"status":"Success"},"search_parameters":{"engine":"google"},"search_information":{"organic_results_state":"Fully empty"},"error":"Google hasn\'t returned any results for this query."}',
    },
  ]),
  ...of('relay', [
    { name: 'status of the provider', reader: 'relay', status: 404, body: '{"error":"no such post"}' },
    { name: 'nothing of the provider', reader: 'relay serp', body: '{"organic":[],"state":"no results"}' },
    { name: 'condition of the provider', reader: 'relay', body: '{"error":{"code":"post_not_found"}}' },
  ]),
];
