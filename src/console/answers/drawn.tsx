import type { ComponentType } from 'preact';
import { later } from '../parts/page.tsx';
import type { DrawnProps } from './shared.tsx';

type View = ComponentType<DrawnProps<unknown>>;

const VIEWS: Readonly<Record<string, View>> = {
  SearchResult: later(async () => (await import('./search-result.tsx')).SearchResultView as View),
  ShortVideo: later(async () => (await import('./social-post.tsx')).ShortVideoView as View),
  MicroblogPost: later(async () => (await import('./social-post.tsx')).MicroblogPostView as View),
  ForumPostPage: later(async () => (await import('./forum.tsx')).ForumPostPageView as View),
  ForumThread: later(async () => (await import('./forum.tsx')).ForumThreadView as View),
  AppProfile: later(async () => (await import('./app.tsx')).AppProfileView as View),
  AppReviewPage: later(async () => (await import('./app.tsx')).AppReviewPageView as View),
  AppKeywordRanking: later(async () => (await import('./app-ranking.tsx')).AppKeywordRankingView as View),
  CategoryDetail: later(async () => (await import('./app-ranking.tsx')).CategoryDetailView as View),
  DeveloperProfile: later(async () => (await import('./app.tsx')).DeveloperProfileView as View),
  TrafficEstimate: later(async () => (await import('./traffic-estimate.tsx')).TrafficEstimateView as View),
  DomainRegistration: later(async () => (await import('./domain-registration.tsx')).DomainRegistrationView as View),
};

export function Drawn({ resourceName, ...props }: DrawnProps<unknown> & { resourceName: string }) {
  const View = VIEWS[resourceName];
  return View ? <View {...props} /> : <p class="none">This answer is shown as JSON alone.</p>;
}
