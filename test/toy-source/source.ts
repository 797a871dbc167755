import { lazily, lazyReader } from '../../src/sources/source.ts';

/** A source that exists for the test of CONTRIBUTING.md alone: `npm run toy-source` adds it to a copy of the project. */
export const trafficToy = lazily({
  id: 'traffic/toy',
  operations: ['traffic'],
  needs: ['TOY_API_KEY' as never],
  // a domain unknown to this panel may be known to the next source
  knowsAbsence: false,
  readers: { 'traffic/toy': lazyReader('traffic', async () => (await import('./parse.ts')).readToy) },
  about: 'visits of a month, by a panel made for tests',
  load: async () => (await import('./connector.ts')).open,
});
