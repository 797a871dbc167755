import { lazily, lazyReader } from '../../lazily.ts';

/** Monthly values of a panel, from the provider's official API with the operator's key: one request per endpoint, six in all. */
export const similarweb = lazily({
  id: 'traffic/similarweb',
  operations: ['traffic'],
  needs: ['SIMILARWEB_API_KEY'],
  dailyCap: (s) => ({
    key: 'traffic/similarweb',
    maxRequests: s.SIGHTLINE_SIMILARWEB_DAILY_REQUESTS,
    maxUsd: s.SIGHTLINE_SIMILARWEB_DAILY_USD,
  }),
  // a domain unknown to the panel may be known to the model
  knowsAbsence: false,
  readers: {
    'traffic/similarweb': lazyReader('traffic', async () => (await import('./parse.ts')).readSimilarweb),
  },
  about: "a panel's monthly figures, by Similarweb's official API (paid, by credits)",
  load: async () => (await import('./connector.ts')).open,
});
