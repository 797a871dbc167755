// Written by npm run generate from the table of operations.

import app from './app/sample.json' with { type: 'json' };
import appDeveloper from './app-developer/sample.json' with { type: 'json' };
import appKeywords from './app-keywords/sample.json' with { type: 'json' };
import appReviews from './app-reviews/sample.json' with { type: 'json' };
import appstoreCategory from './appstore-category/sample.json' with { type: 'json' };
import appstoreReviews from './appstore-reviews/sample.json' with { type: 'json' };
import forumComments from './forum-comments/sample.json' with { type: 'json' };
import forumCommunity from './forum-community/sample.json' with { type: 'json' };
import forumSearch from './forum-search/sample.json' with { type: 'json' };
import microblogPost from './microblog-post/sample.json' with { type: 'json' };
import registration from './registration/sample.json' with { type: 'json' };
import serp from './serp/sample.json' with { type: 'json' };
import shortVideo from './short-video/sample.json' with { type: 'json' };
import traffic from './traffic/sample.json' with { type: 'json' };

/** Answers of the demo: the examples of the description. */
export const SAMPLES = {
  serp: serp,
  'short-video': shortVideo,
  'microblog-post': microblogPost,
  'forum-community': forumCommunity,
  'forum-search': forumSearch,
  'forum-comments': forumComments,
  app: app,
  'app-reviews': appReviews,
  'appstore-reviews': appstoreReviews,
  'app-keywords': appKeywords,
  'app-developer': appDeveloper,
  'appstore-category': appstoreCategory,
  traffic: traffic,
  registration: registration,
};
