import type { SourceStatus } from '../../contract/status.ts';
import type { AccountWatches } from '../../watches/watches.ts';
import { type Asset, assetOf, READ, writeAsset } from '../http/assets.ts';
import { escaped, htmlPage, policyOf } from '../http/html-page.ts';
import type { Route } from '../http/listener.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';
import { preferredType } from './answer-format.ts';

const CACHED_MS = 60_000;
const CACHE_CONTROL = 'public, max-age=60';
type Source = SourceStatus['sources'][number];

const WORDS: Readonly<Record<Source['state'], string>> = { up: 'up', partly: 'partly up', down: 'down', no_data: 'no data' };

/** Rounded down: 100 % is said of a source that never failed alone. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;

function section({ source, state, upShare, days }: Source): string {
  const bars = days.map(
    ({ day, state: of, checks, failed }, i) =>
      `<rect class="${of}" x="${i * 10}" y="0" width="8" height="32"><title>${day}: ${WORDS[of]}${checks > 0 ? `, ${checks - failed} of ${checks} checks` : ''}</title></rect>`,
  );
  const counts = (['up', 'partly', 'down', 'no_data'] as const).map((one) => [days.filter((day) => day.state === one).length, WORDS[one]]);
  const about = counts.filter(([n]) => n !== 0).map(([n, words]) => `${n} ${n === 1 ? 'day' : 'days'} ${words}`);
  return `<section><h2>${escaped(source)}</h2><p>${WORDS[state]} at the last check; ${percent(upShare)} of the checks; ${about.join(', ')}</p>
<svg viewBox="0 0 ${days.length * 10 - 2} 32" preserveAspectRatio="none" role="img" aria-label="${about.join(', ')}">${bars.join('')}</svg></section>`;
}

export const statusPage = ({ from, to, sources }: SourceStatus): string =>
  htmlPage(
    'Status of the sources',
    `<p class="soft">${from} to ${to}, UTC, by the service’s own checks. A day without a check has no data.</p>
${sources.length > 0 ? sources.map(section).join('\n') : '<p>No source was checked in these days.</p>'}`,
  );

/** The sources by the checks of the operator, without credentials: HTML, or JSON where `Accept` prefers it. Computed once a minute. */
export function statusRoute({ admission, responder, clock }: RouteDependencies, watches: Pick<AccountWatches, 'sourceStatus'>): Route {
  let made: { readonly atMs: number; readonly assets: Promise<{ readonly html: Asset; readonly json: Asset }> } | null = null;
  async function make() {
    const status = await watches.sourceStatus();
    const headers = ['Vary', 'Accept'];
    return {
      html: assetOf(
        'text/html; charset=utf-8',
        Buffer.from(statusPage(status)),
        [...headers, 'Content-Security-Policy', policyOf("'none'")],
        CACHE_CONTROL,
      ),
      json: assetOf(JSON_TYPE, Buffer.from(JSON.stringify(status)), headers, CACHE_CONTROL),
    };
  }
  return {
    methods: READ,
    path: '/status',
    operation: 'status',
    async serve(context) {
      await admission.admitAddress(context);
      const now = clock.now();
      if (made === null || Math.abs(now - made.atMs) >= CACHED_MS) made = { atMs: now, assets: make() };
      const { assets } = made;
      const { html, json } = await assets.catch((error: unknown) => {
        if (made?.assets === assets) made = null;
        throw error;
      });
      const type = preferredType(context.request.headers.accept, ['text/html', 'application/json']);
      await writeAsset(responder, context, type === 'application/json' ? json : html);
    },
  };
}
