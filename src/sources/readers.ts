import type { OperationId } from '../contract/operations/index.ts';
import { outcomeOfChallenge } from './challenge.ts';
import type { Reader } from './source.ts';

interface ReaderEntry {
  /** Whose input it takes and whose resource it gives. */
  readonly operation: OperationId;
  readonly load: () => Promise<Reader>;
}
const entry = <Id extends OperationId>(operation: Id, load: () => Promise<Reader<Id>>): ReaderEntry => ({
  operation,
  async load() {
    const read = (await load()) as Reader;
    return (answer, input) => outcomeOfChallenge(answer) ?? read(answer, input);
  },
});

/** The readers by name, one line each, behind the one check for challenges: `sightline parse` and the relay choose among them. */
export const READERS: Readonly<Record<string, ReaderEntry>> = {
  'shortvideo/page': entry('short-video', async () => (await import('./shortvideo/page/parse.ts')).readVideoPage),
  'shortvideo/oembed': entry('short-video', async () => (await import('./shortvideo/oembed/parse.ts')).readVideoOembed),
  'microblog/api': entry('microblog-post', async () => (await import('./microblog/api/parse.ts')).readMicroblogApi),
  'microblog/syndication': entry('microblog-post', async () => (await import('./microblog/syndication/parse.ts')).readSyndication),
  'microblog/graphql': entry('microblog-post', async () => (await import('./microblog/graphql/parse.ts')).readMicroblogGraphql),
  'microblog/oembed': entry('microblog-post', async () => (await import('./microblog/oembed/parse.ts')).readMicroblogOembed),
  'forum/listing': entry('forum-community', async () => (await import('./forum/api/parse.ts')).readListing),
  'forum/search': entry('forum-search', async () => (await import('./forum/api/parse.ts')).readSearch),
  'forum/thread': entry('forum-comments', async () => (await import('./forum/api/parse.ts')).readThread),
  'appmarket/app': entry('app', async () => (await import('./appmarket/page/app.ts')).readApp),
  'appmarket/reviews': entry('app-reviews', async () => (await import('./appmarket/page/reviews.ts')).readReviews),
  'appmarket/search': entry('app-keywords', async () => (await import('./appmarket/page/search.ts')).readSearch),
  'appmarket/developer': entry('app-developer', async () => (await import('./appmarket/page/developer.ts')).readDeveloper),
  'appmarket/category': entry('appstore-category', async () => (await import('./appmarket/page/category.ts')).readCategory),
  'registration/rdap': entry('registration', async () => (await import('./registration/rdap/parse.ts')).readRdap),
  'registration/whois': entry('registration', async () => (await import('./registration/whois/parse.ts')).readWhois),
  'traffic/similarweb': entry('traffic', async () => (await import('./traffic/similarweb/parse.ts')).readSimilarweb),
  'traffic/tranco': entry('traffic', async () => (await import('./traffic/model/parse.ts')).readTranco),
  'serp/bing-page': entry('serp', async () => (await import('./searchengine/bing/parse.ts')).readBingPage),
  'serp/dataforseo': entry('serp', async () => (await import('./searchengine/dataforseo/parse.ts')).readDataforseo),
  'serp/serpapi': entry('serp', async () => (await import('./searchengine/serpapi/parse.ts')).readSerpapi),
  'serp/searxng': entry('serp', async () => (await import('./searchengine/searxng/parse.ts')).readSearxng),
  'serp/google-page': entry('serp', async () => (await import('./searchengine/google/parse.ts')).readGooglePage),
};
