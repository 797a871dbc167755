import { readFileSync } from 'node:fs';

/** Looked for upwards: the sources stand at another depth than the published package. */
function packageFile(): string {
  for (let at = new URL('.', import.meta.url); ; at = new URL('..', at)) {
    try {
      return readFileSync(new URL('package.json', at), 'utf8');
    } catch (error) {
      if (at.pathname === '/') throw error;
    }
  }
}
export const version: string = (JSON.parse(packageFile()) as { version: string }).version;
