/** The gallery in a browser, from memory alone. */
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { galleryData, NOW } from './data.ts';

const ORIGIN = 'http://gallery.localhost';

/** The page of the console with the gallery in place of its script, in memory: file by path. */
export async function bundle(): Promise<ReadonlyMap<string, string | Buffer>> {
  const built = await build({
    configFile: false,
    root: 'src/console',
    base: '/',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        name: 'gallery',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) => html.replace('./main.tsx', '../../test/console/gallery/gallery.tsx').replace(/<header.*<\/header>/, ''),
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const output = 'output' in built ? built.output : [];
  return new Map(output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : Buffer.from(file.source)]));
}

/** The gallery at a width. What it complains of is an assertion of the test. */
export async function openGallery(browser: Browser, files: ReadonlyMap<string, string | Buffer>, width: number, scale = 1) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  const types = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' } as Readonly<Record<string, string>>;
  await context.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    const body = files.get(pathname) ?? files.get('/index.html') ?? '';
    return route.fulfill({ body, contentType: types[pathname.split('.').at(-1) ?? ''] ?? 'text/html' });
  });
  await page.clock.setFixedTime(NOW);
  await page.addInitScript({ content: `window.galleryData = ${JSON.stringify(galleryData())}` });
  await page.goto(`${ORIGIN}/console/w/serp?keyword=running+shoes`);
  await page.evaluate('gallery.ready');
  return { page, complaints };
}
