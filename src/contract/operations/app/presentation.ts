import { type Presentation, text } from '../presentation.ts';
import type { AppProfile } from './operation.ts';

export const presentation: Presentation<AppProfile> = {
  name: 'Shopify app',
  icon: 'grid',
  guidance: {
    title: 'App profile',
    use: 'Use for description, rating, plans and developer of one app of the Shopify App Store by its handle. Not for reviews, nor to find handles (app_keywords).',
    fresh: 'Up to 6 h old.',
    limits: 'one app. Unlisted: NOT_FOUND. null: not on its page.',
  },
  lines: ({ rating, reviewCount, pricing }) => [
    `rated ${rating ?? '-'} of 5 by ${reviewCount?.toLocaleString('en') ?? '-'} reviews`,
    ...text(pricing),
  ],
};
