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

/** The rate of one kind of fault in the answers of one field. */
export class FaultRate {
  readonly #kind: FaultKind;
  readonly #baseline: Counts;
  /** Recorded answers: they stand for the source's own until it has `minAnswers`. */
  readonly #recorded: Counts | null;
  /** Observed since the sum was last 0: they join the long-run rate only if the sum returns to 0, so that a break does not become normal. */
  #pending: Counts = { answers: 0, faults: 0 };
  #sum = 0;
  #recovery = 0;
  #isDrifting = false;

  constructor(kind: FaultKind, known: Counts = { answers: 0, faults: 0 }, recorded: Counts | null = null) {
    this.#kind = kind;
    this.#baseline = { ...known };
    this.#recorded = recorded;
  }
  get isDrifting(): boolean {
    return this.#isDrifting;
  }
  /** The long-run rate of faults. */
  get rate(): number {
    const { prior, minRate } = this.#kind;
    const { answers, faults } = this.#recorded && !this.#hasOwn ? this.#recorded : this.#baseline;
    return Math.max(minRate, (faults + prior.faults) / (answers + prior.answers));
  }
  get #hasOwn(): boolean {
    return this.#baseline.answers >= this.#kind.minAnswers;
  }

  /** Counts one answer. `isUsual`: false if another fault explains this one, which then says nothing about the long-run rate. */
  observe(isFault: boolean, isUsual = true): 'alarm' | 'recovered' | null {
    const { rate } = this;
    if ((!this.#hasOwn && this.#recorded === null) || (rate > this.#kind.maxRate && !this.#isDrifting)) {
      if (isUsual) this.#learn({ answers: 1, faults: Number(isFault) });
      return null;
    }
    const broken = this.#kind.broken(rate);
    const gain = isFault ? Math.log(broken / rate) : Math.log((1 - broken) / (1 - rate));
    if (this.#isDrifting) {
      this.#recovery = Math.max(0, this.#recovery - gain);
      if (this.#recovery < RECOVERY) return null;
      this.#isDrifting = false;
      this.#sum = 0;
      this.#pending = { answers: 0, faults: 0 };
      return 'recovered';
    }
    this.#pending = { answers: this.#pending.answers + 1, faults: this.#pending.faults + Number(isFault) };
    this.#sum = Math.max(0, this.#sum + gain);
    if (this.#sum === 0) {
      this.#learn(this.#pending);
      this.#pending = { answers: 0, faults: 0 };
    }
    if (this.#sum < ALARM) return null;
    this.#isDrifting = true;
    this.#recovery = 0;
    return 'alarm';
  }

  #learn({ answers, faults }: Counts): void {
    const share = this.#baseline.answers >= MAX_BASELINE ? 0.5 : 1;
    this.#baseline.answers = this.#baseline.answers * share + answers;
    this.#baseline.faults = this.#baseline.faults * share + faults;
  }
}
