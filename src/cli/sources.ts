import { readSettings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { table, usage } from './terminal.ts';

/** `sightline sources`: each source, what it answers, and whether it is configured or which setting it lacks. */
export async function showSources(json: boolean): Promise<void> {
  const settings = usage(() => readSettings(process.env));
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
