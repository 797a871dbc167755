import { lazyReader, type Ports } from '../../source.ts';
import { serpSource } from '../serp-source.ts';
import type { Browser } from './browser.ts';

/** Result pages loaded in the operator's browser. Tests replace `browserOf`. */
export const browserSource = (browserOf?: (ports: Ports) => Browser) =>
  serpSource('browser', {
    id: 'serp/browser',
    needs: ['SIGHTLINE_BROWSER_URL'],
    // a desktop browser does not claim to be a phone
    serves: (_, input) => input.device === 'desktop',
    limitedByPart: true,
    readers: {
      'serp/google-page': lazyReader('serp', async () => (await import('../google/parse.ts')).readGooglePage),
      'serp/bing-page': lazyReader('serp', async () => (await import('../bing/parse.ts')).readBingPage),
    },
    about:
      "result pages of both engines in the operator's own browser (desktop), one page in eight seconds; robots.txt bars them: the setting is the operator's word",
    async load() {
      const { openBrowser } = await import('./connector.ts');
      return (ports) => openBrowser(ports, browserOf?.(ports));
    },
  });
export const serpBrowser = browserSource();
