import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Reply } from './service-process.ts';

/** Sends unique lookups to a service. */
export interface Asker {
  send(): Promise<Reply>;
  close(): Promise<void>;
}
export function asker(baseUrl: string, key: string): Asker {
  const agent = new Agent({ connections: 2_000 });
  let count = 0;
  return {
    async send() {
      const id = `load-${++count}`;
      const began = performance.now();
      const answer = await request(`${baseUrl}/v1/website/whois/domains/name-${count}.com`, {
        dispatcher: agent,
        headers: { 'x-api-key': key, 'x-request-id': id },
      });
      const body = await answer.body.json();
      const headers = new Headers(answer.headers as Record<string, string>);
      return { id, status: answer.statusCode, headers, body, ms: performance.now() - began };
    },
    close: () => agent.destroy(),
  };
}

/** Reaction time of the load shedder: answers of this first interval are reported separately. */
const SURPRISED_SECONDS = 0.5;

/** Open-loop load: returns the answers of the first half second, and the later ones. */
export async function arrivals(perSecond: number, seconds: number, send: Asker['send']): Promise<{ first: Reply[]; later: Reply[] }> {
  const sent: Promise<Reply>[] = [];
  for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(1))
    while (sent.length < ((performance.now() - began) * perSecond) / 1000) sent.push(send());
  const replies = await Promise.all(sent);
  const many = Math.ceil(perSecond * SURPRISED_SECONDS);
  return { first: replies.slice(0, many), later: replies.slice(many) };
}

/** Closed-loop load: the answers in `seconds` with `many` requests in flight. */
export async function inFlight(many: number, seconds: number, send: Asker['send']): Promise<Reply[]> {
  const endMs = performance.now() + seconds * 1000;
  const replies: Reply[] = [];
  const one = async (): Promise<void> => {
    while (performance.now() < endMs) replies.push(await send());
  };
  await Promise.all(Array.from({ length: many }, one));
  return replies;
}

/** 99th percentile of the latency of 200 answers, ms. */
export function p99(replies: readonly Reply[]): number {
  const times = replies
    .filter((r) => r.status === 200)
    .map((r) => r.ms)
    .sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
