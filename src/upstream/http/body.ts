/** More chunks than this, and the next ones are copied together: a chunk of one byte costs some two hundred as an object. */
const LOOSE_CHUNKS = 64;
const BLOCK_BYTES = 65_536;
/** A chunk of this size is worth an object of its own. */
const LARGE_BYTES = 16_384;

/** The bytes of a body as they come in. Memory grows with the bytes, however small the chunks are. */
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
