import { checkAnswers } from './check-answers.ts';
import { checkMoney } from './check-money.ts';
import { checkUpstream } from './check-upstream.ts';
import { createFindings, type Evidence, type Findings } from './evidence.ts';

export type Verdict = Pick<Findings, 'violations' | 'figures'>;

/** Checks a run by the recorded client and platform requests and by the rows of the ledger. */
export function check(evidence: Evidence): Verdict {
  const findings = createFindings();
  checkAnswers(evidence, findings);
  checkMoney(evidence, findings);
  checkUpstream(evidence, findings);
  for (const { name, outages } of evidence.members)
    for (const { kind, stuck, reason } of outages) {
      if (stuck) findings.violations.push(`${name}: did not end when it was asked to`);
      if (kind === 'fallen') findings.violations.unshift(`${name}: ended by itself (${reason})`);
    }
  const { violations, figures } = findings;
  // a fleet that answers nothing would pass every other check
  const sold = figures['captured answers'] ?? 0;
  if (sold < evidence.told.length / 10) violations.push(`only ${sold} answers of ${evidence.told.length} were sold`);
  return { violations, figures };
}
