/** After this many chunks, small chunks are copied into blocks, because each Buffer object costs about 200 bytes of memory. */
const LOOSE_CHUNKS = 64;
const BLOCK_BYTES = 65_536;
/** A chunk of at least this size is kept without a copy. */
const LARGE_BYTES = 16_384;

/** Collects the bytes of a body. Memory grows with the number of bytes, not with the number of chunks. */
export class Body {
  readonly #chunks: Buffer[] = [];
  #block: Buffer | null = null;
  #used = 0;
  size = 0;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.#chunks.length < LOOSE_CHUNKS || chunk.length >= LARGE_BYTES) {
      this.#flush();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#block && this.#used + chunk.length > this.#block.length) this.#flush();
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#used += chunk.copy(this.#block, this.#used);
  }
  /** The whole body. */
  join(): Buffer {
    this.#flush();
    const [first, ...more] = this.#chunks;
    return first && more.length === 0 ? first : Buffer.concat(this.#chunks, this.size);
  }
  #flush(): void {
    if (this.#block && this.#used > 0) this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}
