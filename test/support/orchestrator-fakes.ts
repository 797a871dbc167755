import type { OperationId } from '../../src/contract/operations/index.ts';
import type { Payment } from '../../src/orchestrator/types.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Ports, Source } from '../../src/sources/source.ts';

/** Test helper: a source with scripted answers. */
export function scripted(
  id: string,
  answers: (Outcome | Error | Promise<Outcome>)[],
  more: Partial<Source> = {},
): Source & { asked: number } {
  const source = {
    id,
    operations: ['registration'] as OperationId[],
    needs: [],
    knowsAbsence: true,
    about: 'a script',
    asked: 0,
    open: (_: Ports) => ({
      registration: async () => {
        const answer = answers[Math.min(source.asked++, answers.length - 1)];
        if (answer instanceof Error) throw answer;
        return (await answer) as never;
      },
    }),
    ...more,
  };
  return source;
}

export function charge(refusal?: Error): Payment & { holds: number; released: number } {
  const p = {
    holds: 0,
    released: 0,
    async hold() {
      if (refusal) throw refusal;
      p.holds++;
    },
    release() {
      p.released++;
    },
  };
  return p;
}

export const registered = (domain: string, available = false) => ({
  domain,
  available,
  registrar: null,
  registeredOn: null,
  expiresOn: null,
  updatedOn: null,
  status: [],
  nameServers: [],
  dnssec: null,
  contacts: [],
  scrapedAt: '2026-11-01T00:00:00.000Z',
  source: 'authoritative' as const,
});
