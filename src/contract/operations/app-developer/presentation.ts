import type { Presentation } from '../presentation.ts';
import type { DeveloperProfile } from './operation.ts';

export const presentation: Presentation<DeveloperProfile> = {
  name: 'App developer',
  icon: 'person',
  guidance: {
    title: 'Developer and apps',
    use: 'Use to list all apps of a developer by the handle of the developer. Not with the handle of an app: see app.developer.url.',
    fresh: 'Up to 6 h old.',
    limits: 'all apps at once. Unknown: NOT_FOUND. null: the card of that app lacks it.',
  },
  lines: ({ apps }) => [`${apps.length} apps, first: ${apps[0]?.name ?? ''}`],
};
