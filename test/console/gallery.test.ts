// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { missing, openBrowser } from '../browser/chromium.ts';
import { bundle, openGallery } from './gallery/open.ts';
import { differenceOf, type Look, readLooks, writeLooks } from './gallery/snapshots.ts';

/** `SIGHTLINE_TEST_RENEW=1` stores what the sections look like now. */
const RENEWS = process.env.SIGHTLINE_TEST_RENEW === '1';
const THEMES = ['light', 'dark'] as const;
/** Widths in CSS px; a window of 1,440 px at 200 % zoom has 720 of them. The themes differ in their colours alone. */
const GEOMETRIES = [
  [1440, 1, 'light'],
  [1440, 1, 'dark'],
  [1024, 1, 'light'],
  [720, 2, 'light'],
  [390, 1, 'light'],
  [320, 1, 'light'],
] as const;
const MODES = { 'reduced motion': {}, 'forced colours': { forcedColors: 'active' }, print: {} } as const;
/** Of a window for many sections: each picture takes three frames, whatever is in it. */
const HEIGHT_PX = 12_000;
const MOST_PICTURES = 10;
const MOST_LOOKS = 3;
/** Scale of the pictures. */
const scaleAt = (width: number): number => (width < 960 ? 0.5 : 0.25);
const columnsAt = (width: number): number => (width < 960 ? 10 : 20);

interface Box {
  readonly id: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Sections below each other that fit into a window, and with them its place in the page. */
function windowsOf(boxes: readonly Box[]): readonly (readonly Box[])[] {
  const windows: Box[][] = [];
  for (const box of boxes) {
    const last = windows.at(-1);
    if (last?.[0] && box.top + box.height - last[0].top <= HEIGHT_PX) last.push(box);
    else windows.push([box]);
  }
  return windows;
}

async function looksOf(page: Page, width: number): Promise<ReadonlyMap<string, Look>> {
  const devtools = await page.context().newCDPSession(page);
  const scale = scaleAt(width);
  const looks = new Map<string, Look>();
  const boxes = () => page.evaluate<readonly Box[]>('gallery.boxes()');
  const heights = new Map((await boxes()).map(({ id, height }) => [id, Math.round(height)]));
  await page.evaluate('gallery.crop(true)');
  // drawn as small as the pictures are
  await devtools.send('Emulation.setDeviceMetricsOverride', { width, height: HEIGHT_PX, deviceScaleFactor: 1, mobile: false, scale });
  // what was drawn in the theme before is not taken for this one
  await page.evaluate('gallery.show(0)');
  await devtools.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  for (const shown of windowsOf(await boxes())) {
    const [first, last] = [shown[0], shown.at(-1)];
    if (!first || !last) continue;
    const y = await page.evaluate<number>(`gallery.show(${first.top})`);
    const height = Math.min(HEIGHT_PX, last.top + last.height - y);
    const clip = { x: 0, y, width, height, scale };
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip });
    const within = shown.map((box) => ({ ...box, top: box.top - y }));
    const found = await page.evaluate<readonly (Look & { readonly id: string })[]>(
      `gallery.signatures(${JSON.stringify(data)}, ${JSON.stringify(within)}, ${columnsAt(width)}, ${scale})`,
    );
    for (const { id, cells, hues } of found) looks.set(id, { height: heights.get(id) ?? 0, cells, hues });
  }
  await page.evaluate('gallery.crop(false)');
  await devtools.detach();
  return looks;
}

