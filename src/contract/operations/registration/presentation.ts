import type { Presentation } from '../presentation.ts';
import type { DomainRegistration } from './operation.ts';

export const presentation: Presentation<DomainRegistration> = {
  name: 'Domain registration',
  icon: 'globe',
  guidance: {
    title: 'Domain registration',
    use: 'Use for registrar, dates, status, name servers and contacts of a domain, or whether it is registered. Not for DNS records. available: true does not say that it can be bought.',
    fresh: 'Up to 6 h old, 2 min if unregistered.',
    limits:
      'registrable domains; most contacts are redacted. Throttled: UPSTREAM_RATE_LIMITED, see retryAfterSeconds. null: not published.',
  },
  lines: ({ domain, available, registrar, expiresOn }) => [
    available ? `${domain}: free` : `${domain}: ${registrar?.name ?? 'registered'}`,
    ...(expiresOn === null ? [] : [`expires on ${expiresOn.slice(0, 10)}`]),
  ],
};
