const MARK = '\uFEFF';

/** The value of a JSON file that a person wrote: editors of Windows put a byte order mark before it. Throws an Error that says why it is none. */
export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(MARK) ? text.slice(1) : text);
  } catch (error) {
    // UTF-16 read as UTF-8
    const isForeign = /^\uFFFD|\0/.test(text);
    throw new Error(isForeign ? 'it is not UTF-8: save it as UTF-8' : (error as Error).message, { cause: error });
  }
}
