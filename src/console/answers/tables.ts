import type * as appmarket from '../../contract/operations/appmarket.ts';
import type * as forum from '../../contract/operations/forum.ts';
import type { SearchResult } from '../../contract/operations/searchengine.ts';
import type { TrafficEstimate } from '../../contract/operations/traffic.ts';
import { type Table, tableOf } from '../parts/csv.ts';

interface Tables {
  readonly SearchResult: SearchResult;
  readonly ForumPostPage: forum.ForumPostPage;
  readonly ForumThread: forum.ForumThread;
  readonly AppReviewPage: appmarket.AppReviewPage;
  readonly AppKeywordRanking: appmarket.AppKeywordRanking;
  readonly DeveloperProfile: appmarket.DeveloperProfile;
  readonly CategoryDetail: appmarket.CategoryDetail;
  readonly TrafficEstimate: TrafficEstimate;
}

const ROWS: { readonly [Name in keyof Tables]: (resource: Tables[Name]) => readonly object[] } = {
  SearchResult: ({ organic }) => organic,
  ForumPostPage: ({ posts }) => posts,
  ForumThread: ({ comments }) => comments,
  AppReviewPage: ({ reviews }) => reviews,
  AppKeywordRanking: ({ apps }) => apps,
  DeveloperProfile: ({ apps }) => apps,
  CategoryDetail: ({ apps }) => apps,
  TrafficEstimate: ({ history }) => history,
};

const isTabular = (resourceName: string): resourceName is keyof Tables => Object.hasOwn(ROWS, resourceName);

/** The answer as a table, where its resource is one: result pages, posts, comments, reviews, rankings, months. */
export function answerTable(resourceName: string, resource: unknown): Table | null {
  if (!isTabular(resourceName)) return null;
  const rows = ROWS[resourceName] as (resource: unknown) => readonly object[];
  return tableOf(rows(resource));
}
