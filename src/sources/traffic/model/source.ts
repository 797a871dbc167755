import { lazily, lazyReader } from '../../lazily.ts';

/**
 * Visits modelled from the domain's rank: from the local Tranco list if there is one, else Tranco's endpoint; then from the local CrUX
 * list, if any.
 */
export const trafficModel = lazily({
  id: 'traffic/model',
  operations: ['traffic'],
  needs: [],
  knowsAbsence: true,
  readers: {
    'traffic/tranco': lazyReader('traffic', async () => (await import('./parse.ts')).readTranco),
    'traffic/crux': lazyReader('traffic', async () => (await import('./parse-crux.ts')).readCrux),
  },
  about: 'visits modelled from a rank: Tranco (kept locally by `sightline ranks update`, else asked), CrUX where kept',
  load: async () => (await import('./connector.ts')).open,
});
