import type { ComponentType } from 'preact';
import { later } from '../parts/later.tsx';

/** `resource` is of the schema that the operation names: the service has checked it. */
export interface DrawnProps<T> {
  readonly resource: T;
  /** The answer to the same request before this one. */
  readonly before: T | null;
  /** Runs the request again with another cursor. */
  readonly next: (after: string) => void;
}
type View = ComponentType<DrawnProps<unknown>>;

const ranking = () => import('./app-ranking.tsx');
const profile = () => import('./app-profile.tsx');
const social = () => import('./social-post.tsx');

/** The view of each resource by the name of its schema. */
const VIEWS: Readonly<Record<string, View>> = {
  SearchResult: later(async () => (await import('./search-result.tsx')).SearchResultView as View),
  ShortVideo: later(async () => (await social()).ShortVideoView as View),
  MicroblogPost: later(async () => (await social()).MicroblogPostView as View),
  ForumPostPage: later(async () => (await import('./forum-post.tsx')).ForumPostPageView as View),
  ForumThread: later(async () => (await import('./forum-thread.tsx')).ForumThreadView as View),
  AppProfile: later(async () => (await profile()).AppProfileView as View),
  AppReviewPage: later(async () => (await import('./app-reviews.tsx')).AppReviewPageView as View),
  AppKeywordRanking: later(async () => (await ranking()).AppKeywordRankingView as View),
  CategoryDetail: later(async () => (await ranking()).CategoryDetailView as View),
  DeveloperProfile: later(async () => (await profile()).DeveloperProfileView as View),
  TrafficEstimate: later(async () => (await import('./traffic-estimate.tsx')).TrafficEstimateView as View),
  DomainRegistration: later(async () => (await import('./domain-registration.tsx')).DomainRegistrationView as View),
};

/** An answer drawn as what it is. */
export function Drawn({ resourceName, ...props }: DrawnProps<unknown> & { resourceName: string }) {
  const View = VIEWS[resourceName];
  return View ? <View {...props} /> : <p class="none">This answer is shown as JSON alone.</p>;
}
