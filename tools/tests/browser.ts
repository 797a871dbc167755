/** One Chromium for a run, where a file needs it. */
import { readFileSync } from 'node:fs';

/** The helpers by which a file uses the browser of the run. */
const NEEDS_IT = /\bopenBrowser\b|\/open-console\.ts'/;

/** Starts it; returns its address for SIGHTLINE_TEST_CHROMIUM. */
export async function openChromium(files: readonly string[]): Promise<{ url: string | undefined; close(): Promise<void> }> {
  const none = { url: undefined, close: async () => {} };
  if (!files.some((file) => NEEDS_IT.test(readFileSync(file, 'utf8')))) return none;
  const { missing, startSharedChromium } = await import('../../test/browser/chromium.ts');
  if (missing) return none;
  const server = await startSharedChromium();
  // a run that is interrupted cannot wait for it
  const end = (): void => void server.process().kill('SIGKILL');
  process.once('exit', end);
  return {
    url: server.wsEndpoint(),
    async close() {
      process.off('exit', end);
      await server.close();
    },
  };
}
