import { json, type SandboxHost } from '../../sandbox/host.ts';

export const DEMO_TOY_KEY = 'demo-toy';
/** The simulated panel of the toy source. */
export const toyPanel: SandboxHost = {
  origins: ['https://panel.toy.example'],
  answer({ url, headers }) {
    if (headers.authorization !== `Bearer ${DEMO_TOY_KEY}`) return json({ error: 'credentials' }, 401);
    const domain = /^\/v1\/visits\/([^/]+)$/.exec(url.pathname)?.[1];
    return domain === 'acme-widgets.com' ? json({ domain, month: '2026-10', visits: 4711 }) : json({ error: 'unknown domain' }, 404);
  },
};