test('each component and view of the console, with short, long, null and empty data', { skip: missing }, async (t) => {
  const files = await bundle();
  const browser = await openBrowser(t);
  const looks = new Map<string, Look>();
  const stored = readLooks();
  /** By section. What is still being drawn, beside other tests, is looked at again. */
  async function differencesAt(page: Page, width: number, theme: string): Promise<readonly (readonly [id: string, difference: string])[]> {
    for (let tries = 1; ; tries++) {
      const found = await looksOf(page, width);
      for (const [id, look] of found) looks.set(`${id} ${width} ${theme}`, look);
      const differences = [...found].flatMap(([id, look]): (readonly [string, string])[] => {
        const before = stored.get(`${id} ${width} ${theme}`);
        const difference = before ? differenceOf(look, before, columnsAt(width)) : 'it is new';
        return difference === null || RENEWS ? [] : [[id, difference]];
      });
      if (differences.length === 0 || tries === MOST_LOOKS) return differences;
      await setTimeout(1_000);
    }
  }
  for (const width of [1440, 390]) {
    const { page, complaints } = await openGallery(browser, files, width);
    if (width === 1440)
      await t.test('nothing is left out', async () => {
        assert.deepEqual(await page.evaluate('gallery.lacking'), [], 'exported by src/console/parts or charts, and not in gallery.tsx');
        const pages = await page.evaluate<readonly string[]>('gallery.pages');
        const listed = [...readFileSync('src/console/main.tsx', 'utf8').matchAll(/import\('[^']+'\)\)\.(\w+)/g)].map(
          ([, name]) => name ?? '',
        );
        assert.deepEqual(
          listed.filter((name) => !pages.includes(name)),
          [],
          'pages of src/console/main.tsx that are not in gallery.tsx',
        );
        assert.ok(listed.length > 10);
      });
    for (const theme of THEMES)
      await t.test(`looks at ${width} px, ${theme}`, async () => {
        await page.emulateMedia({ colorScheme: theme });
        const faults: string[] = [];
        let folder = '';
        for (const [id, difference] of await differencesAt(page, width, theme)) {
          folder ||= mkdtempSync(join(tmpdir(), 'sightline-gallery-'));
          const picture = join(folder, `${id}.png`);
          if (faults.length < MOST_PICTURES) writeFileSync(picture, await page.locator(`[id="${id}"]`).screenshot());
          faults.push(`${id} at ${width} px, ${theme}: ${difference}${faults.length < MOST_PICTURES ? `. Now: ${picture}` : ''}`);
        }
        assert.deepEqual(faults, [], 'where this is meant: SIGHTLINE_TEST_RENEW=1 npm test -- test/console/gallery.test.ts');
      });
    for (const [narrow, scale, theme] of GEOMETRIES.filter(([each]) => (width === 1440 ? each > 390 : each <= 390)))
      await t.test(`geometry at ${narrow} px${scale === 1 ? '' : `, ${100 * scale} % zoom`}, ${theme}`, async () => {
        const devtools = await page.context().newCDPSession(page);
        const size = { width: narrow, height: HEIGHT_PX, deviceScaleFactor: scale, mobile: false };
        await devtools.send('Emulation.setDeviceMetricsOverride', size);
        await page.emulateMedia({ colorScheme: theme });
        await page.evaluate('gallery.settled()');
        const faults = Object.entries(await page.evaluate<Readonly<Record<string, string>>>('gallery.faults()'));
        assert.deepEqual(
          faults.map(([fault, found]) => `${fault}: ${found}`),
          [],
        );
        await devtools.detach();
      });
    if (width === 1440)
      for (const [mode, media] of Object.entries(MODES))
        await t.test(`nothing is lost: ${mode}`, async () => {
          const devtools = await page.context().newCDPSession(page);
          const size = { width, height: HEIGHT_PX, deviceScaleFactor: 1, mobile: false };
          await devtools.send('Emulation.setDeviceMetricsOverride', size);
          await page.emulateMedia({ media: null, forcedColors: null, colorScheme: 'light', ...media });
          await page.evaluate('gallery.settled()');
          await page.evaluate(`globalThis.lost = ${mode === 'print' ? 'gallery.lostInPrint()' : `gallery.faultsIn('${mode}')`}; 0`);
          if (mode === 'print') await page.pdf({ preferCSSPageSize: true });
          const faults = Object.entries(await page.evaluate<Readonly<Record<string, string>>>('lost'));
          assert.deepEqual(
            faults.map(([fault, found]) => `${fault}: ${found}`),
            [],
          );
          await devtools.detach();
        });
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
  if (RENEWS) writeLooks(looks);
  else
    assert.deepEqual(
      [...stored.keys()].filter((key) => !looks.has(key)),
      [],
      'stored, and not in the gallery any more',
    );
});
