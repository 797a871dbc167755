export type RandomBytes = (size: number) => Uint8Array;

const POOL = 4096;

/** Generates UUIDv7 (RFC 9562), ordered by time and by a counter within a millisecond, so that index entries are appended. */
export function createUuid7(now: () => number, randomBytes: RandomBytes): () => string {
  let pool = Buffer.alloc(0);
  let at = 0;
  let last = 0;
  let counter = 0;
  const random = (bytes: number): Buffer => {
    if (at + bytes > pool.length) {
      pool = Buffer.from(randomBytes(POOL));
      at = 0;
    }
    at += bytes;
    return pool.subarray(at - bytes, at);
  };
  return () => {
    const ms = now();
    if (ms > last) {
      last = ms;
      counter = random(2).readUInt16BE() & 0x7ff; // the top bit stays 0, so that the counter can grow
    } else if (++counter > 0xfff) {
      last++; // RFC 9562, 6.2: the timestamp runs ahead of the clock, so that no id repeats
      counter = 0;
    }
    const time = last.toString(16).padStart(12, '0');
    const tail = random(8).toString('hex');
    const variant = ((Number.parseInt(tail.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
  };
}
