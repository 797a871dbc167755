import { readSettings, type Settings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { table } from './terminal.ts';

/** What `serve` prints after its start: each source as ready, or with its missing settings. */
export async function sourceTable(settings: Settings): Promise<string> {
  const rows = (await loadSources(settings, process.env)).map((source) => {
    const lacks = missingSettings(source, settings);
    return [source.id, source.operations.join(' '), lacks.length ? `lacks ${lacks.join(', ')}` : 'ready'];
  });
  return table(['SOURCE', 'OPERATIONS', 'STATE'], rows);
}

/** `sightline sources`: each source, its operations, and whether it is configured or which setting is missing. */
export async function showSources(json: boolean): Promise<void> {
  const settings = readSettings(process.env);
  const rows = (await loadSources(settings, process.env)).map((s) => ({
    source: s.id,
    operations: s.operations,
    lacks: missingSettings(s, settings),
    about: s.about,
  }));
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else {
    const lines = rows.map((r) => [
      r.source,
      r.operations.join(' '),
      r.lacks.length ? `lacks ${r.lacks.join(', ')}` : 'configured',
      r.about,
    ]);
    process.stdout.write(`${table(['SOURCE', 'OPERATIONS', 'STATE', 'ABOUT'], lines)}\n`);
  }
}
