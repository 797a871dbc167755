import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { chromium as playwright } from 'playwright-core';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { patient, startChromium } from '../browser/chromium.ts';

/** A service that nobody claimed, over the simulated platforms, and a browser profile that was never here. */
export async function startUnclaimed(t: TestContext) {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-newcomer-'));
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_HOSTS: sandbox.mapFile,
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  });
  const links: string[] = [];
  const service = await startService(settings, { log: silent, announce: (link) => void links.push(link) });
  const chromium = await startChromium('MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  t.after(async () => {
    await chromium.close();
    await service.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  assert.equal(await service.announceSetup(), true);
  const browser = patient(await playwright.connectOverCDP(chromium.url));
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  return { sandbox, service, browser, context, link: String(links[0]) };
}
