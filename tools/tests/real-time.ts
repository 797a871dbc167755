/**
 * Files whose guarantees are about real seconds, so that a busy machine may fail them: one that fails beside others and passes alone is
 * reported as flaky, and is no failure in CI. Every other file that is flaky there has failed.
 */
export const REAL_TIME: readonly string[] = [
  'test/faults/disk-full.test.ts',
  'test/faults/frozen-gateway.test.ts',
  'test/faults/overload.test.ts',
  'test/faults/sigterm-under-load.test.ts',
  'test/faults/store-locked.test.ts',
  'test/fleet/blocked.test.ts',
  'test/fleet/end.test.ts',
  'test/fleet/fleet.test.ts',
];
