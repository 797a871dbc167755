import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { signedHeaders } from './webhooks.ts';

/** By the standard's own library, which also refuses a message that is older than five minutes. */
function isVerified(headers: Readonly<Record<string, string>>, body: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

test('the example of the standard has the signature of the standard', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, body, [secret]);
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('while the secret rotates both verify; another body or secret does not', () => {
  const [old, now, other] = ['whsec_b2xkb2xkb2xk', 'whsec_bm93bm93bm93', 'whsec_b3RoZXJvdGhl'] as const;
  const headers = signedHeaders('chg_1', Date.now(), '{}', [now, old]);
  assert.ok(isVerified(headers, '{}', old) && isVerified(headers, '{}', now));
  assert.ok(!isVerified(signedHeaders('chg_1', Date.now() - 600_000, '{}', [now]), '{}', now), 'a message that is repeated later');
  assert.ok(!isVerified(headers, '{}', other) && !isVerified(headers, '{ }', now));
});
