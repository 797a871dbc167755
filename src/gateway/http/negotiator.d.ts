/** Declares the parts of negotiator 1.0.0 that are used: its published types are those of version 0.6. */
declare module 'negotiator' {
  interface Request {
    readonly headers: Readonly<Record<string, string>>;
  }
  class Negotiator {
    constructor(request: Request);
    /** The acceptable media type that the client prefers; of equal ones the first of `available`. */
    mediaType(available: readonly string[]): string | undefined;
    /** The acceptable content coding that the client prefers; of equal ones the first of `preferred`. */
    encoding(available: readonly string[], options?: { readonly preferred: readonly string[] }): string | undefined;
  }
  export = Negotiator;
}
