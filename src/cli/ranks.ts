import { dirname } from 'node:path';
import { readDomain } from '../contract/parameters/domain-name.ts';
import { realClock } from '../runtime/clock.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { readSettings } from '../settings.ts';
import { ranksPath } from '../sources/traffic/model/connector.ts';
import { writeRanks } from '../sources/traffic/model/ranks-file.ts';
import { cruxFile, downloadCrux, downloadTranco } from '../sources/traffic/model/ranks-update.ts';
import { createHttp } from '../upstream/http/client.ts';
import { readHosts } from '../upstream/http/host-map.ts';
import { createPace } from '../upstream/pace.ts';
import { forTerminal, plural } from './terminal.ts';

/** `sightline ranks update`: downloads a rank list, or reads it from a file, verifies it and replaces the installed list. */
export async function updateRanks(options: { list: 'tranco' | 'crux'; file?: string; minRows?: number }): Promise<void> {
  const settings = readSettings(process.env);
  const clock = realClock;
  const http = createHttp({ settings, clock, pace: createPace(clock), hosts: await readHosts(settings.SIGHTLINE_HOSTS) });
  try {
    const signal = AbortSignal.timeout(3_600_000);
    const domain = readDomain({ privateRegistries: false });
    const domainOf = (host: string) => {
      const read = domain(host);
      return read.ok ? read.value : null;
    };
    const crux = { domainOf, nowMs: clock.now(), leastRows: options.minRows };
    const { header, rows } =
      options.file !== undefined
        ? cruxFile(options.file, crux)
        : await (options.list === 'crux' ? downloadCrux(http, signal, bar, crux) : downloadTranco(http, signal, bar, options.minRows));
    const path = ranksPath(settings.SIGHTLINE_DATA_DIR, options.list);
    makeFolder(dirname(path), 0o700);
    const written = writeRanks(path, header, rows);
    endBar();
    process.stdout.write(`${path}: ${plural(written, 'row')} of ${header.list} ${header.id}, ${header.date}\n`);
  } catch (error) {
    endBar();
    process.stderr.write(`The list was not changed: ${forTerminal(errorText(error, options.file))}\n`);
    process.exitCode = 1;
  } finally {
    await http.close();
  }
}

/** An error of the system names its code; the file that was given is named in words. */
function errorText(error: unknown, file: string | undefined): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return file !== undefined && /^E[A-Z]+$/.test(code) ? `${unreadFile(file, error)}.` : message;
}

function endBar(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
function bar(bytes: number, total: number | null): void {
  if (!process.stderr.isTTY) return;
  const share = total ? Math.min(1, bytes / total) : null;
  const filled = share === null ? '' : `[${'#'.repeat(Math.round(share * 30)).padEnd(30)}] ${Math.round(share * 100)} % `;
  process.stderr.write(`\r${filled}${(bytes / 1e6).toFixed(1)} MB`);
}
