import { lazily, lazyReader } from '../../source.ts';

/** By rank: the local Tranco list, else Tranco's endpoint, then the local CrUX list. */
export const trafficModel = lazily({
  id: 'traffic/model',
  operations: ['traffic'],
  // a domain in no rank list may be known to the panel
  knowsAbsence: 'where none failed',
  readers: {
    'traffic/tranco': lazyReader('traffic', async () => (await import('./parse.ts')).readTranco),
    'traffic/crux': lazyReader('traffic', async () => (await import('./parse.ts')).readCrux),
  },
  about: 'visits modelled from a rank: Tranco (kept locally by `sightline ranks update`, else asked), CrUX where kept',
  load: async () => (await import('./connector.ts')).open,
});
