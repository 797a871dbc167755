import { type Quota, rateLimited, usedUp } from '../../contract/rate-limited.ts';
import { parseJsonBody, receiveBody } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { addressKey } from './rate-limits.ts';

export interface BodyLimits {
  /** Requests of one address that may be sending their body at the same time. */
  readonly mostOfAddress: number;
  /** Called before and after a body is received: a request that still sends is not in work. */
  readonly leave: () => void;
  readonly enter: (context: RequestContext) => void;
}

export type Bodies = ReturnType<typeof createBodyReader>;

/** When a request that found too many others may come again: what they send has ended by then, or soon after. */
const RETRY_MS = 1_000;

/** Reads the bodies of one listener, each up to the limit of its route: 400, 413, 429 by address. */
export function createBodyReader({ mostOfAddress, leave, enter }: BodyLimits) {
  const sending = new Map<string, number>();
  const quota: Quota = { name: 'sending', quota: mostOfAddress, seconds: null };

  async function readBody(context: RequestContext): Promise<string> {
    const key = addressKey(context.address);
    const count = sending.get(key) ?? 0;
    if (count >= mostOfAddress) {
      const words = `Too many requests from this address are still being sent: ${mostOfAddress} may be at the same time. Ask again in a second.`;
      throw rateLimited(words, RETRY_MS, usedUp(quota, RETRY_MS));
    }
    sending.set(key, count + 1);
    leave();
    try {
      return await receiveBody(context.request, context.maxBodyBytes);
    } finally {
      const left = (sending.get(key) ?? 1) - 1;
      if (left > 0) sending.set(key, left);
      else sending.delete(key);
      enter(context);
    }
  }

  return {
    readBody,
    /** {} for an empty body. */
    readJson: async (context: RequestContext): Promise<unknown> => parseJsonBody(context.request, await readBody(context)),
  };
}
