/** docs/testing.md and docs/test-record.md, from the counts in `test/record.json`. */
export const FILE = 'test/record.json';

/** Counts by name, added up over the runs of one suite on one commit. */
export type Counts = Record<string, number>;
export interface Run {
  readonly commit: string;
  /** Of the last run, UTC. */
  readonly day: string;
  readonly counts: Counts;
}
export interface Recorded {
  /** By suite: the runs on the commit that was tried last. */
  readonly runs: Record<string, Run>;
  readonly failures: { readonly version: string; readonly suite: string; readonly what: string; readonly heldBy: string }[];
}

interface Suite {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly promise: string;
  readonly notCovered: string;
  /** Reads the counts from the output of a suite; null where it printed none. */
  readonly read: (printed: string) => Counts | null;
}
const numbers = (pattern: RegExp, ...names: string[]) => {
  return (printed: string): Counts | null => {
    const found = [...printed.matchAll(pattern)].at(-1);
    return found ? Object.fromEntries(names.map((name, i) => [name, Number(found[i + 1])])) : null;
  };
};

export const SUITES: Readonly<Record<string, Suite>> = {
  tests: {
    command: ['npm', '--silent', 'test'],
    promise:
      'every operation and status keeps to the contract (fuzzed from the schemas in both directions), parsers stand untrusted bytes, and accounts, ledger, fleet, console and client do what these pages say, under attacks and faults, too',
    notCovered: 'real platforms; more than one machine',
    read: numbers(/(\d+) passed, (\d+) failed, (\d+) skipped/g, 'tests', 'failures', 'skipped'),
  },
  simulation: {
    command: ['npm', 'run', '--silent', 'simulate', '--'],
    promise:
      'no credit is lost or made, nobody is overcharged, every 200 is held before it is sent, every slot of a watch has one outcome, no answer belongs to another question, everything ends, under kills, freezes, clock jumps and a failing disk',
    notCovered: 'torn pages of the disk; PostgreSQL and Redis; sockets',
    read: (printed) => {
      const last = printed.trim().split('\n').at(-1) ?? '';
      if (!last.startsWith('{')) return null;
      const { seed, violations = 0, seconds = 0, ...counts } = JSON.parse(last) as Counts;
      return seed === undefined ? null : { seeds: 1, ...counts, failures: violations, 'seconds of CPU': seconds };
    },
  },
  chaos: {
    command: ['npm', 'run', '--silent', 'test:chaos', '--'],
    promise:
      'the same of two gateways, three workers, PostgreSQL and Redis as real processes that are killed, frozen and restarted, with wrong clocks and failing platforms',
    notCovered: 'networks that drop single packets; several machines',
    read: numbers(
      /chaos: (\d+) requests, (\d+) upstream, (\d+) disturbances, (\d+) upstream faults, (\d+) violations/g,
      'requests',
      'upstream requests',
      'disturbances',
      'faults',
      'failures',
    ),
  },
  watches: {
    command: ['npx', 'node', 'test/watches/run-days.ts'],
    promise:
      'every slot of a watch has one outcome and one charge at most, and no hold is left, while two processes are killed and frozen between any two statements, the clock jumps, and sources are out',
    notCovered: 'PostgreSQL between two statements',
    read: numbers(
      /(\d+) slots, \d+ left out by (\d+) jumps of the clock, (\d+) kills, (\d+) freezes, (\d+) outages, (\d+) credits/g,
      'slots',
      'jumps of the clock',
      'kills',
      'freezes',
      'outages',
      'credits',
    ),
  },
  'false alarms': {
    command: ['npx', 'node', 'test/watches/false-alarms.test.ts'],
    environment: { SIGHTLINE_TEST_ALARMS: '100000' },
    promise:
      'no change is told for a recorded answer in another notation, with less of it read, other counters or cut lists, or for a page that is no answer; an outage is told once, and its end once',
    notCovered: 'a platform that states a wrong value in its own format',
    read: numbers(/(\d+) comparisons[\s\S]*?(\d+) of them outages/g, 'comparisons', 'outages'),
  },
  mutants: {
    command: ['npm', '--silent', 'test', '--', 'test/sources/mutants.test.ts'],
    environment: { SIGHTLINE_TEST_REQUIRE: 'recordings', SIGHTLINE_TEST_WHOLE: '1' },
    promise: 'a parser of a damaged recording never throws and never gives a value that the document does not hold',
    notCovered: 'damage that makes another valid document: no parser can tell',
    read: numbers(/✔ (\d+) changes of the recordings/g, 'changed documents'),
  },
  mutation: {
    command: ['npm', 'run', '--silent', 'mutation'],
    promise:
      'a changed operator, condition, text or call in charge, ledger, its rules, the lines of its journal, credentials, addresses and limits makes a test fail',
    notCovered: 'the rest of the code; what survives is in the report',
    read: (printed) => {
      const found = /^All files +\|[ .\d]+\|[ .\d]+\|([ \d]+)\|([ \d]+)\|([ \d]+)\|([ \d]+)\|/m.exec(printed);
      if (!found) return null;
      const [killed = 0, timeout = 0, survived = 0, uncovered = 0] = found.slice(1).map(Number);
      return { mutants: killed + timeout + survived + uncovered, killed: killed + timeout };
    },
  },
  soak: {
    command: ['npm', 'run', '--silent', 'bench', '--', 'soak'],
    promise:
      'memory, open descriptors and the slowest percent of answers do not grow over half an hour of lookups, bulk runs, checks and console sessions together, and metrics, usage and balance agree to the credit',
    notCovered: 'days of running; a store of millions of rows',
    read: numbers(
      /(\d+) hits, (\d+) misses, (\d+) bulk lines, (\d+) checks, (\d+) console sessions in (\d+) minutes/g,
      'hits',
      'misses',
      'bulk lines',
      'checks',
      'console sessions',
      'minutes',
    ),
  },
  conformance: {
    command: ['npm', 'run', '--silent', 'conformance'],
    promise: 'scripts that the authors of the documents wrote hold the running service against specification and recordings',
    notCovered: 'recordings that nobody has made',
    read: numbers(/(\d+) passed, (\d+) failed, (\d+) skipped/g, 'scripts', 'failures', 'skipped'),
  },
};

