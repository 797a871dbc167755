import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export const VERSION: string = (() => {
  const file = findPackageJSON('.', import.meta.url);
  const { version } = JSON.parse(file ? readFileSync(file, 'utf8') : '{}') as { version?: string };
  return version ?? '0.0.0';
})();

export function userAgent(contact: string | null): string {
  const plain = contact?.replace(/[^\x20-\x7e]|[()]/g, '').trim();
  return plain ? `Sightline/${VERSION} (+${plain})` : `Sightline/${VERSION}`;
}
