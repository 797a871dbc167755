import { randomBytes } from 'node:crypto';
import { realClock } from '../src/runtime/clock.ts';
import { readSettings } from '../src/settings.ts';
import { createRequestSigner } from '../src/upstream/http/request-signer.ts';
import { atMost, median, type Row } from './measure.ts';

const ROUNDS = 31;
const CALLS = 500;

/** CPU time that the signature of a page request costs, ms: median of rounds after a warm-up. */
export function suite(): Row[] {
  const settings = readSettings({ SIGHTLINE_SIGN_REQUESTS: '1', SIGHTLINE_PUBLIC_URL: 'https://lookups.acme-widgets.com' });
  const signer = createRequestSigner({ settings, clock: realClock, randomBytes, secret: () => 'a secret of thirty two characters' });
  if (!signer) throw new Error('requests are not signed');
  const url = new URL('https://apps.shopify.com/a-product/reviews?page=2&sort_by=newest');
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const from = process.cpuUsage();
    for (let i = 0; i < CALLS; i++) if (!signer.headersFor('GET', url).signature) throw new Error('no signature');
    const { user, system } = process.cpuUsage(from);
    if (round >= 0) times.push((user + system) / 1000 / CALLS);
  }
  return [atMost('a signed page request costs, ms of CPU time', median(times), 0.2, `median of ${ROUNDS} rounds of ${CALLS} signatures`)];
}