const amount = (n: number): string => n.toLocaleString('en-US');

const countedText = ({ failures, runs, ...counts }: Counts): string =>
  Object.entries(counts)
    .map(([what, n]) => `${amount(n)} ${what}`)
    .join(', ');

const onCommit = ({ commit, day }: Run): string => `commit ${commit}, ${day}`;

/** Writes the text of docs/testing.md: the guarantees for a user, and how often each was tried. */
export function testingPage(recorded: Recorded): string {
  const failed = Object.values(recorded.runs).reduce((sum, { counts }) => sum + (counts.failures ?? 0), 0);
  const promises = Object.entries(SUITES).map(([name, { promise, notCovered }]) => {
    const run = recorded.runs[name];
    return `| ${promise} | ${name}${run ? `: ${countedText(run.counts)} (${onCommit(run)})` : ''} | ${notCovered} |`;
  });
  return `<!-- written by npm run generate from test/record.json, which npm run record changes -->
# How it is tested

This page is for the person who has to decide whether to trust this service with money and data.

## What you may expect

| You may expect | Tried by, and how much | Not covered |
|---|---|---|
${promises.join('\n')}

Of these runs ${failed === 0 ? 'none' : amount(failed)} failed: a run that fails is repaired before it is recorded. [The record](test-record.md) has every count, how to run each suite, and what
was found and repaired.

## What else can be checked

- \`npx sightline ledger verify\` and \`audit verify\` check the hash chains of a running service ([credits](credits.md)).
- \`npm run package\` makes the same bytes of the same commit, wherever and whenever it runs, which the gate compares; the bill of materials (CycloneDX) is in the package.
- [SECURITY](../SECURITY.md) has the threat model, and the attacks with what each gets.
- [Benchmarks](benchmarks.md) say how fast it is, the [comparison](comparison.md) how often the readers are right.
`;
}

/** Text of docs/test-record.md: every count, and what was found. */
export function recordPage(recorded: Recorded): string {
  const rows = Object.entries(recorded.runs).map(
    ([suite, { commit, day, counts }]) =>
      `| ${suite} | ${commit} | ${day} | ${amount(counts.runs ?? 0)} | ${countedText(counts)} | ${amount(counts.failures ?? 0)} |`,
  );
  const commands = Object.entries(SUITES).map(
    ([name, { command }]) => `| ${name} | \`${command.join(' ').replace('--silent ', '').replace(/ --$/, '')}\` |`,
  );
  const repaired = recorded.failures.map(({ version, suite, what, heldBy }) => `| ${version} | ${suite} | ${what} | ${heldBy} |`);
  return `<!-- written by npm run generate from test/record.json, which npm run record changes -->
# Record of the tests

[How it is tested](testing.md) says what each suite promises.

## What has been run

Of each suite the runs on the commit that was tried last, added up. "Failures" are those of recorded runs; a run that fails is repaired before it is
recorded.

| Suite | Commit | Day | Runs | Counted | Failures |
|---|---|---|---|---|---|
${rows.join('\n')}

## What was found and repaired

| Version | Found by | Failure | Held now by |
|---|---|---|---|
${repaired.join('\n')}

## Run it yourself

| Suite | Command |
|---|---|
${commands.join('\n')}

\`npm run record -- simulation --seed 7 --seconds 60\` runs a suite and adds its counts to those of the same commit.

The simulation repeats a run by its seed, to the byte, and shrinks a run that fails. It can fail: \`--plant capture-twice\`, \`reply-before-hold\` and
\`slot-twice\` put a fault in, which a test wants found. The rules that it checks are written a second time in \`test/simulation/books.ts\`, which reads
the store without the service's own code.
`;
}
