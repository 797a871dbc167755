import type { SourceState } from '../contract/admin/schemas.ts';
import type { SourceWord } from '../contract/admin/source-words.ts';
import type { Settings } from '../settings.ts';
import { announcedSunset, inOrder, missingSettings } from './availability.ts';
import { credentialsNeeded, isOfEnvironment } from './credentials.ts';
import type { Source } from './source.ts';

/** What is known of the attempts at a source. */
type KnownHealth = Pick<SourceState, 'breaker' | 'restingUntil' | 'drifting' | 'last24h'>;
/** Attempts from which a share says something. */
const MIN_ATTEMPTS = 5;

function troubleOf({ breaker, restingUntil, drifting, last24h }: KnownHealth): SourceWord | null {
  const { attempts, successShare, failures } = last24h;
  if (breaker === 'open' || (attempts >= MIN_ATTEMPTS && (successShare ?? 1) < 0.5)) {
    const { refused = 0, ...others } = failures;
    return refused > 0 && refused >= Math.max(0, ...Object.values(others)) ? 'refused' : 'failing';
  }
  if (restingUntil !== null) return 'resting';
  return drifting.length > 0 ? 'drifting' : null;
}

/** The state of each source. In use: asked first for one of its operations, or asked within the day; standing by: others are asked before it. One whose credentials the environment states says that instead. */
export function sourceWords(
  sources: readonly Source[],
  settings: Settings,
  nowMs: number,
  healthOf: (source: Source) => KnownHealth | null = () => null,
): ReadonlyMap<Source, SourceWord> {
  const taken = new Set<string>();
  return new Map(
    inOrder(sources, settings).map((source): [Source, SourceWord] => {
      const lacking = missingSettings(source, settings);
      // a switch that is off comes before a key that is missing: the key alone would change nothing
      if (lacking.length > 0) return [source, lacking.some((name) => name.startsWith('SIGHTLINE_')) ? 'off' : 'no_key'];
      const first = source.operations.some((id) => !taken.has(id));
      for (const id of source.operations) taken.add(id);
      const health = healthOf(source);
      const trouble = health && troubleOf(health);
      if (trouble) return [source, trouble];
      if (announcedSunset(source, nowMs)?.date) return [source, 'ending'];
      const credentials = credentialsNeeded(source);
      if (credentials.length > 0 && credentials.every((name) => isOfEnvironment(name, settings))) return [source, 'environment'];
      return [source, first || (health?.last24h.attempts ?? 0) > 0 ? 'in_use' : 'standing_by'];
    }),
  );
}
