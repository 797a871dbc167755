/** The reference of the bulk suite in a process of its own: BENCH_LINES lookups by undici; the bodies are read, not parsed. Prints the milliseconds. */
import { Agent, request } from 'undici';
import { say } from './resource.ts';

const { BENCH_URL: baseUrl, BENCH_KEY: key = '', BENCH_NAME: name, BENCH_LINES, BENCH_IN_FLIGHT } = process.env;
const agent = new Agent({ connections: Number(BENCH_IN_FLIGHT) });
const left = Array.from({ length: Number(BENCH_LINES) }, (_, n) => `${name}-${n}.com`);
const begun = performance.now();
await Promise.all(
  Array.from({ length: Number(BENCH_IN_FLIGHT) }, async () => {
    for (let domain = left.pop(); domain; domain = left.pop()) {
      const { body } = await request(`${baseUrl}/v1/website/whois/domains/${domain}`, {
        dispatcher: agent,
        headers: { 'x-api-key': key },
      });
      await body.text();
    }
  }),
);
say({ elapsedMs: performance.now() - begun });
await agent.close();
