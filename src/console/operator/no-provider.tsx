import { readWays } from '../app/ways.ts';
import { admin } from '../parts/admin.tsx';
import { Note } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';
import { useLoaded } from '../parts/page.tsx';

/** Where no source of searches is ready: how many sources work without a key, and the free ways to one that searches. */
export function NoProvider() {
  const { value } = useLoaded(async (signal) => {
    const search = (await readWays(signal)).find(({ id }) => id === 'serp');
    if (!search || search.ready) return null;
    const [{ sources }, credentials] = await Promise.all([admin('listSources', {}, signal), admin('listCredentials', {}, signal)]);
    const withKey = new Set(credentials.map(({ source }) => source));
    return { cure: search.cure, works: sources.filter(({ name, configured }) => configured && !withKey.has(name)).length };
  }, []);
  return (
    value && (
      <Note>
        No search provider has a key yet. {plural(value.works, 'source')} {value.works === 1 ? 'works' : 'work'} without one. Google and
        Bing: {value.cure[0]?.toLowerCase()}
        {value.cure.slice(1)}
      </Note>
    )
  );
}
