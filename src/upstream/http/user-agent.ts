import { VERSION } from '../../runtime/installation.ts';

export function userAgent(contact: string | null): string {
  const plain = contact?.replace(/[^\x20-\x7e]|[()]/g, '').trim();
  return plain ? `Sightline/${VERSION} (+${plain})` : `Sightline/${VERSION}`;
}
