import { retryAfter, ServiceError } from '../../contract/errors.ts';
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

/** Reads the bodies of one listener, each up to the limit of its route: 400, 413, 429 by address. */
export function createBodyReader({ mostOfAddress, leave, enter }: BodyLimits) {
  const sending = new Map<string, number>();

  async function readBody(context: RequestContext): Promise<string> {
    const key = addressKey(context.address);
    const count = sending.get(key) ?? 0;
    if (count >= mostOfAddress) {
      const headers = { 'retry-after': retryAfter(1_000) };
      throw new ServiceError('RATE_LIMITED', 'Too many requests from this address are still being sent: ask again in a second.', headers);
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
