import { connectAdmin } from '../gateway/admin/client.ts';
import type { CanaryResult } from '../orchestrator/canaries.ts';
import type { SourceState } from '../orchestrator/source-states.ts';
import { readSettings, type Settings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { Source } from '../sources/source.ts';
import { announcedSunset, sunsetText } from '../sources/sunset.ts';
import { table } from './terminal.ts';

/** Announced ends of interfaces, and terms that forbid what a source does: a line each, with the setting that switches the source off. */
function notesOn(sources: readonly Source[], nowMs: number): string {
  const notes = sources.flatMap((source) => {
    const sunset = announcedSunset(source, nowMs);
    return [
      ...(sunset ? [`${source.id} ${sunsetText(sunset, nowMs)}`] : []),
      ...(source.terms === undefined ? [] : [`${source.id}: ${source.terms} SIGHTLINE_SOURCES_OFF=${source.id} switches it off.`]),
    ];
  });
  return notes.length ? `\n\n${notes.join('\n')}` : '';
}

/** What `serve` prints after its start: each source as ready, or with its missing settings; then the notes on those that are ready. */
export async function sourceTable(settings: Settings, nowMs: number): Promise<string> {
  const sources = await loadSources(settings, process.env);
  const rows = sources.map((source) => {
    const lacks = missingSettings(source, settings);
    return [source.id, source.operations.join(' '), lacks.length ? `lacks ${lacks.join(', ')}` : 'ready'];
  });
  const ready = sources.filter((source) => !missingSettings(source, settings).length);
  return `${table(['SOURCE', 'OPERATIONS', 'STATE'], rows)}${notesOn(ready, nowMs)}`;
}

/** State of the sources in the server that holds the data folder; an empty map where no server runs on it. */
async function statesOfServer(
  settings: Settings,
): Promise<{ states: ReadonlyMap<string, SourceState>; canaries: readonly CanaryResult[] }> {
  const server = settings.DATABASE_URL ? null : await connectAdmin(settings.SIGHTLINE_DATA_DIR);
  const { sources, canaries } = (await server?.listSources()) ?? { sources: [], canaries: [] };
  return { states: new Map(sources.map((state) => [state.name, state])), canaries };
}

/** Breaker, rest, success and spending in a few words. */
function healthText({ breaker, restingUntil, last24h: { attempts, successShare, medianMs }, spending, drifting }: SourceState): string {
  return [
    breaker !== 'closed' && `breaker ${breaker}`,
    drifting.length > 0 && `drifting: ${drifting.join(', ')}`,
    restingUntil && `rests until ${restingUntil}`,
    successShare !== null && `${Math.round(successShare * 100)} % of ${attempts} attempts in 24 h, median ${Math.round(medianMs ?? 0)} ms`,
    spending &&
      `today ${spending.requestsToday} of ${spending.maxRequestsPerDay} requests, $${spending.usdToday} of $${spending.maxUsdPerDay}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/**
 * `sightline sources`: each source, its operations, and whether it is configured or which setting is missing; where a server runs on the
 * data folder, also its health there.
 */
export async function showSources(json: boolean): Promise<void> {
  const settings = readSettings(process.env);
  const { states, canaries } = await statesOfServer(settings);
  const nowMs = Date.now();
  const sources = await loadSources(settings, process.env);
  const rows = sources.map((s) => ({
    source: s.id,
    operations: s.operations,
    lacks: missingSettings(s, settings),
    about: s.about,
    sunset: announcedSunset(s, nowMs),
    terms: s.terms ?? null,
    state: states.get(s.id),
    canaries: canaries.filter((c) => (c.source === null ? s.operations.some((id) => id === c.operation) : c.source === s.id)),
  }));
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else {
    const lines = rows.map((r) => [
      r.source,
      r.operations.join(' '),
      r.lacks.length ? `lacks ${r.lacks.join(', ')}` : 'configured',
      r.about,
      ...(states.size ? [r.state ? healthText(r.state) : ''] : []),
    ]);
    const columns = ['SOURCE', 'OPERATIONS', 'STATE', 'ABOUT', ...(states.size ? ['HEALTH'] : [])];
    process.stdout.write(`${table(columns, lines)}${notesOn(sources, nowMs)}\n`);
    if (canaries.length === 0) return;
    const results = canaries.map((c) => [c.name, c.operation, c.source ?? '', c.at, c.ok ? 'holds' : `fails: ${c.why}`]);
    process.stdout.write(`\n${table(['CANARY', 'OPERATION', 'SOURCE', 'AT', 'RESULT'], results)}\n`);
  }
}
