/**
 * Files that assert real time or CPU time, and may fail on a busy machine. One that fails in parallel with others and passes alone is
 * reported as flaky but does not fail the run in CI; every other flaky file does.
 */
export const REAL_TIME: readonly string[] = [
  'test/console/load.test.ts',
  'test/attack/event-loop.test.ts',
  'test/attack/growing-inputs.test.ts',
  'test/faults/disk-full.test.ts',
  'test/faults/frozen-gateway.test.ts',
  'test/faults/overload.test.ts',
  'test/faults/sigterm-under-load.test.ts',
  'test/faults/store-locked.test.ts',
  'test/fleet/blocked.test.ts',
  'test/fleet/end.test.ts',
  'test/fleet/fleet.test.ts',
];
