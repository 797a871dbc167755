/** Size of a test that proves the same with less: the whole in the gate, which sets `SIGHTLINE_TEST_WHOLE=1`, else a part. */
export const sizeOf = ({ whole, part }: { readonly whole: number; readonly part: number }): number =>
  process.env.SIGHTLINE_TEST_WHOLE === '1' ? whole : part;
