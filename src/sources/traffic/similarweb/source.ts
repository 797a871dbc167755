import { lazily, lazyReader } from '../../lazily.ts';

/** Monthly figures of a panel, by the provider's official API and the operator's own key. One request an endpoint, six in all. */
export const similarweb = lazily({
  id: 'traffic/similarweb',
  operations: ['traffic'],
  needs: ['SIMILARWEB_API_KEY'],
  // an unknown domain is unknown to the panel alone: the model may know it
  knowsAbsence: false,
  readers: {
    'traffic/similarweb': lazyReader('traffic', async () => (await import('./parse.ts')).readSimilarweb),
  },
  about: "a panel's monthly figures, by Similarweb's official API (paid, by credits)",
  load: async () => (await import('./connector.ts')).open,
});
