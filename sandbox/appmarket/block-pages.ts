import { html, redirect, type SandboxResponse } from '../host.ts';
import { ORIGIN, whole } from './layout.ts';

const CHALLENGE = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8" /><title>Verifying your connection...</title><meta http-equiv="refresh" content="360"></head>
<body><div class="page"><h1 data-i18n="content-title">Your connection needs to be verified before you can proceed</h1>
<noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript>
<script>(function(){window._cf_chl_opt = {cvId: '3',cZone: 'apps.shopify.com',cType: 'managed',cRay: '0'};}());</script></div></body></html>`;

/** The page layout until 2022. */
const OLD = `<!DOCTYPE html><html class="no-js" lang="en"><head><title>Old Layout – Ecommerce Plugins</title><link rel="canonical" href="${ORIGIN}/old-layout"></head>
<body><main><section class="vc-app-listing-hero"><h2 class="vc-app-listing-hero__heading">Old Layout</h2><span class="ui-star-rating__rating">4.9</span></section>
<div class="pricing-plan-card"><h3>$9.00/month</h3></div></main></body></html>`;

/** Handles of apps with a response other than an app page. */
export const EDGES: Readonly<Record<string, () => SandboxResponse>> = {
  'walled-app': () => html(CHALLENGE, 403, { server: 'cloudflare', 'cf-mitigated': 'challenge' }),
  'quietly-walled-app': () => html(CHALLENGE, 200, { server: 'cloudflare' }),
  'busy-app': () => ({ status: 429, headers: { 'content-type': 'text/plain', 'retry-after': '120' }, body: 'Too many requests' }),
  'broken-app': () => html('<html><body><h1>Something went wrong</h1></body></html>', 500),
  'renamed-app': () => redirect(`${ORIGIN}/acme-reviews`, 301),
  'gone-app': () => redirect(`${ORIGIN}/`, 301),
  'withdrawn-app': () =>
    html(
      whole({
        title: 'Withdrawn',
        canonical: `${ORIGIN}/withdrawn-app`,
        main: '<section id="adp-banners">This app is no longer available.</section>',
      }),
    ),
  'old-layout': () => html(OLD),
  'empty-shell': () => html(whole({ title: 'Shopify App Store', canonical: `${ORIGIN}/`, main: '' })),
};

export const notFound = (): SandboxResponse =>
  html(whole({ title: '404', canonical: `${ORIGIN}/`, main: '<h1>Sorry, we couldn’t find that page</h1>' }), 404);

export const ROBOTS = `User-agent: *
Disallow: /internal/
Disallow: /services/
Disallow: *q=*
Disallow: /*?*shpxid=*
Disallow: /*?*auth=*

Sitemap: ${ORIGIN}/sitemap.xml
`;
