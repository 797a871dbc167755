import { lazily } from '../../lazily.ts';
import type { Connect } from './browser-connector.ts';

/** Result pages loaded in the operator's browser. Tests replace `connect`. */
export const browserSource = (connect?: Connect) =>
  lazily({
    id: 'serp/browser',
    operations: ['serp'],
    listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'browser' },
    needs: ['SIGHTLINE_BROWSER_URL'],
    knowsAbsence: false,
    // a desktop browser does not claim to be a phone
    serves: (_, input) => input.device === 'desktop',
    partOf: (_, input) => input.engine,
    limitedByPart: true,
    about:
      "result pages of both engines in the operator's own browser (desktop), one page in eight seconds; robots.txt bars them: the setting is the operator's word",
    async load() {
      const { connectOperators, openBy } = await import('./browser-connector.ts');
      return openBy(connect ?? connectOperators);
    },
  });

export const serpBrowser = browserSource();
