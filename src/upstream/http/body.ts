/** Collects the bytes of a body. Memory grows with the number of bytes, not with the number of chunks. */
export class Body {
  #bytes: Buffer = Buffer.alloc(0);
  size = 0;

  add(chunk: Buffer): void {
    const end = this.size + chunk.length;
    // the first chunk is kept as it is: most answers have no other
    if (this.size === 0) this.#bytes = chunk;
    else {
      if (end > this.#bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * end, 16_384));
        this.#bytes.copy(larger, 0, 0, this.size);
        this.#bytes = larger;
      }
      chunk.copy(this.#bytes, this.size);
    }
    this.size = end;
  }
  join(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }
}
