import type { ComponentType } from 'preact';
import { later } from '../parts/page.tsx';
import type { DrawnProps } from './shared.tsx';

type View = ComponentType<DrawnProps<unknown>>;

const forum = () => import('./forum.tsx');
const ranking = () => import('./app-ranking.tsx');
const profile = () => import('./app.tsx');
const social = () => import('./social-post.tsx');

const VIEWS: Readonly<Record<string, View>> = {
  SearchResult: later(async () => (await import('./search-result.tsx')).SearchResultView as View),
  ShortVideo: later(async () => (await social()).ShortVideoView as View),
  MicroblogPost: later(async () => (await social()).MicroblogPostView as View),
  ForumPostPage: later(async () => (await forum()).ForumPostPageView as View),
  ForumThread: later(async () => (await forum()).ForumThreadView as View),
  AppProfile: later(async () => (await profile()).AppProfileView as View),
  AppReviewPage: later(async () => (await import('./app.tsx')).AppReviewPageView as View),
  AppKeywordRanking: later(async () => (await ranking()).AppKeywordRankingView as View),
  CategoryDetail: later(async () => (await ranking()).CategoryDetailView as View),
  DeveloperProfile: later(async () => (await profile()).DeveloperProfileView as View),
  TrafficEstimate: later(async () => (await import('./traffic-estimate.tsx')).TrafficEstimateView as View),
  DomainRegistration: later(async () => (await import('./domain-registration.tsx')).DomainRegistrationView as View),
};

export function Drawn({ resourceName, ...props }: DrawnProps<unknown> & { resourceName: string }) {
  const View = VIEWS[resourceName];
  return View ? <View {...props} /> : <p class="none">This answer is shown as JSON alone.</p>;
}
