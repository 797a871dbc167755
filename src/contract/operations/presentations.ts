// Written by npm run generate from the table of operations.

import { presentation as app } from './app/presentation.ts';
import { presentation as appDeveloper } from './app-developer/presentation.ts';
import { presentation as appKeywords } from './app-keywords/presentation.ts';
import { presentation as appReviews } from './app-reviews/presentation.ts';
import { presentation as appstoreCategory } from './appstore-category/presentation.ts';
import { presentation as appstoreReviews } from './appstore-reviews/presentation.ts';
import { presentation as forumComments } from './forum-comments/presentation.ts';
import { presentation as forumCommunity } from './forum-community/presentation.ts';
import { presentation as forumSearch } from './forum-search/presentation.ts';
import type { OperationId, Resource } from './index.ts';
import { presentation as microblogPost } from './microblog-post/presentation.ts';
import type { Presentation } from './presentation.ts';
import { presentation as registration } from './registration/presentation.ts';
import { presentation as serp } from './serp/presentation.ts';
import { presentation as shortVideo } from './short-video/presentation.ts';
import { presentation as traffic } from './traffic/presentation.ts';

export const PRESENTATIONS: { readonly [Id in OperationId]: Presentation<Resource<Id>> } = {
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
