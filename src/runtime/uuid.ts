export type RandomBytes = (size: number) => Uint8Array;

const POOL = 4096;

/** Generates UUIDv7 (RFC 9562), ordered by time and by a counter within a millisecond, so that index entries are appended. */
export function createUuid7(now: () => number, randomBytes: RandomBytes): () => string {
  let pool = '';
  let offset = 0;
  let last = 0;
  let time = '';
  let counter = 0;
  const digits = (count: number): string => {
    if (offset + count > pool.length) {
      pool = Buffer.from(randomBytes(POOL)).toString('hex');
      offset = 0;
    }
    offset += count;
    return pool.slice(offset - count, offset);
  };
  const takeTime = (ms: number): void => {
    last = ms;
    const text = ms.toString(16).padStart(12, '0');
    time = `${text.slice(0, 8)}-${text.slice(8)}-7`;
  };
  return () => {
    const ms = now();
    if (ms > last) {
      takeTime(ms);
      counter = Number.parseInt(digits(4), 16) & 0x7ff; // the top bit stays 0, so that the counter can grow
    } else if (++counter > 0xfff) {
      takeTime(last + 1); // RFC 9562, 6.2: the timestamp runs ahead of the clock, so that no id repeats
      counter = 0;
    }
    const variant = '89ab'[Number.parseInt(digits(1), 16) & 0x3];
    return `${time}${counter.toString(16).padStart(3, '0')}-${variant}${digits(3)}-${digits(12)}`;
  };
}
