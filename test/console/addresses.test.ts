// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, openConsole } from './open-console.ts';

const textIn = (file: string): string => readFileSync(file, 'utf8');
const namesIn = (text: string): readonly string[] => [...text.matchAll(/(?:'|\b)(_[a-z]+)(?:'|:)/g)].map(([, name]) => name ?? '');
/** Every parameter of an address that the console reads for itself. */
const NAMES = [...new Set(globSync('src/console/**/*.{ts,tsx}').flatMap((file) => namesIn(textIn(file))))];
/** The pages of main.tsx; a part of the path is a name that objects have of their own. */
const PAGES = [...textIn('src/console/main.tsx').matchAll(/\['(\/console[^']*)'/g)].map(([, path]) =>
  (path ?? '').replace(/:operation/, 'registration').replace(/:\w+/g, 'constructor'),
);
const VALUES = ['constructor', '0001-01-01', '9999-12-31', '-1', '1e9', '['];

test('no page fails, shows what is no value or stands still, whatever its address asks for', { skip: missing }, async (t) => {
  assert.ok(NAMES.length > 30 && PAGES.length > 25, `${NAMES.length} parameters, ${PAGES.length} pages`);
  const { service, signedIn } = await openConsole(t);
  await service.get('/v1/website/whois/domains/acme-widgets.com');
  for (const entrance of ['account', 'operator'] as const) {
    const page = await signedIn({}, entrance);
    const base = new URL(page.url()).origin;
    const more = entrance === 'operator' ? [`/console/as/${service.accountId}/usage`, '/console/as/constructor'] : [];
    for (const path of new Set([...PAGES, ...more])) {
      await page.goto(base + path);
      await page.locator('main h1').waitFor();
      for (const value of VALUES) {
        const address = `${path}?${new URLSearchParams(NAMES.map((name): [string, string] => [name, value]))}`;
        const text = await page.evaluate<string>(`(async () => {
          history.replaceState(history.state, '', ${JSON.stringify(address)});
          dispatchEvent(new PopStateEvent('popstate'));
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20)));
          return document.querySelector('main').innerText;
        })()`);
        assert.doesNotMatch(text, /\b(?:NaN|undefined|Invalid Date)\b|\[object |This page failed/, `${address}: ${text}`);
      }
    }
    assert.deepEqual(complaintsOf(page), []);
  }
});
