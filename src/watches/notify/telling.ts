import { randomBytes } from 'node:crypto';
import { createSealer, serviceSecret } from '../../accounts/oauth/sealer.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { DestinationParts } from './destinations.ts';
import { createMailer } from './mail.ts';
import { createReach } from './reach.ts';
import { mailHash } from './targets.ts';

/** What tells people, as the settings say: which addresses may be reached, the seal of addresses, and mail. Throws SettingError. */
export function createTelling(parts: {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly now: () => Promise<number>;
  readonly baseUrl: () => string | null;
  readonly ownPorts: () => readonly number[];
}): Pick<DestinationParts, 'reachOf' | 'sealer' | 'mailer' | 'baseUrl'> {
  const { settings, clock, now, baseUrl, ownPorts } = parts;
  if (settings.SIGHTLINE_SMTP_URL !== null && settings.SIGHTLINE_MAIL_FROM === null)
    throw new SettingError(
      'SIGHTLINE_SMTP_URL needs SIGHTLINE_MAIL_FROM: the sender of the mails, such as "Sightline <alerts@example.com>".',
    );
  const secret = serviceSecret(settings, randomBytes);
  const sealer = secret === null ? null : createSealer(secret, randomBytes);
  return {
    // loopback where the platforms are simulated
    reachOf: createReach({ settings, clock, ownPorts, allowsLoopback: settings.SIGHTLINE_HOSTS !== null }),
    sealer,
    mailer: sealer && createMailer({ settings, sealer, baseUrl, now }, mailHash),
    baseUrl,
  };
}
