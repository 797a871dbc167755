/** A body for each endpoint that takes one, by its id in the description; a test checks them with the schemas of the contract. */
export const BODIES: Readonly<Record<string, object>> = {
  accountWatchCreate: {
    operation: 'serp',
    parameters: { keyword: 'running shoes' },
    every: '1d',
    creditsPerMonth: 31,
    fields: [{ path: 'organic[www.acme-widgets.com].rank', least: 2 }],
  },
  accountWatchImport: { operation: 'registration', lines: 'acme-widgets.com\nbluebirdlooms.com', every: '7d' },
  accountWatchEdit: { paused: true },
  accountNotifySet: { notify: [{ to: 'mailto:team@acme-widgets.com', digest: '1d' }] },
  accountNotifyTest: { to: 'mailto:team@acme-widgets.com' },
  accountWatchNotifyTest: { to: 'mailto:team@acme-widgets.com' },
  accountSitesSet: { own: 'acme-widgets.com', rivals: ['bluebirdlooms.com'] },
};
