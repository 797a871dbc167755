import { lazily, lazyReader } from '../source.ts';
import { dailyCapOf } from '../source-budget.ts';

/** Monthly values of a panel, from the provider's official API version 5, with the operator's key: three requests a lookup. */
export const similarweb = lazily({
  id: 'traffic/similarweb',
  operations: ['traffic'],
  needs: ['SIMILARWEB_API_KEY'],
  dailyCap: (s) => dailyCapOf(s, 'similarweb', 'traffic/similarweb'),
  // a domain unknown to the panel may be known to the model
  knowsAbsence: false,
  readers: {
    // answers of the paths that ended on 2026-10-06: captures, and relays to a provider that still gives them
    'traffic/similarweb': lazyReader('traffic', async () => (await import('./similarweb/parse.ts')).readSimilarweb),
    'traffic/similarweb-v5': lazyReader('traffic', async () => (await import('./similarweb/parse.ts')).readSimilarwebV5),
  },
  about: "a panel's monthly figures, by Similarweb's official API (paid, by credits)",
  load: async () => (await import('./similarweb/connector.ts')).open,
});

/** By rank: the local Tranco list, else Tranco's endpoint, then the local CrUX list. */
export const trafficModel = lazily({
  id: 'traffic/model',
  operations: ['traffic'],
  // a domain in no rank list may be known to the panel
  knowsAbsence: 'where none failed',
  readers: {
    'traffic/tranco': lazyReader('traffic', async () => (await import('./model/parse.ts')).readTranco),
    'traffic/crux': lazyReader('traffic', async () => (await import('./model/parse.ts')).readCrux),
  },
  about: 'visits modelled from a rank: Tranco (kept locally by `sightline ranks update`, else asked), CrUX where kept',
  load: async () => (await import('./model/connector.ts')).open,
});
