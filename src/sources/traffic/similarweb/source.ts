import { lazily, lazyReader } from '../../source.ts';
import { dailyCapOf } from '../../source-budget.ts';

/** Monthly values of a panel, from the provider's official API version 5, with the operator's key: three requests a lookup. */
export const similarweb = lazily({
  id: 'traffic/similarweb',
  operations: ['traffic'],
  needs: ['SIMILARWEB_API_KEY'],
  dailyCap: (s) => dailyCapOf(s, 'similarweb', 'traffic/similarweb', { mostRequests: 3 }),
  // a domain unknown to the panel may be known to the model
  knowsAbsence: false,
  readers: {
    // answers of the paths that ended on 2026-10-06: captures, and relays to a provider that still gives them
    'traffic/similarweb': lazyReader('traffic', async () => (await import('./parse.ts')).readSimilarweb),
    'traffic/similarweb-v5': lazyReader('traffic', async () => (await import('./parse.ts')).readSimilarwebV5),
  },
  about: "a panel's monthly figures, by Similarweb's official API (paid, by credits)",
  load: async () => (await import('./connector.ts')).open,
});
