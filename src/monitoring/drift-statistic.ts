/**
 * One-sided CUSUM of Bernoulli observations (Page 1954): after each answer the log-likelihood ratio of "faults have the rate of a broken
 * field" to "faults have their long-run rate" is added, and the sum is never below 0. An alarm is raised at `ALARM`. With independent answers
 * at the long-run rate, the mean number of answers until a false alarm is at least e^ALARM = 8.9 million (Lorden 1971).
 */
export const ALARM = 16;
/** The same sum with the roles exchanged ends an alarm: the faults are back at their long-run rate. */
const RECOVERY = 5;
/** The long-run rate is that of about so many latest answers. */
const MAX_BASELINE = 10_000;

/** What counts as a fault, and which rates the test distinguishes. */
export interface FaultKind {
  /** Answers that the long-run rate needs before alarms are raised. */
  readonly minAnswers: number;
  /** The long-run rate is never taken to be lower than this: the first faults of a reliable field are no alarm. */
  readonly minRate: number;
  /** Above this rate 20 answers cannot distinguish a break from chance: no alarms. */
  readonly maxRate: number;
  /** Answers and faults that the long-run rate begins with. */
  readonly prior: Counts;
  /** The rate of faults of a broken field. */
  readonly broken: (rate: number) => number;
}
/** The field has no value: broken if only a tenth of the answers that had it still have it. */
export const MISSING: FaultKind = {
  minAnswers: 50,
  minRate: 0.01,
  maxRate: 0.42,
  prior: { answers: 2, faults: 1 },
  broken: (rate) => 1 - (1 - rate) / 10,
};
/** The field's place is there, its content was not understood; or the whole answer has an unknown shape. */
export const UNREAD: FaultKind = {
  minAnswers: 0,
  minRate: 0.001,
  maxRate: 0.4,
  prior: { answers: 20, faults: 0.02 },
  broken: (rate) => Math.min(0.95, Math.max(0.25, 5 * rate)),
};

export interface Counts {
  answers: number;
  faults: number;
}

const none = (): Counts => ({ answers: 0, faults: 0 });

/** The rate of one kind of fault in the answers of one field. `recorded` stands for the source's own answers until there are `minAnswers`. */
export type FaultRate = ReturnType<typeof createFaultRate>;
export function createFaultRate(
  { minAnswers, minRate, maxRate, prior, broken }: FaultKind,
  known = none(),
  recorded: Counts | null = null,
) {
  const baseline = { ...known };
  /** Observed since the sum was last 0: they join the long-run rate only if the sum returns to 0, so that a break does not become normal. */
  let pending = none();
  let sum = 0;
  let recovery = 0;
  let isDrifting = false;

  const hasOwn = (): boolean => baseline.answers >= minAnswers;
  function usualRate(): number {
    const { answers, faults } = recorded && !hasOwn() ? recorded : baseline;
    return Math.max(minRate, (faults + prior.faults) / (answers + prior.answers));
  }
  function learn({ answers, faults }: Counts): void {
    const share = baseline.answers >= MAX_BASELINE ? 0.5 : 1;
    baseline.answers = baseline.answers * share + answers;
    baseline.faults = baseline.faults * share + faults;
  }

  return {
    get isDrifting(): boolean {
      return isDrifting;
    },
    get rate(): number {
      return usualRate();
    },
    /** Counts one answer. `isUsual`: false if another fault explains this one, which then says nothing about the long-run rate. */
    observe(isFault: boolean, isUsual = true): 'alarm' | 'recovered' | null {
      const rate = usualRate();
      if ((!hasOwn() && recorded === null) || (rate > maxRate && !isDrifting)) {
        if (isUsual) learn({ answers: 1, faults: Number(isFault) });
        return null;
      }
      const brokenRate = broken(rate);
      const gain = isFault ? Math.log(brokenRate / rate) : Math.log((1 - brokenRate) / (1 - rate));
      if (isDrifting) {
        recovery = Math.max(0, recovery - gain);
        if (recovery < RECOVERY) return null;
        isDrifting = false;
        sum = 0;
        pending = none();
        return 'recovered';
      }
      pending.answers++;
      pending.faults += Number(isFault);
      sum = Math.max(0, sum + gain);
      if (sum === 0) {
        learn(pending);
        pending.answers = 0;
        pending.faults = 0;
      }
      if (sum < ALARM) return null;
      isDrifting = true;
      recovery = 0;
      return 'alarm';
    },
  };
}
