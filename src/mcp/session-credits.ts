import { ServiceError } from '../contract/errors.ts';
import type { ToolCalls } from '../gateway/mcp/endpoint.ts';

/** Limits what all lookups of a session cost together. They run one after another, so that each knows what is left. */
export function withSessionCredits(calls: ToolCalls, limit: number): ToolCalls {
  let spent = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...calls,
    lookup(lookup) {
      const next = last.then(async () => {
        const left = limit - spent;
        // an answer that is stored is free
        if (left <= 0 && !lookup.cachedOnly)
          throw new ServiceError(
            'INSUFFICIENT_CREDITS',
            `This session may spend ${limit} credits in all (SIGHTLINE_MCP_MAX_CREDITS), and has spent ${spent}: nothing was done.`,
          );
        const answer = await calls.lookup({ ...lookup, maxCredits: Math.min(lookup.maxCredits ?? left, left) });
        spent += answer.credits;
        return answer;
      });
      last = next.catch(() => undefined); // its caller sees the error
      return next;
    },
  };
}
